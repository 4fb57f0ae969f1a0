// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "expr/bcc_argdist.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <string_view>

#include "expr/bcc_probe.h"
#include "expr/expression_parser.h"

namespace strata::expr {
namespace {

// What stands before the label.
size_t end_of_specifier(std::string_view text) {
  bool quoted = false;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && (text[i] == '#' || text[i] == ';')) return i;
  }
  return text.size();
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

constexpr std::string_view kBelow = "_below_0";

// "write_sizes": of the label, or of the function, and not yet another's, nor with what maps beside it have behind it.
std::string map_name(std::string_view text, std::set<std::string> &taken) {
  std::string name;
  for (const char c : text)
    if (is_word(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  while (name.ends_with("_")) name.pop_back();
  const std::string first = name;
  const auto is_taken = [&](std::string_view behind) { return taken.contains(name + std::string(behind)); };
  constexpr std::string_view kBehind[] = {"", "_stats", "_max", kBelow};
  for (size_t number = 2; std::ranges::any_of(kBehind, is_taken); number++) name = first + "_" + std::to_string(number);
  for (const std::string_view behind : kBehind) taken.insert(name + std::string(behind));
  return name;
}

std::vector<std::span<const Token>> list(std::span<const Token> tokens) {
  std::vector<std::span<const Token>> all;
  while (!tokens.empty()) all.push_back(bcc_until(tokens, ","));
  return all;
}

class Specifier {
 public:
  Specifier(const std::string &text, bool histogram, uint32_t string_size)
      : source_("SPECIFIER", text.substr(0, end_of_specifier(text))),
        label_(text.substr(std::min(source_.text().size() + 1, text.size()))),
        histogram_(histogram),
        string_size_(string_size) {}

  // Its probes; its maps are added, and what there is to know of a histogram.
  std::string probes(std::set<std::string> &taken, std::vector<BccMap> &shown, std::vector<std::string> &hidden,
                     std::vector<ArgdistHistogram> &histograms) {
    place_ = bcc_place(source_);
    tokens_ = bcc_tokens(source_, place_.at.to);
    std::span<const Token> rest = tokens_;
    names_ = bcc_signature(source_, place_, rest);
    BccCall call = {.several = place_.is_pattern()};
    const bool timed = keep_entries(call);
    read(rest);
    const std::string name = map_name(label_.empty() ? place_.names.front() : label_, taken);
    std::string counted;
    if (histogram_) {
      const BccHistogram map = {.name = name};
      const std::string below = map.hist() + std::string(kBelow);
      counted =
          "$value = " + key_ + "; if ($value >= 0) { " + map.count("$value") + "} else { " + below + " = count(); } ";
      for (const BccMap &one : map.maps()) shown.push_back(one);
      histograms.push_back({.map = map, .below = below, .label = label_.empty() ? name : label_, .is_time = is_time_});
    } else {
      shown.push_back({"@" + name});
      counted = "@" + name + (key_.empty() ? "" : "[" + key_ + "]") + " = count(); ";
    }
    if (!timed) return place_.probe() + " " + place_.predicate(filter_) + "{ " + counted + "}\n";
    call.suffix = "_" + name + "_";  // names that are shown do not end so
    for (const std::string &map : call.maps()) hidden.push_back(map);
    return place_.entry() + " " + place_.predicate() + "{ " + call.push() + "}\n" + place_.exit() + " " +
           place_.predicate(call.was_pushed()) + "{ " + call.pop() +
           (filter_.empty() ? counted : "if " + filter_ + " { " + counted + "} ") + "}\n";
  }

 private:
  // What the return wants to know of the call: is there anything?
  bool keep_entries(BccCall &call) {
    if (place_.type != 'r') return false;
    bool timed = false;
    for (size_t i = 0; i < tokens_.size(); i++) {
      const std::string_view text = source_.at(tokens_[i].at);
      timed = timed || text == "$latency" || text == "$entry";
      if (text != "$entry" || i + 2 >= tokens_.size()) continue;
      const auto found = names_.find("$entry(" + tokens_[i + 2].text + ")");
      if (found == names_.end() || found->second.starts_with("$kept")) continue;
      call.kept.push_back(found->second);
      found->second = "$kept" + std::to_string(call.kept.size() - 1);
    }
    std::erase_if(names_, [](const auto &name) {
      return name.first.starts_with("$entry(") && !name.second.starts_with("$kept");
    });
    names_["$latency"] = "$took";
    return timed;
  }

  // ":TYPE,...:VALUE,...:FILTER"
  void read(std::span<const Token> rest) {
    const bool returns = place_.type == 'r';
    if (!rest.empty() && !rest.front().is(":"))
      throw source_.error(rest.front().at,
                          "expected ':' and the types of the values: p:c:malloc(size_t size):size_t:size");
    bcc_until(rest, ":");
    const std::span<const Token> behind = rest;
    const std::vector<std::span<const Token>> types = list(bcc_until(rest, ":")), values = list(bcc_until(rest, ":"));
    if (types.size() != values.size())
      throw source_.error(
          {behind.front().at.from, behind.back().at.to},
          "there are " + std::to_string(types.size()) + " types, and " + std::to_string(values.size()) + " values");
    if (histogram_ && (values.size() > 1 || (values.empty() && !returns)))
      throw source_.error(place_.at, "a histogram is of one value: p:c:malloc(size_t size):size_t:size");
    for (size_t i = 0; i < values.size(); i++) key_ += (i == 0 ? "" : ", ") + value(types[i], values[i]);
    is_time_ = values.size() == 1 && values[0].size() == 1 && source_.at(values[0].front().at) == "$latency";
    if (values.empty() && returns) key_ = place_.result();
    if (!rest.empty()) filter_ = "(" + bcc_expression(source_, rest, names_).text + ")";
  }

  // Of a type that the language does not know by its name (gfp_t) it is as it comes.
  std::string value(std::span<const Token> type, std::span<const Token> tokens) {
    const BccValue made = bcc_expression(source_, tokens, names_);
    std::string name;
    for (const Token &token : type)
      if (!token.is_name("const")) name += (name.empty() ? "" : " ") + token.text;
    const bool text = name == "char *";
    if (histogram_ && text) throw source_.error(type.front().at, "a histogram is of numbers");
    const std::string size = string_size_ == 0 ? "" : ", " + std::to_string(string_size_);
    if (text) return (made.in_user_space ? "ustr(" : "str(") + made.text + size + ")";
    const bool is_type = name.ends_with("*") || kTypeWords.contains(name.substr(0, name.find(' ')));
    return is_type ? "(" + name + ")(" + made.text + ")" : made.text;
  }

  const Source source_;
  const std::string label_;
  const bool histogram_;
  const uint32_t string_size_;
  BccPlace place_;
  std::vector<Token> tokens_;
  BccNames names_;
  std::string key_, filter_;
  bool is_time_ = false;
};

}  // namespace

ArgdistProgram argdist_program(const BccArgdist &options) {
  ArgdistProgram program;
  std::set<std::string> taken;
  std::vector<BccMap> shown;
  std::vector<std::string> hidden;
  const auto add = [&](const std::vector<std::string> &specifiers, bool histogram) {
    for (const std::string &one : specifiers)
      program.text += Specifier(one, histogram, options.string_size).probes(taken, shown, hidden, program.histograms);
  };
  add(options.histograms, true);
  for (const ArgdistHistogram &one : program.histograms) shown.push_back({one.below});
  add(options.counts, false);
  BccOutput output = options.output;
  output.time = options.histograms.empty();  // they have it
  program.text += output_probes(output, shown, hidden);
  return program;
}

}  // namespace strata::expr
