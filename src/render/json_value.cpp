#include "render/json_value.h"

#include "base/format.h"
#include "base/text.h"
#include "base/utf8.h"

namespace strata {
namespace {

// As the library does it with ensure_ascii, which would take the letters of most languages, too.
void append_escape(std::string &out, uint32_t code_point) {
  if (code_point > 0xffff) {
    append_escape(out, 0xd7c0 + (code_point >> 10));
    code_point = 0xdc00 + (code_point & 0x3ff);
  }
  out += formatted("\\u{:04x}", code_point);
}

}  // namespace

// What is not ASCII, or is DEL, is in a string.
std::string dump(const Json &json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t plain = plain_prefix(rest);
    out.append(rest.substr(0, plain));
    rest.remove_prefix(plain);
    if (rest.empty()) break;
    const Character first = first_character(rest);
    if (is_hidden(first.code_point)) {
      append_escape(out, first.code_point);
    } else {
      out.append(rest.substr(0, first.length));
    }
    rest.remove_prefix(first.length);
  }
  return out;
}

}  // namespace strata
