// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/source.h"

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace strata::expr {

void Source::append(const Source &more) {
  if (!text_.ends_with('\n')) text_ += '\n';
  for (const Piece &one : more.pieces_) pieces_.push_back({text_.size() + one.from, one.name});
  text_ += more.text_;
}

void Source::blank(Span span) {
  for (size_t at = span.from; at < span.to; at++)
    if (text_[at] != '\n') text_[at] = ' ';
}

const Source::Piece &Source::piece(size_t at) const {
  return *std::prev(std::ranges::upper_bound(pieces_, at, {}, &Piece::from));
}

size_t Source::line_start(size_t at) const {
  const size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

size_t Source::line_number(size_t at) const {
  const auto from = text_.begin() + static_cast<std::ptrdiff_t>(piece(at).from);
  return static_cast<size_t>(std::count(from, text_.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1;
}

std::string Source::place(Span span) const {
  const size_t from = std::min(span.from, text_.size()), to = std::clamp(span.to, from, text_.size());
  const size_t first = line_number(from), last = line_number(to);
  const std::string line = piece(from).name + ":" + std::to_string(first);
  if (first != last) return line + "-" + std::to_string(last);
  const size_t start = line_start(from);
  return line + ":" + std::to_string(from - start + 1) + "-" + std::to_string(to - start + 1);
}

Error Source::error(Span span, const std::string &what) const {
  const size_t at = std::min(span.from, text_.size());
  const size_t start = line_start(at);
  const size_t end = std::min(text_.find('\n', at), text_.size());
  const size_t marked = std::max<size_t>(1, std::min(span.to, end) > at ? std::min(span.to, end) - at : 1);
  // Tabs stay, so that the caret stands below what it means however wide they are.
  std::string indent;
  for (size_t i = start; i < at; i++) indent += text_[i] == '\t' ? '\t' : ' ';
  std::string shown;
  for (size_t i = start; i < end; i++) shown += text_[i] == '\t' ? std::string(1, '\t') : printable(text_.substr(i, 1));
  return usage_error(piece(at).name + ":" + std::to_string(line_number(at)) + ":" + std::to_string(at - start + 1) +
                     ": " + what + "\n" + shown + "\n" + indent + std::string(marked, '^'));
}

}  // namespace strata::expr
