// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/completion.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>
#include <vector>

#include "base/lines.h"
#include "base/text.h"
#include "kern/cgroup.h"
#include "kern/cgroup_owner.h"
#include "kern/users.h"
#include "render/sink.h"
#include "run/histogram.h"
#include "sym/mapped.h"

namespace strata {
namespace {

using Candidate = std::pair<std::string, std::string>;  // a word and what it means
using Candidates = std::vector<Candidate>;

struct Completions {
  std::string_view what = "words";
  Candidates words = {};
};

Candidates without_meaning(const std::vector<std::string> &names) {
  Candidates candidates;
  for (const std::string &name : names) candidates.emplace_back(name, "");
  return candidates;
}

// --- what many tools ask for: the machine's

Candidates processes() {
  Candidates candidates;
  for (const uint32_t tgid : all_processes()) {
    const std::string pid = std::to_string(tgid);
    candidates.emplace_back(pid, first_line("/proc/" + pid + "/comm"));
  }
  return candidates;
}

Candidates names_of_processes() {
  std::set<std::string> names;
  for (const Candidate &process : processes()) names.insert(process.second);
  return without_meaning({names.begin(), names.end()});
}

Candidates units() {
  std::set<std::string> names;
  Cgroups cgroups;
  for (const auto &[id, path] : cgroups.all()) names.insert(owner_of_cgroup(path).unit);
  return without_meaning({names.begin(), names.end()});
}

constexpr std::pair<std::string_view, Candidates (*)()> kMachines[] = {
    {"pid", processes},
    {"comm", names_of_processes},
    {"unit", units},
    {"user", [] { return without_meaning(user_names()); }},
};

// --- values of options

bool is_list(const Option &option) { return option.kind == OptionKind::kNumbers || option.value.ends_with(",..."); }

Candidates columns_to_show(const Tool &tool) {
  Candidates candidates;
  for (const Field &column : columns_of(tool)) candidates.emplace_back(column.key, column.help);
  return candidates;
}

Candidates columns_to_sort_by(const Tool &tool) {
  Candidates candidates;
  for (const View &view : tool.views) {
    const std::vector<Field> shown = columns_of(record_of(view).fields);
    const bool counted = std::holds_alternative<HistogramSpec>(view.shape);
    for (const Field &column : counted ? sortable_of_histograms(shown) : shown)
      if (std::ranges::find(candidates, column.key, &Candidate::first) == candidates.end())
        candidates.emplace_back(column.key, column.help);
  }
  return candidates;
}

Candidates formats_to_choose(const Tool &tool) {
  Candidates candidates;
  for (const std::string_view format : formats_of(tool)) candidates.emplace_back(format, describe_format(format));
  return candidates;
}

Candidates values_of(const Tool &tool, const Option &option) {
  if (option.name == "output") return formats_to_choose(tool);
  if (option.candidates != nullptr) return without_meaning(option.candidates());
  if (option.name == "columns") return columns_to_show(tool);
  if (option.name == "sort") return columns_to_sort_by(tool);
  if (option.kind == OptionKind::kChoice) {
    const std::vector<std::string_view> words = words_of(option.value);
    return without_meaning({words.begin(), words.end()});
  }
  for (const auto &[name, candidates] : kMachines)
    if (name == option.name) return candidates();
  return {};
}

bool names_a_file(const Option &option, std::string_view value) {
  if (option.name == "output") return value.find(':') != std::string_view::npos;
  return option.value == "FILE" || option.value == "PATH";
}

// Of a list only what it does not have yet, behind what it has.
Completions value_completions(const Tool &tool, const Option &option, std::string_view value) {
  if (names_a_file(option, value)) return {.what = "files"};
  Completions completions = {.words = values_of(tool, option)};
  if (option.name == "output") completions.what = "parts";
  if (!is_list(option)) return completions;
  completions.what = "parts";
  const size_t comma = value.rfind(',');
  std::string before(value.substr(0, comma == std::string_view::npos ? 0 : comma + 1));
  const std::vector<std::string_view> there = split_commas(before);
  std::erase_if(completions.words,
                [&](const Candidate &one) { return std::ranges::find(there, one.first) != there.end(); });
  const std::string_view last = value.substr(before.size());
  const bool has_signs = option.candidates != nullptr;  // the tool's own words: "+unit"
  if (option.name == "columns" && !has_signs && (last.starts_with('+') || last.starts_with('-'))) before += last[0];
  for (Candidate &one : completions.words) one.first.insert(0, before);
  return completions;
}

// --- options and operands

// What is typed already.
class Typed {
 public:
  Typed(std::vector<Option> options, std::span<const std::string> words) : options_(std::move(options)) {
    for (const std::string &word : words) take(word);
  }

  [[nodiscard]] const Option *waiting() const { return waiting_; }  // for its value, which is the next word
  [[nodiscard]] bool has_command() const { return has_command_; }
  [[nodiscard]] size_t operands() const { return operands_; }
  [[nodiscard]] const Option *find(std::string_view name) const {
    const auto found = std::ranges::find(options_, name, &Option::name);
    return found == options_.end() ? nullptr : &*found;
  }

  // That may still be given.
  [[nodiscard]] Candidates options() const {
    Candidates candidates;
    for (const Option &option : options_)
      if (!given_.contains(option.name) || is_list(option) || option.kind == OptionKind::kTexts)
        candidates.emplace_back("--" + std::string(option.name), option.help);
    return candidates;
  }

 private:
  void take(std::string_view word) {
    if (has_command_) return;
    if (std::exchange(waiting_, nullptr) != nullptr) return;
    if (word == "--") {
      has_command_ = true;
    } else if (word.starts_with("--")) {
      take_option(find(word.substr(2, word.find('=') - 2)), word.find('=') == std::string_view::npos);
    } else if (word.size() > 1 && word.starts_with('-')) {
      take_letters(word.substr(1));
    } else {
      operands_++;
    }
  }

  void take_letters(std::string_view letters) {
    for (size_t i = 0; i < letters.size(); i++) {
      const auto option = std::ranges::find(options_, letters[i], &Option::short_name);
      if (option == options_.end()) continue;
      take_option(&*option, i + 1 == letters.size());
      if (!option->value.empty()) return;
    }
  }

  void take_option(const Option *option, bool at_end) {
    if (option == nullptr) return;
    given_.insert(option->name);
    if (at_end && !option->value.empty() && option->is_value == nullptr) waiting_ = option;
  }

  std::vector<Option> options_;
  std::set<std::string_view> given_;
  const Option *waiting_ = nullptr;
  bool has_command_ = false;
  size_t operands_ = 0;
};

Completions operand_completions(const Syntax &syntax, const Typed &typed) {
  Completions completions;
  if (syntax.operands.empty()) return completions;
  const Operand &last = syntax.operands.back();
  if (typed.operands() >= syntax.operands.size() && !last.several) return completions;
  const Operand &operand = syntax.operands[std::min(typed.operands(), syntax.operands.size() - 1)];
  if (operand.file) completions.what = "files";
  if (!operand.words) return completions;
  for (const std::string_view word : words_of(operand.name)) completions.words.emplace_back(word, operand.help);
  return completions;
}

Completions tool_completions(const Found &found, std::span<const std::string> before, const std::string &word) {
  const Syntax syntax = syntax_of(*found.tool, "", found.link);
  const Typed typed(all_options(syntax), before);
  if (typed.has_command()) return {.what = syntax.common_options & kHasCommand ? "command" : "words"};
  if (typed.waiting() != nullptr) return value_completions(*found.tool, *typed.waiting(), word);
  const size_t equals = word.find('=');
  if (word.starts_with("--") && equals != std::string::npos) {
    const Option *option = typed.find(std::string_view(word).substr(2, equals - 2));
    if (option == nullptr) return {};
    Completions completions = value_completions(*found.tool, *option, std::string_view(word).substr(equals + 1));
    for (Candidate &one : completions.words) one.first.insert(0, word, 0, equals + 1);
    return completions;
  }
  if (word.starts_with('-')) return {.words = typed.options()};
  Completions completions = operand_completions(syntax, typed);
  if (word.empty() && completions.words.empty() && completions.what == "words") completions.words = typed.options();
  return completions;
}

Candidates names_of_tools(Tools tools) {
  Candidates names;
  for (const Tool *tool : tools) {
    names.emplace_back(tool->name, tool->summary);
    for (const Link &link : tool->links)
      names.emplace_back(link.name, std::string(tool->name) + " " + std::string(link.argument));
  }
  return names;
}

// Of strata without a tool.
Completions own_completions(Tools tools, std::span<const std::string> before) {
  Completions completions;
  if (before.empty()) {
    completions.words = names_of_tools(tools);
    for (const char *own : {"help", "list", "--help", "--version", "--completion"})
      completions.words.emplace_back(own, "");
  } else if (before.size() == 1 && before[0] == "help") {
    completions.words = names_of_tools(tools);
    for (const char *own : {"options", "skill", "sql", "--json"}) completions.words.emplace_back(own, "");
  } else if (before.size() == 1 && before[0] == "list") {
    completions.words.emplace_back("--all", "");
  } else if (before.size() == 1 && before[0] == "--completion") {
    completions.words = without_meaning({std::begin(kShells), std::end(kShells)});
  }
  return completions;
}

// A shell puts a word on its line as it stands: what would mean something there, and could be anybody's name for a
// process, is not proposed.
bool is_plain_word(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_.,:/@%+=-").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// Its first clause, of what is more than a line beside the word.
std::string in_short(const std::string &meaning) {
  size_t end = meaning.size();
  for (const char *stop : {". ", "; ", ": ", " ("}) end = std::min(end, meaning.find(stop));
  return printable(std::string_view(meaning).substr(0, end));
}

}  // namespace

std::string completions_of(Tools tools, std::span<const std::string> words) {
  if (words.empty()) return "words\n";
  const std::string &word = words.back();
  std::span<const std::string> before = words.first(words.size() - 1);
  Found found = before.empty() ? Found() : tool_of_program(tools, before[0]);
  if (!before.empty()) before = before.subspan(1);
  if (!found && !before.empty()) {
    found = find_tool(tools, before[0]);
    if (found) before = before.subspan(1);
  }
  const Completions completions = found ? tool_completions(found, before, word) : own_completions(tools, before);
  std::string text = std::string(completions.what) + "\n";
  for (const auto &[candidate, meaning] : completions.words)
    if (candidate.starts_with(word) && is_plain_word(candidate)) text += candidate + "\t" + in_short(meaning) + "\n";
  return text;
}

}  // namespace strata
