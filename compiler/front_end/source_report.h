// How a check of Clang's syntax tree reports what it finds.
#pragma once

#include <functional>
#include <string>

namespace clang {
class ASTContext;
class SourceLocation;
}  // namespace clang

namespace nplab::compiler {

// Called with the place and the message.
using SourceReport = std::function<void(clang::SourceLocation, const std::string&)>;

}  // namespace nplab::compiler
