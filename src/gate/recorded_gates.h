// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Gates that a recording is judged by, without the program, and by anybody.
#pragma once

namespace strata {

struct RecordedRun;
class Session;

// Of --that of the session, a replay's: its output is the judgement. The exit status. Throws Error where a gate is
// about something else than what was recorded.
int judge_recording(RecordedRun &run, Session &session);

}  // namespace strata
