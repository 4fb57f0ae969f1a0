// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "gate/baseline.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/fd.h"
#include "base/outlet.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "render/json_value.h"

namespace strata {
namespace {

constexpr int kFormat = 1;
constexpr size_t kMostBytes = 64 << 20;
constexpr double kLeastChange = 1.25, kChance = 0.001;

std::vector<uint64_t> numbers_in(const Json &json, const char *key) {
  std::vector<uint64_t> numbers;
  if (!json.contains(key)) return numbers;
  for (const Json &one : json.at(key)) {
    if (!one.is_number_unsigned()) throw usage_error("of a baseline " + std::string(key) + " are whole numbers");
    numbers.push_back(one.get<uint64_t>());
  }
  return numbers;
}

Baseline::Entry entry_of(const Json &json) {
  Baseline::Entry entry;
  entry.counts = numbers_in(json, "counts");
  if (!json.contains("slots")) return entry;
  for (const Json &slot : json.at("slots"))
    entry.values.add_slot(Histogram::slot_of(slot.at(0).get<uint64_t>()), slot.at(1).get<uint64_t>());
  entry.percentiles = numbers_in(json, "percentiles");
  return entry;
}

Json json_of(const std::string &gate, const Baseline::Entry &entry) {
  if (entry.values.count() == 0) return {{"gate", gate}, {"counts", entry.counts}};
  Json slots = Json::array();
  const std::vector<uint64_t> &counts = entry.values.slots();
  for (uint32_t slot = 0; slot < counts.size(); slot++)
    if (counts[slot] != 0) slots.push_back({Histogram::slot_low(slot), counts[slot]});
  Json json = {{"gate", gate}, {"values", entry.values.count()}, {"slots", std::move(slots)}};
  if (!entry.percentiles.empty()) json["percentiles"] = entry.percentiles;
  return json;
}

uint64_t above(const Histogram &values, uint64_t limit) {
  uint64_t n = 0;
  for (size_t slot = Histogram::slot_of(limit) + 1; slot < values.slots().size(); slot++) n += values.slots()[slot];
  return n;
}

// That a run of the baseline may have: the second greatest, for one may be an accident; of two runs the greatest.
uint64_t slow_run(std::vector<uint64_t> percentiles) {
  if (percentiles.empty()) return 0;
  std::ranges::sort(percentiles, std::greater());
  return percentiles[percentiles.size() > 2 ? 1 : 0];
}

bool is_above(const Histogram &now, const Histogram &before, double percentile, uint64_t limit) {
  const bool much = static_cast<double>(now.percentile(percentile)) > kLeastChange * static_cast<double>(limit);
  return much && fisher_tail(above(now, limit), now.count(), above(before, limit), before.count()) < kChance;
}

double log_choose(double n, double k) { return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1); }

}  // namespace

Baseline::Baseline(const std::string &file) {
  try {
    const std::string what = "the baseline " + printable(file);
    const Json json = Json::parse(whole_file(file, what, kMostBytes, kUsageStatus, " (--update makes one)"));
    const int format = json.at("strata_baseline").get<int>();
    if (format != kFormat)
      throw usage_error("the baseline " + printable(file) + " has format " + std::to_string(format) +
                        ", which this version of strata does not know");
    for (const Json &gate : json.at("gates")) entries_[gate.at("gate").get<std::string>()] = entry_of(gate);
  } catch (const Json::exception &error) {
    throw usage_error(printable(file) + " is no baseline: " + printable(error.what()));
  }
}

void Baseline::set(const Gate &gate, std::span<const Measurement> runs) {
  if (!gate.compared()) return;
  Entry entry;
  if (gate.is_of_all_runs()) entry.values = values_of(runs);
  for (const Measurement &run : runs) {
    if (!gate.is_of_all_runs()) entry.counts.push_back(run.number);
    const std::optional<double> tested = gate.tested_percentile();
    if (tested && run.values.count() >= least_values_of(*tested))
      entry.percentiles.push_back(run.values.percentile(*tested));
  }
  entries_[gate.term()] = std::move(entry);
}

void Baseline::write(const std::string &file) const {
  std::string text =
      R"({"strata_baseline":)" + std::to_string(kFormat) + R"(,"strata":")" STRATA_VERSION R"(","gates":[)";
  for (const auto &[gate, entry] : entries_) text += (text.ends_with('[') ? "\n" : ",\n") + dump(json_of(gate, entry));
  text += "]}\n";
  const std::string made = file + ".new";
  Fd fd(open(made.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!fd) throw system_error("cannot write " + printable(made));
  Outlet outlet(std::move(fd), true);
  int err = outlet.write(text);
  if (err == 0) err = outlet.close();
  if (err == 0 && rename(made.c_str(), file.c_str()) != 0) err = errno;
  if (err == 0) return;
  unlink(made.c_str());
  throw system_error("cannot write " + printable(file), err);
}

const Baseline::Entry *Baseline::find(const Gate &gate) const {
  const auto found = entries_.find(gate.term());
  return found == entries_.end() ? nullptr : &found->second;
}

// Summed from the least likely end: the terms fall from `new_above` on, or that is no tail to speak of.
double fisher_tail(uint64_t new_above, uint64_t new_all, uint64_t old_above, uint64_t old_all) {
  const auto n = static_cast<double>(new_all), all = static_cast<double>(new_all + old_all),
             marked = static_cast<double>(new_above + old_above);
  const double least = std::max(0.0, n + marked - all);
  const double most = std::min(n, marked);
  double tail = 0;
  for (double k = most; k >= std::max(least, static_cast<double>(new_above)); k--)
    tail += std::exp(log_choose(marked, k) + log_choose(all - marked, n - k) - log_choose(all, n));
  return std::min(tail, 1.0);
}

bool is_above(const Histogram &now, const Histogram &before, double percentile) {
  return is_above(now, before, percentile, before.percentile(percentile));
}

Change change_of(const Gate &gate, const Baseline::Entry &before, std::span<const Measurement> runs) {
  Change change;
  if (!gate.is_of_all_runs()) {
    if (before.counts.empty()) return change;
    change.before = *std::ranges::max_element(before.counts);
    change.worse = std::ranges::any_of(runs, [&](const Measurement &run) { return run.number > *change.before; });
    return change;
  }
  if (before.values.count() == 0) return change;
  const Histogram now = values_of(runs);
  change.before = gate.number_of(before.values);
  const std::optional<double> percentile = gate.tested_percentile();
  if (!percentile) return change;
  const uint64_t limit = std::max(before.values.percentile(*percentile), slow_run(before.percentiles));
  if (gate.is_of_percentile()) change.before = limit;
  change.worse = is_above(now, before.values, *percentile, limit);
  return change;
}

}  // namespace strata
