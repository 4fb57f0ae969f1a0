// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/replay.h"

#include <vector>

#include "base/outlet.h"
#include "base/text.h"
#include "cli/values.h"
#include "rec/names.h"
#include "rec/recording.h"
#include "run/events.h"
#include "run/histogram.h"
#include "run/resolver.h"
#include "run/session.h"
#include "run/table.h"
#include "run/task_groups.h"
#include "run/time_range.h"

namespace strata {

int replay_view(Recording &recording, Session &session) {
  const auto &shape = session.view().shape;
  if (std::holds_alternative<EventSpec>(shape)) return replay_events(recording, session);
  if (std::holds_alternative<TableSpec>(shape)) return replay_table(recording, session);
  if (std::holds_alternative<LinesSpec>(shape)) return replay_lines(recording, session);
  return replay_histogram(recording, session);
}

NamedRecords::NamedRecords(Recording &recording, std::span<const RecordType *const> types)
    : recording_(recording), types_(Resolver::types().begin(), Resolver::types().end()) {
  types_.insert(types_.end(), types.begin(), types.end());
}

bool NamedRecords::next(Record &record) {
  while (recording_.next(types_, record)) {
    resolver_.pointers().number_all(*record.type, record.bytes.data(), record.bytes.size());
    if (!resolver_.learn(record)) return true;
  }
  return false;
}

int replay_records(Recording &recording, Session &session, std::span<const RecordType *const> types,
                   const std::function<void(const Record &record, Resolver &resolver)> &each,
                   const std::function<void(Resolver &resolver)> &last) {
  NamedRecords records(recording, types);
  bool any = false;
  bool owned = session.owned_process() == nullptr || recording.head().declares(kTaskGroupRecord);
  const TimeRange range(session.values(), recording.head().clocks);
  session.begin(recording.head());
  for (Record record; session.out().writable() && !session.loop().stopped() && records.next(record);) {
    if (!range.has(record)) continue;
    any = true;
    owned = owned || record.type == &kTaskGroupRecord;
    each(record, records.resolver());
  }
  if (last) last(records.resolver());
  end_replay(recording, session);
  if (any && !owned) say_no_owners(session);
  session.report(recording.losses());
  return session.finish();
}

namespace {

// What a recorder did not write between these is not in the recording.
void say_kept(const Recording &recording, const Session &session) {
  constexpr size_t kMost = 5;
  const auto &spans = recording.kept();
  const Clocks &clocks = recording.head().clocks;
  if (spans.empty()) return;
  say("%s: a flight recorder has written this\n", session.program().c_str());
  for (size_t i = 0; i < spans.size() && i < kMost; i++)
    say("  %s: %s: %llu records, from %s on\n", clocks.wall_text(spans[i].at_ns).c_str(),
        printable(spans[i].why).c_str(), static_cast<unsigned long long>(spans[i].records),
        clocks.wall_text(spans[i].from_ns).c_str());
  if (spans.size() > kMost) say("  ... and %zu times more\n", spans.size() - kMost);
}

}  // namespace

void say_no_owners(const Session &session) {
  say("%s: whose its processes were is not in the recording of a run without --columns +unit\n",
      session.program().c_str());
}

void end_replay(const Recording &recording, Session &session) {
  say_kept(recording, session);
  if (!session.out().writable() || session.loop().stopped()) return;
  if (!recording.ended())
    session.loop().stop(recording.whole() ? EndReason::kEndOfRecording : EndReason::kRecordingCutShort);
  const char *program = session.program().c_str();
  if (recording.ended()) {
    say("%s: a signal came before the end of the recording: this is what was read\n", program);
  } else if (!recording.whole()) {
    say("%s: the recording was cut short: this is what is there\n", program);
  }
  if (recording.unknown() != 0) {
    say("%s: skipped %llu records of types that this version of strata does not know\n", program,
        static_cast<unsigned long long>(recording.unknown()));
  }
}

}  // namespace strata
