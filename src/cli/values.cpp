// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the parts of a command line mean; every message names the option, the value and what is permitted.
#include "cli/values.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "base/error.h"
#include "base/nearest.h"
#include "base/program.h"
#include "base/shell.h"
#include "base/text.h"
#include "cli/peers.h"
#include "cli/words.h"

namespace strata {
namespace {

std::string in_quotes(std::string_view text) { return "'" + printable(text) + "'"; }

std::string range_text(const Option &option) {
  const bool duration = option.kind == OptionKind::kDuration || option.kind == OptionKind::kTime;
  const auto text = [&](uint64_t bound) { return duration ? scaled_ns(bound) : std::to_string(bound); };
  if (option.high == UINT64_MAX) return option.low == 0 ? "" : " of at least " + text(option.low);
  return " from " + text(option.low) + " to " + text(option.high);
}

[[noreturn]] void reject_value(const Option &option, std::string_view value) {
  const char *what = option.kind == OptionKind::kDuration ? "a duration" : "a number";
  std::string expected = what + range_text(option);
  if (option.named != nullptr) expected = std::string(option.names) + " or " + expected;
  if (option.kind == OptionKind::kTime) expected = "a time with its unit, such as 50us or 10ms, or 0; at most 1h";
  if (option.kind == OptionKind::kOneIn) expected = "1/N, or N alone, with N" + range_text(option);
  throw usage_error("--" + std::string(option.name) + " takes " + expected + ", not " + in_quotes(value));
}

uint64_t checked_number(const Option &option, std::string_view text) {
  uint64_t number = 0;
  bool valid = false;
  if (option.kind == OptionKind::kDuration) {
    valid = parse_duration_ns(text, number);
  } else if (option.kind == OptionKind::kTime) {
    const bool has_unit = text.find_first_not_of("0123456789.") != std::string_view::npos;
    valid = parse_duration_ns(text, number) && (has_unit || number == 0);
  } else if (option.kind == OptionKind::kOneIn) {
    valid = parse_number(text.starts_with("1/") ? text.substr(2) : text, number);
  } else {
    valid = parse_number(text, number);
  }
  if (!valid && option.named != nullptr) valid = option.named(text, number);
  if (!valid || number < option.low || number > option.high) reject_value(option, text);
  return number;
}

void check_word(const std::string &what, std::string_view choices, std::string_view word) {
  const auto words = words_of(choices);
  if (std::find(words.begin(), words.end(), word) != words.end()) return;
  throw usage_error(what + " must be one of " + comma_list(words) + ", not " + in_quotes(word) + meant(word, words));
}

// Of an option that is given several times: values of a list add up.
bool adds_up(const Option &option) {
  return option.kind == OptionKind::kNumbers || option.kind == OptionKind::kTexts || option.value.ends_with(",...");
}

// What was given, once: all values of a list, else a single one.
std::vector<std::string> given_values(const Option &option, std::span<const std::string> given) {
  if (option.kind == OptionKind::kText && adds_up(option)) return {join(given, ",")};
  if (adds_up(option) || option.value.empty()) return {given.begin(), given.end()};
  for (const std::string &value : given) {
    if (value == given.front()) continue;
    throw usage_error("--" + std::string(option.name) + " is given twice, as " + in_quotes(given.front()) + " and as " +
                      in_quotes(value) + ": take one of the two");
  }
  return {given.front()};
}

// One value of one option: text as it stands, or the number that it is.
void take_value(const Option &option, const std::string &value, std::vector<std::string> &texts,
                std::vector<uint64_t> &numbers) {
  switch (option.kind) {
    case OptionKind::kSwitch:
      return;
    case OptionKind::kNumber:
    case OptionKind::kOneIn:
    case OptionKind::kDuration:
    case OptionKind::kTime:
      numbers.push_back(checked_number(option, value));
      return;
    case OptionKind::kNumbers:
      for (const std::string_view part : split_commas(value)) numbers.push_back(checked_number(option, part));
      return;
    case OptionKind::kChoice:
      check_word("--" + std::string(option.name), option.value, value);
      [[fallthrough]];
    case OptionKind::kText:
    case OptionKind::kTexts:
    case OptionKind::kCommand:
      if (value.empty() && !option.is_value) throw usage_error("--" + std::string(option.name) + " needs a value");
      texts.push_back(value);
  }
}

// "(did you mean '--exit'?)" of a long one: of letters each is as near as the next.
std::string meant_by(const Syntax &syntax, const std::string &word) {
  std::vector<std::string> names;
  for (const Option &option : all_options(syntax)) names.push_back("--" + std::string(option.name));
  const std::string name = word.substr(0, word.find('='));
  std::string hint = option_of_other_shape(name, syntax.common_options);
  return hint.empty() && word.starts_with("--") ? meant(name, names) : hint;
}

// What is near to none of ours, of a tool that has a program, is left to that.
bool is_parameter(const Syntax &syntax, const std::string &word) {
  return (syntax.common_options & kHasParameters) != 0 && word.starts_with("--") && meant_by(syntax, word).empty();
}

// What to write where a command was given as if strata were time(1) or strace(1).
std::string as_command(const Syntax &syntax, const std::string &word) {
  std::string path;
  if (!(syntax.common_options & kHasCommand) || find_program(word, path) != 0) return "";
  return " (a command goes behind --: " + std::string(syntax.program) + " -- " + shell_quoted(word) + ")";
}

// An operand that is too many may be the value of an option that has swallowed another suite's letters: -cP 80.
std::string all_hints(const Raw &raw) {
  std::string all;
  for (const auto &[name, hint] : raw.hints) all += hint;
  return all;
}

// Operands that are options become these, before any value is looked at.
void take_operands(const Syntax &syntax, Raw &raw) {
  const auto parameters = std::stable_partition(raw.rest.begin(), raw.rest.end(),
                                                [&](const std::string &word) { return !is_parameter(syntax, word); });
  raw.parameters.assign(parameters, raw.rest.end());
  raw.rest.erase(parameters, raw.rest.end());
  for (const std::string &operand : raw.rest)
    if (operand.size() > 1 && operand[0] == '-')
      throw usage_error("no such option: " + in_quotes(operand) + meant_by(syntax, operand));
  std::vector<std::string> others;
  for (size_t i = 0; i < raw.rest.size(); i++) {
    const std::string &given = raw.rest[i];
    const bool known = i < syntax.operands.size() || (!syntax.operands.empty() && syntax.operands.back().several);
    const std::string option(i < syntax.operands.size() ? syntax.operands[i].option : "");
    if (!known || (!option.empty() && !std::isdigit(static_cast<unsigned char>(given[0])))) {
      const std::string command = as_command(syntax, given);
      throw usage_error("unexpected operand " + in_quotes(given) + (command.empty() ? all_hints(raw) : command));
    }
    if (option.empty()) {
      others.push_back(given);
      continue;
    }
    const bool bare = given.find_first_not_of("0123456789.") == std::string::npos;
    const std::string value = given + std::string(bare ? syntax.operands[i].unit : "");
    raw.options[syntax.operands[i].option].push_back(value);
    if (const std::string hints = all_hints(raw); !hints.empty()) raw.hints.try_emplace(option, hints);
    raw.ours.push_back("--" + option + "=" + value);
    raw.translated = true;
  }
  raw.rest = std::move(others);
}

// What the tool's name stands for is given, too, unless another value was.
void take_implied(std::span<const Option> options, std::string_view implied, Raw &raw) {
  const std::string words[] = {std::string(implied)};
  for (auto &[name, values] : read_words(options, {}, words).options) {
    const auto option = find_option(options, name, false);
    std::vector<std::string> &given = raw.options[name];
    if (!given.empty() && !adds_up(*option)) continue;
    given.insert(given.begin(), values.front());
    raw.ours.insert(raw.ours.begin(), words[0]);
    raw.translated = true;
  }
}

// A name may be another number's where a recording is replayed.
void by_number(const Option &option, const std::string &value, uint64_t number, Raw &raw) {
  uint64_t same = 0;
  if (parse_number(value, same)) return;
  std::ranges::replace(raw.ours, as_word(option, value), as_word(option, std::to_string(number)));
  raw.translated = true;
}

void check_operands(const Syntax &syntax, std::span<const std::string> given) {
  for (size_t i = 0; i < syntax.operands.size(); i++) {
    const Operand &operand = syntax.operands[i];
    const std::string name(operand.name);
    if (i >= given.size()) {
      if (operand.required) throw usage_error("missing operand: " + name);
    } else if (operand.words) {
      check_word("the operand", operand.name, given[i]);
    }
  }
}

}  // namespace

const Values::Entry &Values::at(std::string_view name) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw std::logic_error("option not declared: " + std::string(name));
  return found->second;
}

bool Values::given(std::string_view name) const {
  const auto found = entries_.find(name);  // an option that the tool does not take was not given
  return found != entries_.end() && found->second.given;
}

uint64_t Values::number(std::string_view name) const {
  const Entry &entry = at(name);
  return entry.numbers.empty() ? 0 : entry.numbers.back();
}

uint64_t Values::duration_ns(std::string_view name) const { return number(name); }

const std::string &Values::text(std::string_view name) const {
  static const std::string kNone;
  const Entry &entry = at(name);
  return entry.texts.empty() ? kNone : entry.texts.back();
}

const std::vector<std::string> &Values::texts(std::string_view name) const { return at(name).texts; }

const std::vector<uint64_t> &Values::numbers(std::string_view name) const { return at(name).numbers; }

const std::string &Values::operand(size_t index) const {
  static const std::string kNone;
  return index < operands_.size() ? operands_[index] : kNone;
}

std::string Values::hint(std::string_view name) const {
  const auto found = hints_.find(name);
  return found == hints_.end() ? "" : found->second;
}

bool any_given(const Values &values, std::initializer_list<std::string_view> options) {
  return std::any_of(options.begin(), options.end(), [&](std::string_view option) { return values.given(option); });
}

bool any_holds(const Values &values, std::string_view conditions) {
  const auto holds = [&](std::string_view condition) {
    if (condition.starts_with('!')) return !values.given(condition.substr(1));
    const size_t equals = condition.find('=');
    if (equals == std::string_view::npos) return values.given(condition);
    const std::vector<std::string_view> words = split_commas(values.text(condition.substr(0, equals)));
    return std::find(words.begin(), words.end(), condition.substr(equals + 1)) != words.end();
  };
  const std::vector<std::string_view> all = words_of(conditions);
  return std::any_of(all.begin(), all.end(), holds);
}

void reject_options(const Values &values, std::initializer_list<std::string_view> options, std::string_view why) {
  for (const std::string_view option : options)
    if (values.given(option))
      throw usage_error("--" + std::string(option) + " " + std::string(why) + values.hint(option));
}

uint32_t bits_given(const Values &values, std::initializer_list<std::string_view> options) {
  uint32_t bits = 0, bit = 1;
  for (const std::string_view option : options) {
    if (values.given(option)) bits |= bit;
    bit <<= 1;
  }
  return bits;
}

uint32_t bits_named(const Values &values, std::string_view option, std::span<const std::string_view> names) {
  uint32_t bits = 0;
  if (!values.given(option)) return bits;
  for (const std::string_view name : split_commas(values.text(option))) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      throw usage_error("--" + std::string(option) + " takes some of " + comma_list(names) + ", not " +
                        in_quotes(name) + meant(name, names));
    }
    bits |= 1U << (at - names.begin());
  }
  return bits;
}

constexpr std::string_view kAsking[] = {"help", "version", "man"};

// Of an option that is one. It is recorded as the command alone.
std::vector<std::string> command_of(const Option &option, const std::string &line, Raw &raw) {
  ShellWords found = shell_words(line);
  const std::string name = "--" + std::string(option.name);
  if (!found.closed) throw usage_error(name + " has a quote that is not closed: " + printable(line));
  if (found.words.empty()) throw usage_error(name + " needs a value");
  if (found.shells != '\0')
    throw usage_error(name + " runs no shell, which " + found.shells + " is for (try: " + name +
                      " \"sh -c '...'\", or quote it)");
  std::erase(raw.ours, as_word(option, line));
  raw.translated = true;
  return std::move(found.words);
}

// In the words behind `--`.
auto find_command(const Syntax &syntax, std::span<const std::string> words) {
  if (!(syntax.common_options & kHasCommand)) throw usage_error("no command can be given after '--'");
  if (words.empty()) throw usage_error("missing command after '--'");
  if (!(syntax.common_options & kHasParameters)) return words.begin();
  return std::ranges::find_if_not(words, [](const std::string &word) { return word.starts_with('-'); });
}

Values parse_arguments(const Syntax &syntax, std::span<const std::string> arguments) {
  const size_t own = static_cast<size_t>(std::find(arguments.begin(), arguments.end(), "--") - arguments.begin());
  std::vector<Option> options = all_options(syntax);
  options.insert(options.end(), hidden_options().begin(), hidden_options().end());
  const std::vector<Peer> peers = peers_of(syntax.tool, syntax.common_options & kHasFilters);
  Raw raw = read_words(options, peers, arguments.first(own));
  const bool only_asks = std::ranges::any_of(kAsking, [&](auto name) { return raw.options.contains(name); });
  if (!only_asks) take_operands(syntax, raw);
  if (!syntax.implied.empty()) take_implied(options, syntax.implied, raw);

  Values values;
  for (const Option &option : options) {
    Values::Entry &entry = values.entries_[std::string(option.name)];
    const auto given = raw.options.find(option.name);
    entry.given = given != raw.options.end();
    if (!entry.given && option.default_value.empty()) continue;
    const std::vector<std::string> fallback = {std::string(option.default_value)};
    try {
      for (const std::string &value : entry.given ? given_values(option, given->second) : fallback) {
        take_value(option, value, entry.texts, entry.numbers);
        if (option.kind == OptionKind::kCommand) values.command_ = command_of(option, value, raw);
        if (entry.given && option.named != nullptr) by_number(option, value, entry.numbers.back(), raw);
      }
    } catch (const Error &error) {
      throw usage_error(error.what() + raw.hints[std::string(option.name)]);
    }
  }
  values.hints_ = std::move(raw.hints);
  values.arguments_.assign(arguments.begin(), arguments.begin() + static_cast<ptrdiff_t>(own));
  values.translated_ = raw.translated;
  if (raw.translated) {
    values.arguments_ = std::move(raw.ours);
    values.arguments_.insert(values.arguments_.end(), raw.rest.begin(), raw.rest.end());
  }
  if (only_asks) return values;
  check_operands(syntax, raw.rest);
  values.operands_ = std::move(raw.rest);
  values.parameters_ = std::move(raw.parameters);
  if (own == arguments.size()) return values;
  const auto behind = arguments.subspan(own + 1);
  const auto command = find_command(syntax, behind);
  values.parameters_.insert(values.parameters_.end(), behind.begin(), command);
  if (command == behind.end()) return values;
  if (!values.command_.empty()) throw usage_error("a command is given twice, by an option and behind '--'");
  values.command_.assign(command, behind.end());
  return values;
}

}  // namespace strata
