// A recording of a tool with one type of record, rendered again.
#pragma once

#include <functional>

#include "rec/wire.h"

namespace strata {

class Names;
class Recording;
class Session;

// Calls `each` for every record, and `last` before the losses are reported. The exit status; throws Error where the
// recording is broken.
int replay_records(Recording &recording, Session &session, const Wire &wire,
                   const std::function<void(const void *record, Names &names)> &each,
                   const std::function<void()> &last = {});
void say_if_cut(const Recording &recording);  // on standard error: it ends early

}  // namespace strata
