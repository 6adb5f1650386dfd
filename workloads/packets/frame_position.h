// The place of a field in a frame, as YAML gives it: `{byte: 29, bit: 4}`.
#pragma once

#include <optional>

#include "support/yaml.h"
#include "workloads/base/field.h"

namespace nplab::workloads {

// Reads {byte, bit (default 0)} for a field of `bits` bits, which must end within the bytes of
// every frame.
std::optional<FramePosition> read_frame_position(const yaml::Node& node, unsigned bits,
                                                 Diagnostics& diagnostics);

}  // namespace nplab::workloads
