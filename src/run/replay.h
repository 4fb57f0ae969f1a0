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
// Of a tool with several shapes what is shown must be known before anything is. Both read the file once more; `wires`
// are all of the tool's own. The first: the first record of them; else an interval without an entry; else without a
// wire.
WireRecord first_record(const Recording &recording, std::span<const Wire *const> wires);
// Records of names and intervals, too, until `each` has seen enough, which is true.
void scan_records(const Recording &recording, std::span<const Wire *const> wires,
                  const std::function<bool(const WireRecord &record)> &each);
void say_if_cut(const Recording &recording);  // on standard error: it ends early

}  // namespace strata
