#include "run/replay.h"

#include <cstdio>
#include <vector>

#include "rec/recording.h"
#include "run/names.h"
#include "run/session.h"

namespace strata {

int replay_records(Recording &recording, Session &session, std::span<const Wire *const> own,
                   const std::function<void(const WireRecord &record, Names &names)> &each,
                   const std::function<void()> &last) {
  Names names;
  std::vector<const Wire *> wires(Names::wires().begin(), Names::wires().end());
  wires.insert(wires.end(), own.begin(), own.end());
  session.begin(recording.clocks());
  for (WireRecord record; recording.next(wires, record);) {
    if (!names.take(record)) each(record, names);
  }
  if (last) last();
  say_if_cut(recording);
  session.report(recording.losses());
  return session.finish();
}

void say_if_cut(const Recording &recording) {
  if (!recording.whole()) fprintf(stderr, "strata replay: the recording was cut short: this is what is there\n");
}

}  // namespace strata
