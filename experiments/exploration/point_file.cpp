#include "experiments/exploration/point_file.h"

#include "mappings/files/mapping_writer.h"
#include "support/unfinished_file.h"

namespace nplab::experiments {

std::string write_point(const Space& space, const Point& point, const std::string& folder,
                        Diagnostics& diagnostics) {
  const std::string path = folder + "/point.yaml";
  UnfinishedFile file(path);
  file.stream() << mappings::mapping_text(space.mapping(point), {});
  file.commit(diagnostics);
  return path;
}

}  // namespace nplab::experiments
