// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A recording, rendered again.
#pragma once

#include <functional>
#include <span>

#include "rec/record_line.h"

namespace strata {

class Recording;
class Resolver;
class Session;

// Of the session's view. The exit status; throws Error where the recording is broken.
int replay_view(Recording &recording, Session &session);

// Calls `each` for every record of the `types`, and `last` before the losses are reported.
int replay_records(Recording &recording, Session &session, std::span<const RecordType *const> types,
                   const std::function<void(const Record &record, Resolver &resolver)> &each,
                   const std::function<void(Resolver &resolver)> &last = {});
void say_no_owners(const Session &session);                     // where they are asked for, of a recording
void end_replay(const Recording &recording, Session &session);  // says on standard error what is missing

}  // namespace strata
