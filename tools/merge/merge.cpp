// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// strata merge: what two hosts have recorded of the same bytes, as one.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "cli/values.h"
#include "follow/merge/join.h"
#include "follow/recv/chain.h"
#include "follow/send/chain.h"
#include "follow/send/hops.h"
#include "merge.manual.h"
#include "run/follow.h"
#include "run/merge.h"
#include "run/recorded.h"
#include "run/session.h"
#include "run/tool.h"

namespace strata {
namespace {

constexpr Operand kOperands[] = {
    {.name = "A", .help = "of one host, written by -o record:FILE", .file = true},
    {.name = "B", .help = "of another one", .several = true, .file = true},
};
constexpr std::string_view kFormats[] = {"text", "json", "csv", "html", "perfetto", "otlp", "sql"};

// Those of both hosts.
const std::vector<const Field *> kHopColumns = [] {
  std::vector<const Field *> all(kSendHopColumns.begin(), kSendHopColumns.end());
  for (const auto columns : {kSegmentHopColumns, kMergedHopColumns})
    for (const Field *column : columns)
      if (std::ranges::find(all, column) == all.end()) all.push_back(column);
  return all;
}();

const Followed kFollowed[] = {
    {.name = "send", .sample = kSendSampleColumns, .hop = kHopColumns, .sample_more = kMergedSampleColumns}};

Error with_itself(const std::string &file) {
  return usage_error("a recording cannot be merged with itself: '" + printable(file) + "'");
}

int run(const Values &values, Session &session) {
  std::vector<std::unique_ptr<RecordedRun>> runs;
  for (const std::string &file : values.operands()) {
    if (std::ranges::count(values.operands(), file) > 1) throw with_itself(file);  // "-", too
    auto run = std::make_unique<RecordedRun>(file);
    const std::optional<FileId> id = run->recording.regular_file();
    session.out().refuse(id);
    for (const auto &other : runs)
      if (id && other->recording.regular_file() == id) throw with_itself(file);
    runs.push_back(std::move(run));
  }
  if (std::ranges::none_of(runs, [](const auto &run) { return run->followed != nullptr; })) {
    reject_options(values, {"min-latency", "min-total"}, "is for recordings of follow");
    return merge_rows(runs, session);
  }
  return merge_followed(kSendChain, kRecvChain, runs, session);
}

}  // namespace

extern const Tool tool_merge = {
    .name = "merge",
    .summary = "join what two hosts have recorded of the same sends",
    .manual = kManual,
    .operands = kOperands,
    .options = kThresholdOptions,
    .common_options = kHasColumns | kHasWhen | kHasLimit,
    .formats = kFormats,
    .followed = kFollowed,
    .replays = true,
    .run = run,
};

}  // namespace strata
