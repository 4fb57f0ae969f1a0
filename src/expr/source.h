// The text of a program, and where in it something stands: every message about it points at its column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/error.h"

namespace strata::expr {

// Bytes from the beginning of the text.
struct Span {
  size_t from = 0, to = 0;
};

class Source {
 public:
  Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {}
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view at(Span span) const {
    return std::string_view(text_).substr(span.from, span.to - span.from);
  }

  // A usage Error whose text has the line, with a caret below the column:
  //
  //   stdin:1:13: unknown field 'filnam' of struct trace_event_raw_sys_enter (did you mean 'filename'?)
  //   tracepoint:syscalls:sys_enter_openat { printf("%s", str(args.filnam)); }
  //                                                            ^^^^^^^^^^^
  [[nodiscard]] Error error(Span span, const std::string &what) const;

 private:
  std::string name_, text_;
};

}  // namespace strata::expr
