// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/intervals.h"

#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bpf/object.h"
#include "cli/values.h"
#include "rec/names.h"
#include "rec/recording.h"
#include "run/replay.h"
#include "run/session.h"
#include "run/table.h"
#include "run/task_groups.h"

namespace strata {
namespace {

struct Span {  // how every entry begins
  uint64_t from_ns, to_ns;
};
constexpr Field kSpanFields[] = {{STORED(Span, from_ns)}, {STORED(Span, to_ns)}};

uint64_t interval_ns(Session &session) {
  const uint64_t asked = session.values().duration_ns("interval");
  return asked != 0 ? asked : session.out().interval_ns();
}

}  // namespace

const RecordType kIntervalRecord = record_type<Span>("interval", kSpanFields);

Source source_of(const Object &object, const Entries &entries) {
  const auto counters = std::make_shared<std::optional<Counters>>();
  const bool unchanged = entries.complete != nullptr;
  return {.key_bytes = bpf_map__key_size(object.map(entries.map)),
          .open = [&object, entries, counters, unchanged]() -> ReadCounters {
            counters->emplace(object, entries.map, entries.shards, entries.cache, entries.others && !unchanged,
                              entries.last_is_max);
            return [counters, unchanged](const Counters::Each &each) { (*counters)->take(each, unchanged); };
          },
          .progress = [counters] { return (*counters)->pending(); }};
}

int run_intervals(Session &session, Object &object, const Entries &entries, const Intervals &intervals,
                  std::span<const std::string_view> losses) {
  return run_intervals(session, object, source_of(object, entries), entries, intervals, losses);
}

int run_intervals(Session &session, Object &object, const Source &source, const Entries &entries,
                  const Intervals &intervals, std::span<const std::string_view> losses) {
  const Values &values = session.values();
  session.prepare(object);
  const ReadCounters read = source.open();
  Resolver resolver(session.out(), &object);
  if (source.frames) resolver.read_stacks_by(source.frames);
  TaskGroups groups(session, object);
  std::vector<std::byte> entry(entries.record->size);
  Span span = {.from_ns = monotonic_ns(), .to_ns = 0};
  uint64_t done = 0;
  const auto put = [&] {
    span.to_ns = monotonic_ns();
    bool empty = true;
    const auto add = [&](const void *key, const std::vector<uint64_t> &added) {
      empty = false;
      memcpy(entry.data(), &span, sizeof(span));
      memcpy(entry.data() + entries.key_at, key, source.key_bytes);
      memcpy(entry.data() + entries.value_at, added.data(), added.size() * sizeof(uint64_t));
      if (entries.complete) entries.complete(entry.data());
      resolver.pointers().number_all(*entries.record, entry.data(), entry.size());
      RecordView view = {.data = entry.data(), .resolver = resolver};
      view.cgroup = groups.of(view);
      intervals.each(view);
      groups.tell(session, view.cgroup);
      session.out().record(*entries.record, entry.data());
    };
    groups.renew();
    session.within_memory([&] { read(add); });
    if (empty) session.out().record(kIntervalRecord, &span);  // so that a replay has it too
    intervals.put(span.from_ns, span.to_ns);
    span.from_ns = span.to_ns;
    if (++done == values.number("count")) session.loop().stop(EndReason::kCount);
  };
  const auto read_now = [&] {
    put();
    session.warn(object.losses(losses));
  };
  session.read_by(read_now);
  if (const uint64_t every_ns = interval_ns(session)) {
    session.loop().every(every_ns, read_now);
  } else {
    std::function<std::string()> counted;
    if (source.progress)
      counted = [&, histogram = std::holds_alternative<HistogramSpec>(session.view().shape)] {
        const Counters::Pending pending = source.progress();
        return histogram ? std::to_string(pending.added) + " values" : std::to_string(pending.keys) + " rows";
      };
    session.show_progress([&] { return object.losses(losses); }, std::move(counted));
  }
  object.attach();
  session.run();
  if (source.settle) source.settle();
  object.detach();
  const bool cut_short = values.number("count") == 0 || done < values.number("count");
  if (cut_short && !session.out_of_memory()) put();
  session.report(object.losses(losses));
  return session.finish();
}

int replay_intervals(Recording &recording, Session &session, const Entries &entries, const Intervals &intervals) {
  Span now = {};
  const auto put = [&] {
    if (now.to_ns != 0) intervals.put(now.from_ns, now.to_ns);
  };
  uint64_t cgroup = 0;  // of the record that follows
  const RecordType *const types[] = {entries.record, &kIntervalRecord, &kTaskGroupRecord};
  return replay_records(
      recording, session, types,
      [&](const Record &record, Resolver &resolver) {
        if (record.type == &kTaskGroupRecord) {
          cgroup = load_at<uint64_t>(record.bytes.data(), 0);
          return;
        }
        Span span;
        memcpy(&span, record.bytes.data(), sizeof(span));
        if (span.to_ns != now.to_ns) put();
        now = span;
        const uint64_t of_entry = std::exchange(cgroup, 0);
        if (record.type == entries.record)
          intervals.each({.data = record.bytes.data(), .resolver = resolver, .cgroup = of_entry});
      },
      [&](Resolver &) { put(); });
}

}  // namespace strata
