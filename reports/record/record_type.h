// Whether a type is a part of the record, constant or not: the lists of JSON keys serve a writer
// and a reader.
#pragma once

#include <concepts>
#include <type_traits>

namespace nplab::reports {

template <class T, class Record>
concept Is = std::same_as<std::remove_const_t<T>, Record>;

}  // namespace nplab::reports
