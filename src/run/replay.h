// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A recording, rendered again.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "rec/record_line.h"
#include "run/resolver.h"

namespace strata {

class Recording;
class Session;

// Of the session's view. The exit status; throws Error where the recording is broken.
int replay_view(Recording &recording, Session &session);

// The records of a recording that are of the `types`, with numbers for their addresses; names go to the resolver.
class NamedRecords {
 public:
  NamedRecords(Recording &recording, std::span<const RecordType *const> types);

  bool next(Record &record);  // false at the end; throws Error with the line
  [[nodiscard]] Resolver &resolver() { return resolver_; }

 private:
  Recording &recording_;
  std::vector<const RecordType *> types_;
  Resolver resolver_;
};

// Calls `each` for every record of the `types`, and `last` before the losses are reported.
int replay_records(Recording &recording, Session &session, std::span<const RecordType *const> types,
                   const std::function<void(const Record &record, Resolver &resolver)> &each,
                   const std::function<void(Resolver &resolver)> &last = {});
void say_no_owners(const Session &session);                     // where they are asked for, of a recording
void end_replay(const Recording &recording, Session &session);  // says on standard error what is missing

}  // namespace strata
