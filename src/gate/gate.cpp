// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/gate.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "base/text.h"

namespace strata {
namespace {

constexpr std::string_view kSpace = " \t\n";
constexpr std::string_view kNameLetters = "abcdefghijklmnopqrstuvwxyz_0123456789.";

std::string_view trimmed(std::string_view text) {
  const size_t from = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(from, text.find_last_not_of(kSpace) + 1 - from);
}

}  // namespace

Gate::Gate(Demand demand)
    : text_(trimmed(demand.that)),
      name_(std::move(demand.name)),
      place_(std::move(demand.place)),
      least_(demand.least),
      compared_(demand.compared) {
  try {
    read();
  } catch (const Error &error) {
    throw placed(error);
  }
}

Error Gate::placed(const Error &mistake) const {
  if (place_.empty()) return mistake;
  std::string_view what = mistake.what();
  if (what.starts_with("--")) what.remove_prefix(2);  // the key in the file has the option's name
  const std::string of = name_.empty() ? "" : "gate \"" + printable(name_) + "\": ";
  return usage_error(place_ + ": " + of + std::string(what));
}

std::optional<Condition> Gate::rows_among(Schema columns) const {
  if (rows_.empty()) return std::nullopt;
  try {
    return Condition("that", rows_, columns);
  } catch (const Error &error) {
    throw placed(error);
  }
}

void Gate::read() {
  const size_t end = read_term(0, false);
  const bool of_values = metric_->of == Metric::Of::kValues;
  const std::string name(metric_->name);
  if (of_values && take_ == Take::kAll) fail(name + " is a distribution: take p99(" + name + "), max, avg or count");
  if (!of_values && take_ != Take::kAll) fail(name + " is one number, not a distribution");
  term_ = trimmed(std::string_view(text_).substr(0, end));
  wanted_text_ = trimmed(std::string_view(text_).substr(end));
  if (wanted_text_.empty()) return;
  const Field column = {.decode = {.type = Type::kInteger}, .key = metric_->name, .unit = unit()};
  const std::string comparison = name + " " + wanted_text_;
  wanted_.emplace("that", comparison, Schema(&column, 1));
}

void Gate::fail(const std::string &what) const { throw usage_error("--that " + printable(text_) + ": " + what); }

bool Gate::read_take(std::string_view name) {
  constexpr std::pair<std::string_view, Take> kTakes[] = {
      {"count", Take::kCount}, {"max", Take::kMax}, {"avg", Take::kAverage}};
  const auto *found = std::ranges::find(kTakes, name, &std::pair<std::string_view, Take>::first);
  if (found != std::end(kTakes)) {
    take_ = found->second;
    return true;
  }
  if (name.size() < 2 || name.front() != 'p') return false;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), percentile_);
  if (error != std::errc() || end != name.data() + name.size()) return false;
  if (percentile_ <= 0 || percentile_ >= 100) fail("a percentile is above 0 and below 100: p99, p99.9");
  take_ = Take::kPercentile;
  return true;
}

size_t Gate::read_term(size_t at, bool within) {
  const size_t begin = std::min(text_.find_first_not_of(kSpace, at), text_.size());
  const size_t end = std::min(text_.find_first_not_of(kNameLetters, begin), text_.size());
  const std::string_view name = std::string_view(text_).substr(begin, end - begin);
  const size_t open = std::min(text_.find_first_not_of(kSpace, end), text_.size());
  const bool has_part = open < text_.size() && text_[open] == '(';
  if (has_part && !within && read_take(name)) {
    const size_t close = std::min(text_.find_first_not_of(kSpace, read_term(open + 1, true)), text_.size());
    if (close == text_.size() || text_[close] != ')') fail("')' is missing behind the metric");
    return close + 1;
  }
  metric_ = find_metric(name);
  if (metric_ == nullptr) {
    std::vector<std::string_view> names;
    for (const Metric &metric : metrics()) names.push_back(metric.name);
    fail("no such metric: '" + printable(name) + "'" + meant(name, names) + "; there are " + comma_list(names));
  }
  if (!has_part) return end;
  const size_t close = end_of_parentheses(open);
  rows_ = trimmed(std::string_view(text_).substr(open + 1, close - open - 1));
  return close + 1;
}

// Those that match the one at `at`; texts in quotes are left out.
size_t Gate::end_of_parentheses(size_t at) const {
  char quote = 0;
  size_t depth = 0;
  for (size_t i = at; i < text_.size(); i++) {
    const char c = text_[i];
    if (quote != 0) {
      if (c == '\\' && i + 1 < text_.size() && text_[i + 1] == quote)
        i++;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      depth++;
    } else if (c == ')' && --depth == 0) {
      return i;
    }
  }
  fail("')' is missing");
}

bool Gate::is_of_all_runs() const { return metric_->of == Metric::Of::kValues && take_ != Take::kCount; }

// So many that one value is above it, and not just some.
uint64_t least_values_of(double percentile) {
  constexpr double kFew = 20;
  return static_cast<uint64_t>(std::ceil(std::max(kFew, 100 / (100 - percentile) - 1e-6)));
}

uint64_t Gate::least_values() const {
  if (least_ != 0) return least_;
  return take_ == Take::kPercentile ? least_values_of(percentile_) : 1;
}

std::optional<double> Gate::tested_percentile() const {
  constexpr double kMedian = 50;
  if (take_ == Take::kPercentile) return percentile_;
  return take_ == Take::kAverage ? std::optional(kMedian) : std::nullopt;
}

uint64_t Gate::number_of(const Histogram &values) const {
  switch (take_) {
    case Take::kPercentile:
      return values.percentile(percentile_);
    case Take::kMax:
      return values.max();
    case Take::kAverage:
      return static_cast<uint64_t>(std::ceil(values.average()));
    default:
      return values.count();
  }
}

bool Gate::holds(uint64_t number) const {
  return wanted_->holds([number](size_t) { return Value(number); });
}

}  // namespace strata
