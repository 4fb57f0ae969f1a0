// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The scheme: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html. Lifetimes of references are left out.
#include "sym/rust_names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace strata {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

std::string_view basic_type(char letter) {
  static constexpr std::array<std::string_view, 26> kTypes = {
      "i8",   "bool", "char", "f64", "str", "f32", "",    "u8", "isize", "usize", "",    "i32", "u32",
      "i128", "u128", "_",    "",    "",    "i16", "u16", "()", "...",   "",      "i64", "u64", "!"};
  return is_lower(letter) ? kTypes[static_cast<size_t>(letter - 'a')] : "";
}

class Demangler {
 public:
  Demangler(std::string_view text, size_t most_bytes) : text_(text), most_bytes_(most_bytes) {}

  std::optional<std::string> name() {
    path(true);
    return failed_ || out_.empty() ? std::nullopt : std::optional(std::move(out_));
  }

 private:
  static constexpr unsigned kMostDepth = 64, kMostSteps = 4096;

  struct Identifier {
    uint64_t number = 0;  // that tells it from others of the name
    std::string_view text;
  };

  // Each part that nests begins with one; false: the name is refused.
  bool enter() {
    if (++depth_ > kMostDepth || ++steps_ > kMostSteps) failed_ = true;
    return !failed_;
  }
  void leave() { depth_--; }

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (failed_ || peek() != c) return false;
    at_++;
    return true;
  }
  char next() {
    const char c = peek();
    if (c == '\0') failed_ = true;
    at_++;
    return c;
  }
  void write(std::string_view text) {
    if (silent_ || failed_) return;
    out_ += text;
    if (out_.size() > most_bytes_) failed_ = true;
  }

  uint64_t base_62() {
    if (take('_')) return 0;
    uint64_t number = 0;
    while (!failed_ && !take('_')) {
      const char c = next();
      const int digit = is_digit(c) ? c - '0' : is_lower(c) ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
      if (digit < 0 || number > UINT64_MAX / 62 - 1) failed_ = true;
      number = number * 62 + static_cast<uint64_t>(digit);
    }
    return number + 1;
  }
  uint64_t optional_number(char tag) { return take(tag) ? base_62() + 1 : 0; }

  Identifier identifier() {
    Identifier one = {.number = optional_number('s'), .text = {}};
    if (take('u')) failed_ = true;  // of letters beyond ASCII, which are rare
    size_t bytes = 0;
    if (!is_digit(peek())) failed_ = true;
    if (!take('0'))
      while (!failed_ && is_digit(peek()) && bytes < text_.size())
        bytes = bytes * 10 + static_cast<size_t>(next() - '0');
    take('_');
    if (failed_ || at_ > text_.size() || bytes > text_.size() - at_) {
      failed_ = true;
      return one;
    }
    one.text = text_.substr(at_, bytes);
    at_ += bytes;
    return one;
  }

  // What stands earlier in the name is read again. It lies before this place, so that this ends.
  template <typename Read>
  void again(Read read) {
    const size_t here = at_ - 1;
    const uint64_t there = base_62();
    if (there >= here) failed_ = true;
    if (failed_ || silent_) return;
    const size_t after = std::exchange(at_, there);
    read();
    at_ = after;
  }

  void without_output(auto read) {
    const bool before = std::exchange(silent_, true);
    read();
    silent_ = before;
  }

  // A value's generic arguments stand behind "::".
  void path(bool is_value) {
    if (!enter()) return;
    open_path(is_value, false);
    leave();
  }

  // With `stays_open`, true if arguments were begun and not ended: a dyn trait's own follow.
  bool open_path(bool is_value, bool stays_open) {
    switch (const char tag = next()) {
      case 'C':
        write(identifier().text);
        return false;
      case 'N':
        nested(is_value);
        return false;
      case 'M':
      case 'X':
        optional_number('s');
        without_output([this] { path(false); });
        [[fallthrough]];
      case 'Y':
        write("<");
        type();
        if (tag != 'M') {
          write(" as ");
          path(false);
        }
        write(">");
        return false;
      case 'I':
        path(is_value);
        write(is_value ? "::<" : "<");
        list([this] { generic_argument(); });
        if (!stays_open) write(">");
        return stays_open;
      case 'B': {
        bool open = false;
        again([&] {
          if (!enter()) return;
          open = open_path(is_value, stays_open);
          leave();
        });
        return open;
      }
      default:
        failed_ = true;
        return false;
    }
  }

  void nested(bool is_value) {
    const char kind = next();
    path(is_value);
    const Identifier one = identifier();
    if (is_lower(kind)) {
      if (!one.text.empty()) write("::"), write(one.text);
      return;
    }
    write(kind == 'C' ? "::{closure" : kind == 'S' ? "::{shim" : "::{");
    if (!one.text.empty()) write(":"), write(one.text);
    write("#" + std::to_string(one.number) + "}");
  }

  // Up to its 'E'. The number of parts.
  size_t list(auto read_one) {
    size_t count = 0;
    for (; !failed_ && !take('E'); count++) {
      if (count != 0) write(", ");
      read_one();
    }
    return count;
  }

  void generic_argument() {
    if (take('L'))
      lifetime(base_62());
    else if (take('K'))
      constant();
    else
      type();
  }

  // The outermost that is bound is 'a.
  void lifetime(uint64_t index) {
    if (index == 0 || index > bound_) return write("'_");
    const uint64_t number = bound_ - index;
    write(number < 26 ? std::string("'") + static_cast<char>('a' + number) : "'_" + std::to_string(number));
  }

  void binder(auto read) {
    const uint64_t count = optional_number('G');
    if (count > kMostDepth) failed_ = true;
    if (count > 0) {
      write("for<");
      for (uint64_t i = 0; i < count && !failed_; i++) {
        bound_++;
        if (i != 0) write(", ");
        lifetime(1);
      }
      write("> ");
    }
    read();
    bound_ -= failed_ ? 0 : count;
  }

  void type() {
    if (!enter()) return;
    const char tag = next();
    if (const std::string_view name = basic_type(tag); !name.empty())
      write(name);
    else if (tag == 'R' || tag == 'Q')
      reference(tag == 'Q');
    else if (tag == 'P' || tag == 'O')
      write(tag == 'P' ? "*const " : "*mut "), type();
    else if (tag == 'A' || tag == 'S')
      array(tag == 'A');
    else if (tag == 'T')
      tuple();
    else if (tag == 'F')
      binder([this] { function(); });
    else if (tag == 'D')
      dynamic();
    else if (tag == 'B')
      again([this] { type(); });
    else
      at_--, path(false);
    leave();
  }

  void reference(bool is_mutable) {
    write("&");
    if (take('L')) {
      if (const uint64_t index = base_62(); index != 0) lifetime(index), write(" ");
    }
    if (is_mutable) write("mut ");
    type();
  }

  void array(bool has_size) {
    write("[");
    type();
    if (has_size) write("; "), constant();
    write("]");
  }

  void tuple() {
    write("(");
    if (list([this] { type(); }) == 1) write(",");
    write(")");
  }

  void function() {
    if (take('U')) write("unsafe ");
    if (take('K')) {
      std::string abi = take('C') ? "C" : std::string(identifier().text);
      std::replace(abi.begin(), abi.end(), '_', '-');
      write("extern \"" + abi + "\" ");
    }
    write("fn(");
    list([this] { type(); });
    write(")");
    if (take('u')) return;
    write(" -> ");
    type();
  }

  void dynamic() {
    write("dyn ");
    binder([this] {
      for (size_t i = 0; !failed_ && !take('E'); i++) {
        if (i != 0) write(" + ");
        dynamic_trait();
      }
    });
    if (!take('L')) failed_ = true;
    if (const uint64_t index = base_62(); index != 0) write(" + "), lifetime(index);
  }

  void dynamic_trait() {
    if (!enter()) return;
    bool open = open_path(false, true);
    while (take('p')) {
      write(open ? ", " : "<");
      open = true;
      write(identifier().text);
      write(" = ");
      type();
    }
    if (open) write(">");
    leave();
  }

  // Numbers, characters, truth. Others (structures, strings) are rare, and the name is refused.
  void constant() {
    if (!enter()) return;
    const char tag = next();
    if (tag == 'p')
      write("_");
    else if (tag == 'B')
      again([this] { constant(); });
    else
      number(tag);
    leave();
  }

  void number(char tag) {
    static constexpr std::string_view kNumbers = "hjmotyailnsx", kWithSign = "ailnsx";
    if (kWithSign.find(tag) != std::string_view::npos && take('n')) write("-");
    const size_t begin = at_;
    while (is_hex(peek())) at_++;
    const std::string_view digits = text_.substr(std::min(begin, text_.size()), at_ - begin);
    uint64_t value = 0;
    const bool fits =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16).ec != std::errc::result_out_of_range;
    if (!take('_')) failed_ = true;
    if (tag == 'b' && value <= 1)
      write(value == 1 ? "true" : "false");
    else if (tag == 'c' && value >= ' ' && value < 127)
      write({'\'', static_cast<char>(value), '\''});
    else if (tag == 'c' && fits)
      write("'\\u{" + std::string(digits) + "}'");
    else if (kNumbers.find(tag) != std::string_view::npos)
      write(fits ? std::to_string(value) : "0x" + std::string(digits));
    else
      failed_ = true;
  }

  void write(std::initializer_list<char> letters) { write(std::string_view(letters.begin(), letters.size())); }

  std::string_view text_;
  size_t most_bytes_, at_ = 0;
  std::string out_;
  uint64_t bound_ = 0;  // lifetimes
  unsigned depth_ = 0, steps_ = 0;
  bool silent_ = false, failed_ = false;
};

// "$LT$" is '<', "$u20$" a space, ".." is "::". What is none of these stays.
std::string without_escapes(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"$SP$", "@"},  {"$BP$", "*"},  {"$RF$", "&"},  {"$LT$", "<"},  {"$GT$", ">"},   {"$LP$", "("},  {"$RP$", ")"},
      {"$C$", ","},   {"$u20$", " "}, {"$u27$", "'"}, {"$u3d$", "="}, {"$u5b$", "["},  {"$u5d$", "]"}, {"$u7b$", "{"},
      {"$u7d$", "}"}, {"$u7e$", "~"}, {"$u3b$", ";"}, {"$u2b$", "+"}, {"$u22$", "\""}, {"..", "::"}};
  std::string plain;
  while (!text.empty()) {
    const auto *const found = std::find_if(std::begin(kEscapes), std::end(kEscapes),
                                           [&](const auto &one) { return text.starts_with(one.first); });
    const bool is_part = plain.empty() || plain.ends_with("::");
    if (found != std::end(kEscapes)) {
      plain += found->second;
      text.remove_prefix(found->first.size());
    } else if (is_part && text.starts_with("_$")) {
      text.remove_prefix(1);  // a name cannot begin with '$'
    } else {
      plain += text.front();
      text.remove_prefix(1);
    }
  }
  return plain;
}

}  // namespace

std::optional<std::string> rust_name(std::string_view mangled, size_t most_bytes) {
  if (!mangled.starts_with("_R")) return std::nullopt;
  return Demangler(mangled.substr(2), most_bytes).name();
}

std::string without_rust_hash(std::string name) {
  constexpr size_t kDigits = 16;
  const size_t at = name.rfind("::h");
  if (at == std::string::npos || name.size() != at + 3 + kDigits) return name;
  if (!std::all_of(name.begin() + static_cast<std::ptrdiff_t>(at) + 3, name.end(), is_hex)) return name;
  return without_escapes(std::string_view(name).substr(0, at));
}

}  // namespace strata
