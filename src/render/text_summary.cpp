// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the time of all samples went, and the account that must balance.
#include <algorithm>

#include "base/format.h"
#include "base/text.h"
#include "render/text.h"
#include "render/totals.h"

namespace strata {
namespace {

std::string layer_line(const LayerTimes &times, uint64_t whole_ns) {
  const auto at = [&](double p) { return scaled_ns(times.ns.percentile(p)); };
  return formatted("{} {:>8} {:>9} {:>9} {:>9} {:>9} {:>8}\n", padded(printable(times.layer), -20), times.ns.count(),
                   at(50), at(90), at(99), scaled_ns(times.ns.max()), percent_text(share_percent(times, whole_ns)));
}

// A table, and an empty line; nothing without layers.
std::string layers_text(std::string_view title, const std::vector<LayerTimes> &layers, const Paint &paint) {
  if (layers.empty()) return "";
  const uint64_t whole_ns = whole_time_ns(layers);
  std::string text = formatted("{}{:<20} {:>8} {:>9} {:>9} {:>9} {:>9} {:>8}{}\n", paint.bold, title, "COUNT", "P50",
                               "P90", "P99", "MAX", "SHARE", paint.plain);
  for (const bool background : {false, true}) {
    bool first = true;
    for (const LayerTimes &times : layers) {
      if (times.background != background) continue;
      const char *words = background ? "behind the application's back:" : "the application waited:";
      if (first) text += formatted("{}{}{}\n", paint.dim, words, paint.plain);
      first = false;
      text += layer_line(times, whole_ns);
    }
  }
  return text + "\n";
}

constexpr size_t kMostLabels = 20;  // JSON has all

std::string label_text(const LabelTimes &times, size_t columns) {
  std::string text;
  const std::string label = times.label ? printable(*times.label) : "(without a label, or beyond the first 200)";
  for (const std::string &line : wrapped(label, columns)) text += line + "\n";
  const auto mean_ns = [](double ns) { return scaled_ns(static_cast<uint64_t>(ns + 0.5)); };
  double median_ns = 0, slowest_ns = 0;
  for (const LabelTimes::Part &part : times.parts) {
    median_ns += part.median_ns;
    slowest_ns += part.slowest_ns;
  }
  text += formatted("  {} {:>8} {:>9} {:>9} {:>9} {:>13}\n", padded("all", -18), times.ns.count(),
                    scaled_ns(times.ns.percentile(50)), scaled_ns(times.ns.percentile(99)), mean_ns(median_ns),
                    mean_ns(slowest_ns));
  for (const LabelTimes::Part &part : times.parts)
    text += formatted("  {} {:>8} {:>9} {:>9} {:>9} {:>13}\n", padded(printable(part.layer), -18), "", "", "",
                      mean_ns(part.median_ns), mean_ns(part.slowest_ns));
  return text;
}

// What one of each label took: half of them, and the slowest.
std::string labels_text(const std::vector<LabelTimes> &labels, const Paint &paint, size_t columns) {
  if (labels.empty()) return "";
  std::string text = formatted("{}{:<20} {:>8} {:>9} {:>9} {:>9} {:>13}{}\n", paint.bold, "BY LABEL", "COUNT", "P50",
                               "P99", "MEDIAN", "SLOWEST 1 %", paint.plain);
  for (size_t i = 0; i < std::min(labels.size(), kMostLabels); i++) text += label_text(labels[i], columns);
  if (labels.size() > kMostLabels)
    text += formatted("and {} more, which took less: -o json has them\n", labels.size() - kMostLabels);
  return text + "\n";
}

}  // namespace

std::string account_text(const Account &account) {
  std::string text;
  for (const Outcome *outcome : account.outcomes) {
    for (const Account::Count &one : account.counts) {
      if (one.outcome != outcome) continue;
      text += formatted("{}{} ", text.empty() ? " = " : " + ", one.n);
      if (outcome->counts_by_reason())
        text += formatted("{}{}{}", outcome->before, printable(one.reason), outcome->after);
      else
        text += outcome->name;
    }
  }
  return formatted("{} sampled{}\n", account.sampled, text);
}

std::string rest_text(const Rest &rest) {
  std::vector<std::string> why;
  const Thresholds &thresholds = rest.thresholds;
  if (thresholds.seen_ns != 0) why.push_back("below --min-latency " + scaled_ns(thresholds.seen_ns));
  if (thresholds.total_ns != 0) why.push_back("below --min-total " + scaled_ns(thresholds.total_ns));
  if (thresholds.holds) why.push_back("not " + printable(thresholds.when));
  return formatted("{} of them {}, {} in all: not shown\n", rest.samples, join(why, " or "), scaled_ns(rest.total_ns));
}

std::string summary_text(const Summary &summary, const Paint &paint, size_t columns) {
  std::string text = layers_text("LAYER", summary.layers, paint);
  if (summary.rest) text += layers_text("NOT SHOWN", summary.rest->layers, paint);
  text += labels_text(summary.labels, paint, columns);
  text += account_text(summary.account);
  if (summary.rest) text += rest_text(*summary.rest);
  if (summary.attach_mode.empty()) return text;
  for (const std::string &line : wrapped("by " + printable(summary.attach_mode), columns)) text += line + "\n";
  return text;
}

}  // namespace strata
