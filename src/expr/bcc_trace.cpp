// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/bcc_trace.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "expr/bcc_probe.h"

namespace strata::expr {
namespace {

// A string of the language.
std::string quoted(std::string_view text) {
  std::string made = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') made += '\\';
    made += c;
  }
  return made + "\"";
}

// %ld and the like: what bcc takes the value for.
std::string integer_of(std::string_view lengths, char conversion) {
  const char *bits = lengths == "hh" ? "8" : lengths == "h" ? "16" : lengths.empty() ? "32" : "64";
  return std::string(conversion == 'd' || conversion == 'i' ? "(int" : "(uint") + bits + ")";
}

class Trace {
 public:
  Trace(const Source &source, const BccTrace &options) : source_(source), options_(options) {}

  std::string probe() {
    place_ = bcc_place(source_, BccNaming::kOffset);
    const std::vector<Token> tokens = bcc_tokens(source_, place_.at.to);
    rest_ = tokens;
    names_ = bcc_signature(source_, place_, rest_);
    std::erase_if(names_, [](const auto &name) { return name.first.starts_with("$entry("); });
    const std::string text = place_.probe() + " " + place_.predicate(condition()) + "{ ";
    BccLine line = columns();
    message(line);
    line.add_stacks(options_.kernel_stack, options_.user_stack);
    return text + (options_.aggregate ? aggregation(line) : line.statement(options_.rows)) + "}\n";
  }

 private:
  std::string condition() {
    std::string all;
    const auto add_condition = [&](const std::string &one) { all += (all.empty() ? "" : " && ") + one; };
    if (options_.uid >= 0) add_condition("uid == " + std::to_string(options_.uid));
    if (!options_.name.empty()) add_condition("strcontains(comm, " + quoted(options_.name) + ")");
    if (!rest_.empty() && rest_.front().is("("))
      add_condition("(" + bcc_expression(source_, bcc_parenthesis(source_, rest_), names_).text + ")");
    return all;
  }

  [[nodiscard]] BccLine columns() const {
    BccLine made;
    if (options_.time) made.add("%-8s ", "strftime(\"%H:%M:%S\", nsecs)");
    if (options_.unix_time) {
      made.add("%-17s ", "strftime(\"%s.%f\", nsecs)");
    } else if (options_.elapsed) {
      made.add("%d.", "elapsed / 1000000000");
      made.add("%06d ", "elapsed % 1000000000 / 1000");
    }
    if (options_.cpu) made.add("%-3d ", "cpu");
    made.add("%-7d ", "pid", "tgid");
    made.add("%-7d ", "tid", "tid");
    made.add("%-15s ", "comm", "comm");
    made.add_owners(options_.owners);
    made.add("%-16s", place_.function(), "function");
    made.data = {{"time_ns", "nsecs"}, {"cpu", "cpu"}};
    return made;
  }

  // "format", values
  void message(BccLine &line) {
    if (rest_.empty()) return;
    const Token &format = rest_.front();
    if (format.kind != Token::Kind::kString)
      throw source_.error(format.at, "expected (a condition), or the message: \"%d bytes\", arg3");
    rest_ = rest_.subspan(1);
    if (!rest_.empty() && !rest_.front().is(","))
      throw source_.error(rest_.front().at, "expected ',' and the values of the message");
    bcc_until(rest_, ",");
    std::string_view text = source_.at({format.at.from + 1, format.at.to - 1});
    line.format += " ";
    size_t wanted = 0, given = rest_.empty() ? 0 : 1;
    for (std::span<const Token> left = rest_; !left.empty(); given += left.empty() ? 0 : 1) bcc_until(left, ",");
    while (!text.empty()) {
      const size_t percent = std::min(text.find('%'), text.size());
      line.format += text.substr(0, percent);
      text.remove_prefix(percent);
      if (text.starts_with("%%")) {
        line.format += "%%";
        text.remove_prefix(2);
      } else if (!text.empty()) {
        wanted++;
        conversion(format, text, line);
      }
    }
    if (wanted != given)
      throw source_.error(
          format.at, "the message has " + std::to_string(wanted) + " values, and there are " + std::to_string(given));
  }

  // The first of the text, which begins with %, and the first of the values.
  void conversion(const Token &format, std::string_view &text, BccLine &line) {
    const size_t flags = std::min(text.find_first_not_of("-+ #0123456789.", 1), text.size());
    const size_t end = std::min(text.find_first_not_of("hlzjt", flags), text.size() - 1);
    const char kind = text[end];
    std::string_view lengths = text.substr(flags, end - flags);
    if (end == 0) throw source_.error(format.at, "the message ends within a %; a percent sign is %%");
    if (std::string_view("diuxXcpsKU").find(kind) == std::string_view::npos)
      throw source_.error(format.at, "no %" + printable(std::string(1, kind)) +
                                         " is known in a message; there are %d %u %x %c %p %s %K %U");
    const std::string_view start = text.substr(0, flags);
    const std::span<const Token> tokens = bcc_until(rest_, ",");
    const BccValue value = bcc_expression(source_, tokens, names_);
    const std::string key = std::string(kMessageKey) + name_of(tokens, value);
    text.remove_prefix(end + 1);
    if (kind == 's') return line.add(std::string(start) + "s", string_of(value), key);
    if (kind == 'K' || kind == 'U')
      return line.add(std::string(start) + "s", std::string(kind == 'K' ? "ksym(" : "usym(") + value.text + ")", key);
    const bool as_it_is = kind == 'c' || kind == 'p';
    line.add(std::string(start) + kind, as_it_is ? value.text : integer_of(lengths, kind) + "(" + value.text + ")",
             key);
  }

  // As it was typed, without where it lies: "arg2" of arg2@user.
  [[nodiscard]] std::string name_of(std::span<const Token> tokens, const BccValue &value) const {
    if (tokens.empty()) return "";
    const std::string_view name = source_.at({tokens.front().at.from, tokens.back().at.to});
    return std::string(name.substr(0, value.in_user_space ? name.rfind('@') : name.size()));
  }

  [[nodiscard]] std::string string_of(const BccValue &value) const {
    const std::string size = options_.string_size == 0 ? "" : ", " + std::to_string(options_.string_size);
    return (value.in_user_space ? "ustr(" : "str(") + value.text + size + ")";
  }

  // Two processors that count at once may count one more than the most.
  [[nodiscard]] std::string aggregation(const BccLine &line) const {
    const std::string count = "@[" + line.list() + "] = count(); ", most = std::to_string(options_.most);
    if (options_.most == 0) return count;
    return "if (@lines[0] < " + most + ") { " + count + "@lines[0]++; if (@lines[0] >= " + most + ") { exit(); } } ";
  }

  const Source &source_;
  const BccTrace &options_;
  BccPlace place_;
  BccNames names_;
  std::span<const Token> rest_;
};

}  // namespace

std::string trace_program(std::span<const std::string> probes, const BccTrace &options) {
  std::string header;
  if (options.time) header += "TIME     ";
  if (options.unix_time || options.elapsed) header += options.unix_time ? "TIME              " : "TIME     ";
  if (options.cpu) header += "CPU ";
  std::string text;
  if (!options.aggregate)
    text = "begin { print(\"" + header + "PID     TID     COMM            " + titles_of(options.owners) +
           "FUNC             -\"); }\n";
  for (const std::string &probe : probes) {
    const Source source("PROBE", probe);
    text += Trace(source, options).probe();
  }
  if (options.aggregate && options.most != 0) text += "end { clear(@lines); }\n";
  return text;
}

}  // namespace strata::expr
