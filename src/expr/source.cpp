#include "expr/source.h"

#include <algorithm>

#include "base/text.h"

namespace strata::expr {

Error Source::error(Span span, const std::string &what) const {
  const size_t at = std::min(span.from, text_.size());
  const size_t before = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  const size_t start = before == std::string::npos ? 0 : before + 1;
  const size_t end = std::min(text_.find('\n', at), text_.size());
  const auto line = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const size_t marked = std::max<size_t>(1, std::min(span.to, end) > at ? std::min(span.to, end) - at : 1);
  // Tabs stay, so that the caret stands below what it means however wide they are.
  std::string indent;
  for (size_t i = start; i < at; i++) indent += text_[i] == '\t' ? '\t' : ' ';
  std::string shown;
  for (size_t i = start; i < end; i++) shown += text_[i] == '\t' ? std::string(1, '\t') : printable(text_.substr(i, 1));
  return usage_error(name_ + ":" + std::to_string(line) + ":" + std::to_string(at - start + 1) + ": " + what + "\n" +
                     shown + "\n" + indent + std::string(marked, '^'));
}

}  // namespace strata::expr
