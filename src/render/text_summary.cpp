// Where the time of all samples went, and the account that must balance.
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

}  // namespace

std::string summary_text(const Summary &summary, const Paint &paint, size_t columns) {
  const uint64_t whole_ns = whole_time_ns(summary);
  std::string text = formatted("{}{:<20} {:>8} {:>9} {:>9} {:>9} {:>9} {:>8}{}\n", paint.bold, "LAYER", "COUNT", "P50",
                               "P90", "P99", "MAX", "SHARE", paint.plain);
  for (const bool background : {false, true}) {
    bool first = true;
    for (const LayerTimes &times : summary.layers) {
      if (times.background != background) continue;
      const char *words = background ? "behind the application's back:" : "the application waited:";
      if (first) text += formatted("{}{}{}\n", paint.dim, words, paint.plain);
      first = false;
      text += layer_line(times, whole_ns);
    }
  }
  if (summary.layers.empty()) text.clear();
  text += formatted("{}{}", text.empty() ? "" : "\n", account_text(summary.account));
  if (summary.attach_mode.empty()) return text;
  for (const std::string &line : wrapped("by " + printable(summary.attach_mode), columns)) text += line + "\n";
  return text;
}

}  // namespace strata
