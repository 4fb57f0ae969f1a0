// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The shape of a top: counters by key in a hash map of the BPF side (bpf/lib/core/table.h) become rows, interval by
// interval.
#pragma once

#include "run/view.h"

namespace strata {

class Object;
class Recording;
class Session;
struct Source;  // run/intervals.h

// Of the session's view, a TableSpec; of another map than its own, if one is named. The exit status.
int run_table(Session &session, Object &object, std::string_view map = {});
int run_table(Session &session, Object &object, const Source &source);
int replay_table(Recording &recording, Session &session);

// The same without keys, a line for each interval: of the session's view, a LinesSpec.
int run_lines(Session &session, Object &object);
int replay_lines(Recording &recording, Session &session);

}  // namespace strata
