// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// One function per kind of value, so that a unit is handled in one place.
#include "render/value.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/format.h"
#include "base/shell.h"
#include "base/text.h"

namespace strata {
namespace {

std::string unsigned_text(Unit unit, uint64_t number, const Clocks &clocks) {
  switch (unit) {
    case Unit::kNs:
      return scaled_ns(number);
    case Unit::kBytes:
      return scaled_bytes(number);
    case Unit::kHex:
      return formatted("{:#x}", number);
    case Unit::kPercent:
      return formatted("{}%", number);
    case Unit::k32nds:
      return scaled_ns(number * 31'250'000);
    case Unit::kWallNs:
      return clocks.wall_text(number);
    case Unit::kNone:
    case Unit::kStack:
    case Unit::kWords:
    case Unit::kOffset:
    case Unit::kSector:
      return formatted("{}", number);
  }
  return "";
}

bool is_negative_number(std::string_view text) {
  return text.size() > 1 && text[0] == '-' && text.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

// What a spreadsheet takes for a formula is in quotes, of words the first one; so is what begins with a quote, or cells
// that differ could look alike.
std::string no_formula(Unit unit, std::string_view text) {
  const bool words = unit == Unit::kWords;
  if (text.find_first_of(words ? "=+-@" : "=+-@'") != 0 || (!words && is_negative_number(text)))
    return safe_text(unit, text);
  if (!words) return in_shell_quotes(text);
  const size_t end = text.find('\0');
  if (end == std::string_view::npos) return safe_text(unit, text);
  const std::string rest = shell_line(text.substr(end + 1));
  return in_shell_quotes(text.substr(0, end)) + (rest.empty() ? "" : " ") + rest;
}

struct ToText {
  Unit unit;
  const Clocks &clocks;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(uint64_t number) const { return unsigned_text(unit, number, clocks); }
  std::string operator()(int64_t number) const {
    const uint64_t magnitude = number < 0 ? 0 - static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
    return (number < 0 ? "-" : "") + unsigned_text(unit, magnitude, clocks);
  }
  std::string operator()(double number) const {
    return unit == Unit::kPercent ? percent_text(number) : formatted("{:.2f}", number);
  }
  std::string operator()(bool flag) const { return flag ? "yes" : "no"; }
  std::string operator()(const std::string &text) const { return safe_text(unit, text); }
  std::string operator()(const LazyText &code) const { return printable(code.str()); }
};

struct ToExact {
  Unit unit;

  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool flag) const { return flag ? "true" : "false"; }
  std::string operator()(const std::string &text) const { return no_formula(unit, text); }
  std::string operator()(const LazyText &code) const { return printable(code.str()); }
  template <typename Number>
  std::string operator()(Number number) const {
    return formatted("{}", number);
  }
};

// What a heading calls a column, where the key is short; nothing, where its values say what they are.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {{"lat_ns", "latency"},
                                                                    {"dur_ns", "time"},
                                                                    {"rtt_ns", "round-trip time"},
                                                                    {"second_part", "offset in the second"},
                                                                    {"queue_ns", "time in queue"},
                                                                    {"tgid", "process"},
                                                                    {"tid", "thread"},
                                                                    {"dev", "device"},
                                                                    {"waiting", "waiting threads"},
                                                                    {"cpu", "CPU"},
                                                                    {"irq", "IRQ"},
                                                                    {"netns", "network namespace"},
                                                                    {"pidns", "PID namespace"},
                                                                    {"time", "time in"},
                                                                    {"cpu_state", "threads"},
                                                                    {"fs", "file system"},
                                                                    {"operation", ""},
                                                                    {"flags", ""},
                                                                    {"call", ""},
                                                                    {"comm", ""},
                                                                    {"name", ""},
                                                                    {"value", ""}};

std::string words_of(const Field &column) {
  const auto is_it = [&](const auto &one) { return one.first == column.key; };
  const auto *found = std::find_if(std::begin(kWords), std::end(kWords), is_it);
  return found == std::end(kWords) ? label_of(column) : std::string(found->second);
}

}  // namespace

std::vector<std::string_view> frames_of(std::string_view stack) {
  if (stack.ends_with('\n')) stack.remove_suffix(1);
  return stack.empty() ? std::vector<std::string_view>() : split(stack, '\n');
}

std::string lost_text(const Loss &loss) {
  return "lost " + std::to_string(loss.count) + ": " + printable(text_of(loss));
}

std::string safe_text(Unit unit, std::string_view text) {
  return unit == Unit::kWords ? shell_line(text) : distinct(text);
}

std::string value_text(const Field &column, const Value &value, const Clocks &clocks) {
  std::string text = std::visit(ToText{column.unit, clocks}, value);
  return text.empty() && is_text(value) ? std::string(column.if_empty) : text;
}

Value stored(const Field &column, const Value &value, const Clocks &clocks) {
  const auto *number = std::get_if<uint64_t>(&value);
  return number && column.unit == Unit::kWallNs ? Value(clocks.wall_ns(*number)) : value;
}

std::string exact_text(const Field &column, const Value &value, const Clocks &clocks) {
  if (const auto *text = std::get_if<std::string>(&value); text && column.unit == Unit::kStack) {
    std::string line = *text;
    std::replace(line.begin(), line.end(), '\n', ';');
    return printable(line);
  }
  return std::visit(ToExact{column.unit}, stored(column, value, clocks));
}

std::string keys_text(const std::vector<NamedValue> &keys, const Clocks &clocks) {
  std::string text;
  for (const auto &[column, value] : keys)
    text += (text.empty() ? "" : ", ") + label_of(*column) + " " + value_text(*column, value, clocks);
  return text;
}

std::string distribution_name(const Field &column, const std::vector<NamedValue> &keys, const Clocks &clocks) {
  std::string text = words_of(column);
  const char *before = text.empty() ? "" : " of ";
  for (const auto &[key, value] : keys) {
    if (key->hidden) continue;  // says what another key says already
    const std::string words = words_of(*key);
    text += std::exchange(before, ", ") + words + (words.empty() ? "" : " ") + value_text(*key, value, clocks);
  }
  return text;
}

std::string time_of_interval(const Clocks &clocks, uint64_t from_ns, uint64_t to_ns) {
  return clocks.wall_text(to_ns).substr(0, to_ns - from_ns < 1'000'000'000 ? 12 : 8);
}

std::string label_of(const Field &column) {
  std::string_view label = column.key;
  for (const std::string_view unit : {"_ns", "_bytes", "_percent"}) {
    if (label.ends_with(unit)) label.remove_suffix(unit.size());
  }
  std::string text(label);
  for (char &c : text) c = c == '_' ? ' ' : c;
  return text;
}

}  // namespace strata
