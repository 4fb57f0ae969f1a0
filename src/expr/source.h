// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The text of a program, and where in it something stands: every message about it points at its column.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace strata::expr {

// Bytes from the beginning of the text.
struct Span {
  size_t from = 0, to = 0;
};

class Source {
 public:
  Source(std::string name, std::string text) : text_(std::move(text)), pieces_{{0, std::move(name)}} {}
  [[nodiscard]] const std::string &name() const { return pieces_.front().name; }
  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::string_view at(Span span) const {
    return std::string_view(text_).substr(span.from, span.to - span.from);
  }

  // "stdin:1:13-20": the line, the first column and that behind the last one; of more lines "stdin:1-3".
  [[nodiscard]] std::string place(Span span) const;

  // A usage Error whose text has the line, with a caret below the column:
  //
  //   stdin:1:13: unknown field 'filnam' of struct trace_event_raw_sys_enter (did you mean 'filename'?)
  //   tracepoint:syscalls:sys_enter_openat { printf("%s", str(args.filnam)); }
  //                                                            ^^^^^^^^^^^
  [[nodiscard]] Error error(Span span, const std::string &what) const;

  void append(const Source &more);  // from then on both are one text, whose places are still named by their files
  void blank(Span span);            // what stands there is spaces then

 private:
  struct Piece {
    size_t from;
    std::string name;
  };
  [[nodiscard]] const Piece &piece(size_t at) const;
  [[nodiscard]] size_t line_start(size_t at) const;
  [[nodiscard]] size_t line_number(size_t at) const;

  std::string text_;
  std::vector<Piece> pieces_;  // in their order
};

}  // namespace strata::expr
