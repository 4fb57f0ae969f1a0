// A recording of a tool whose records need no account of their own, rendered again.
#pragma once

#include <functional>
#include <span>

#include "rec/wire.h"

namespace strata {

class Names;
class Recording;
class Session;

// Calls `each` for every record of the `wires`, and `last` before the losses are reported. The exit status; throws
// Error where the recording is broken.
int replay_records(Recording &recording, Session &session, std::span<const Wire *const> wires,
                   const std::function<void(const WireRecord &record, Names &names)> &each,
                   const std::function<void()> &last = {});
// The first record of `wires`, which are all of the tool's own: of a tool with several shapes what is shown must be
// known before anything is. Reads the file once more; without a wire if there is none.
WireRecord first_record(const Recording &recording, std::span<const Wire *const> wires);
void say_if_cut(const Recording &recording);  // on standard error: it ends early

}  // namespace strata
