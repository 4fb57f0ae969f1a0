// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/sql_shape.h"

#include <algorithm>
#include <cstddef>

#include "base/text.h"

namespace strata {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) {
  return is_digit(c) || c == '_' || c == '$' || (lower(c) >= 'a' && lower(c) <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

class Shape {
 public:
  Shape(std::string_view sql, SqlDialect dialect) : sql_(sql), is_mysql_(dialect == SqlDialect::kMysql) {}

  std::string made() {
    while (at_ < sql_.size()) take();
    while (out_.ends_with(' ') || out_.ends_with(';')) out_.pop_back();
    return std::move(out_);
  }

 private:
  [[nodiscard]] char next(size_t ahead = 0) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }
  [[nodiscard]] bool is_here(std::string_view text) const { return sql_.substr(at_).starts_with(text); }
  void skip_to(std::string_view end) {  // behind it; all, without one
    const size_t found = sql_.find(end, at_);
    at_ = found == sql_.npos ? sql_.size() : found + end.size();
  }

  void take() {
    const char c = next();
    if (is_space(c) || c == '\0') {
      ++at_;
      add_space();
    } else if (is_here("--") || (is_mysql_ && c == '#')) {
      skip_to("\n");
      add_space();
    } else if (is_here("/*")) {
      take_comment();
    } else if (c == '\'' || (is_mysql_ && c == '"')) {
      take_string(c);
    } else if (c == '"' || c == '`') {
      take_name(c);
    } else if (is_digit(c) || (c == '.' && is_digit(next(1)))) {
      take_number();
    } else if (c == '$' && !is_mysql_ && !is_digit(next(1))) {
      take_dollars();
    } else if (is_word(c)) {
      take_word();
    } else {
      out_ += c;
      ++at_;
    }
  }

  void add_space() {
    if (!out_.empty() && !out_.ends_with(' ')) out_ += ' ';
  }

  // A minus behind something that is no value is the number's: two statements that differ by it are one.
  void drop_sign() {
    if (!out_.ends_with('-')) return;
    const std::string_view before = std::string_view(out_).substr(0, out_.size() - 1);
    const size_t last = before.find_last_not_of(' ');
    if (last == before.npos || std::string_view("=+-*/(,<>%|").find(before[last]) != std::string_view::npos)
      out_.pop_back();
  }

  // ?, ?, ? of a list is one ?.
  void add_value() {
    size_t end = out_.size();
    while (end != 0 && out_[end - 1] == ' ') --end;
    if (end != 0 && out_[end - 1] == ',') {
      size_t before = end - 1;
      while (before != 0 && out_[before - 1] == ' ') --before;
      if (before != 0 && out_[before - 1] == '?') {
        out_.resize(before);
        return;
      }
    }
    out_ += '?';
  }
  void cut() {
    add_value();
    at_ = sql_.size();
  }

  // PostgreSQL's may contain others, MySQL's do not: which ends it is not asked.
  void take_comment() {
    const size_t end = sql_.find("*/", at_ + 2), other = sql_.find("/*", at_ + 2);
    if (other < end && end != sql_.npos) return cut();
    skip_to("*/");
    add_space();
  }

  // A quote that is doubled is a part of it. Behind a backslash it is or is not, by the server's settings.
  void take_string(char quote) {
    size_t backslashes = 0;
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == '\\') {
        ++backslashes;
        continue;
      }
      const bool is_unsure = backslashes % 2 != 0;
      backslashes = 0;
      if (sql_[at_] != quote) continue;
      if (is_unsure) return cut();
      if (next(1) != quote) break;
      ++at_;
    }
    at_ = std::min(at_ + 1, sql_.size());
    add_value();
  }

  void take_name(char quote) {
    const size_t end = sql_.find(quote, at_ + 1);
    const size_t to = end == sql_.npos ? sql_.size() : end + 1;
    out_ += sql_.substr(at_, to - at_);
    at_ = to;
  }

  void take_number() {
    while (at_ < sql_.size() && (is_word(next()) || next() == '.')) {
      const bool is_exponent = lower(next()) == 'e' && (next(1) == '-' || next(1) == '+') && is_digit(next(2));
      at_ += is_exponent ? 3 : 1;
    }
    drop_sign();
    add_value();
  }

  // $tag$ ... $tag$
  void take_dollars() {
    size_t end = at_ + 1;
    while (end < sql_.size() && is_word(sql_[end]) && sql_[end] != '$') ++end;
    if (end == sql_.size()) return cut();  // it may be one
    if (sql_[end] != '$') {
      out_ += sql_[at_++];
      return;
    }
    const std::string tag(sql_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    skip_to(tag);
    add_value();
  }

  // One that a string follows says of what kind that is: N'...', E'...', X'...'.
  void take_word() {
    const size_t from = at_;
    while (at_ < sql_.size() && is_word(next())) ++at_;
    if (next() != '\'' || at_ - from > 1) out_ += sql_.substr(from, at_ - from);
  }

  const std::string_view sql_;
  const bool is_mysql_;
  size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string sql_shape(std::string_view sql, SqlDialect dialect) { return Shape(sql, dialect).made(); }

}  // namespace strata
