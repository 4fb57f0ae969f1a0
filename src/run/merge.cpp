// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/merge.h"

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/ending.h"
#include "base/error.h"
#include "base/format.h"
#include "base/text.h"
#include "cli/values.h"
#include "follow/chain.h"
#include "follow/merge/join.h"
#include "follow/replayed.h"
#include "rec/names.h"
#include "rec/recording.h"
#include "run/follow.h"
#include "run/recorded.h"
#include "run/replay.h"
#include "run/resolver.h"
#include "run/sample_columns.h"
#include "run/session.h"
#include "run/shown_samples.h"
#include "run/task_groups.h"
#include "run/tool.h"

namespace strata {
namespace {

struct ReadHost {
  HostSamples samples;
  Account account;
};

ReadHost read(const Chain &chain, RecordedRun &from, const RecordsBeside &beside = {}) {
  ReadHost host = {.samples = {.host = from.host(), .clocks = from.recording.head().clocks, .samples = {}},
                   .account = {}};
  const auto take = [&host](const Sample &sample) { host.samples.samples.push_back(sample); };
  host.account = replay_chain(chain, from.recording, take, {}, beside).summary.account;
  return host;
}

// Samples that never came to an end that could be joined.
void add_lost(const ReadHost &sender, Collector &collector) {
  for (const Account::Count &count : sender.account.counts) {
    if (count.outcome != &kLost) continue;
    const auto is_one = [&](const Sample &sample) { return sample.outcome == &kLost && sample.reason == count.reason; };
    const auto seen = static_cast<uint64_t>(std::ranges::count_if(sender.samples.samples, is_one));
    collector.lose(count.reason, count.n - seen);
  }
}

std::string clock_text(const ClockOffset &offset, const std::string &sender) {
  const double seconds = static_cast<double>(offset.offset_ns) / 1e9;
  std::string text =
      formatted("{:.6f} s {} that of {}", std::abs(seconds), seconds < 0 ? "behind" : "ahead of", printable(sender));
  if (!offset.known)
    return text + (seconds < 0 ? " at least" : " at most") + ": no acknowledgement of them was recorded";
  text += formatted(", +- {}", scaled_ns(static_cast<uint64_t>(offset.error_ns)));
  if (!offset.fits_all) return text + ", which is what the worst segment is off: a host slept or was paused meanwhile";
  if (offset.rate != 0) text += formatted(", and gains {:.1f} us in a second", offset.rate * 1e6);
  return text;
}

std::string summary_text(const Joining &joining, const HostSamples &sender, const HostSamples &receiver) {
  const std::string hosts = formatted("recordings of {} and {}: ", printable(sender.host), printable(receiver.host));
  if (joining.connections == 0) return hosts + "no connection is in both (NAT?)";
  if (joining.segments == 0) return hosts + "no send met a segment, both have to follow the same bytes (--sample 1/1)";
  std::string text = hosts + formatted("{} of {} segments met a send; ", joining.segments, receiver.samples.size());
  if (joining.others != 0)
    text += formatted("{} fit no such clock, and are of other bytes, or a host slept; ", joining.others);
  return text + formatted("the clock of {} is {}", printable(receiver.host), clock_text(joining.offset, sender.host));
}

}  // namespace

int merge_followed(const Chain &sends, const Chain &receives, std::span<const std::unique_ptr<RecordedRun>> runs,
                   Session &session) {
  if (runs.size() != 2) throw usage_error("of recordings of follow two can be merged: a send's and a recv's");
  RecordedRun &a = *runs[0], &b = *runs[1];
  for (const RecordedRun *one : {&a, &b})
    if (one->followed == nullptr)
      throw Error(printable(one->file) + ": of " + std::string(one->tool.name) + ", and the other one of follow");
  RecordedRun &from = a.followed->name == sends.name ? a : b, &to = &from == &a ? b : a;
  if (from.followed->name != sends.name || to.followed->name != receives.name)
    throw Error(formatted("of follow, a recording of send can be merged with one of recv, and these are of {} and {}",
                          a.followed->name, b.followed->name));
  for (const std::string &output : session.values().texts("output"))
    if (output.starts_with("csv")) throw usage_error("-o csv is for rows, and these are samples of follow");
  Resolver names;  // whose a sample is, is asked of sends
  const auto learn = [&names](const Record &record) { return record.type == &kCgroupRecord && names.learn(record); };
  const ReadHost sender = read(sends, from, {kSampleOwnerRecords, learn}), receiver = read(receives, to);
  const std::vector<Loss> losses = losses_of(runs);
  session.replay(session.tool(), nullptr, nullptr);
  session.begin({.program = session.program(),
                 .options = session.values().arguments(),
                 .has_options = true,
                 .clocks = sender.samples.clocks});
  const SampleColumns columns(session, names);
  Thresholds thresholds = thresholds_of(session.values());
  add_when(thresholds, session, kMergedProcedure.layers, columns);
  ShownSamples shown(session, columns, session.limit());
  Collector collector(
      kMergedProcedure, [&shown](const Sample &sample) { shown.show(sample); }, thresholds);
  const Joining joining = join_samples(sender.samples, receiver.samples, collector);
  if (ending_begun()) return 128 + ending_signal();
  add_lost(sender, collector);
  if (session.owned_process() != nullptr && !from.recording.head().declares(kTaskGroupRecord)) say_no_owners(session);
  stop_at_end(runs, session);
  session.report(losses);
  const Summary summary = summary_of(collector, summary_text(joining, sender.samples, receiver.samples));
  session.out().put(summary);
  return session.finish();
}

}  // namespace strata
