#include "tools/options/file_kinds.h"

#include "experiments/calibration/calibration_keys.h"
#include "experiments/exploration/space_keys.h"
#include "experiments/studies/study_keys.h"
#include "mappings/files/file_keys.h"
#include "simulator/parameters/chip_description.h"
#include "workloads/workload_keys.h"

namespace nplab::tools {

const std::vector<FileKind>& file_kinds() {
  static const std::vector<FileKind> kKinds{
      {"calibration", &experiments::calibration_keys()},
      {"chip", &simulator::chip_keys()},
      {"manifest", &mappings::manifest_keys()},
      {"mapping", &mappings::mapping_keys()},
      {"space", &experiments::space_keys()},
      {"study", &experiments::study_keys()},
      {"workload", &workloads::workload_keys()},
  };
  return kKinds;
}

}  // namespace nplab::tools
