#include "run/replay.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "rec/recording.h"
#include "run/intervals.h"
#include "run/names.h"
#include "run/session.h"

namespace strata {
namespace {

std::vector<const Wire *> with_names(std::span<const Wire *const> own) {
  std::vector<const Wire *> wires(Names::wires().begin(), Names::wires().end());
  wires.insert(wires.end(), own.begin(), own.end());
  return wires;
}

}  // namespace

int replay_records(Recording &recording, Session &session, std::span<const Wire *const> own,
                   const std::function<void(const WireRecord &record, Names &names)> &each,
                   const std::function<void()> &last) {
  Names names;
  const std::vector<const Wire *> wires = with_names(own);
  session.begin(recording.clocks());
  for (WireRecord record; recording.next(wires, record);) {
    if (!names.take(record)) each(record, names);
  }
  if (last) last();
  say_if_cut(recording);
  session.report(recording.losses());
  return session.finish();
}

WireRecord first_record(const Recording &recording, std::span<const Wire *const> own) {
  WireRecord first = {};
  scan_records(recording, own, [&](const WireRecord &record) {
    const bool found = std::find(own.begin(), own.end(), record.wire) != own.end();
    if (found || record.wire == &kIntervalWire) first = record;
    return found;
  });
  return first;
}

void scan_records(const Recording &recording, std::span<const Wire *const> own,
                  const std::function<bool(const WireRecord &record)> &each) {
  Recording again(recording.file());
  std::vector<const Wire *> wires = with_names(own);
  wires.push_back(&kIntervalWire);
  for (WireRecord record; again.next(wires, record) && !each(record);) {
  }
}

void say_if_cut(const Recording &recording) {
  if (!recording.whole()) fprintf(stderr, "strata replay: the recording was cut short: this is what is there\n");
}

}  // namespace strata
