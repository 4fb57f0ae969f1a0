// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Recordings of several hosts as one run. The exit status; throws Error where they do not go together.
#pragma once

#include <memory>
#include <span>

namespace strata {

struct Chain;
struct RecordedRun;
class Session;

// Rows of one tool, each with its host, by the hosts' own clocks, in the order of time.
int merge_rows(std::span<const std::unique_ptr<RecordedRun>> runs, Session &session);

// Samples of follow: of `sends` on one host, and of `receives` on the other.
int merge_followed(const Chain &sends, const Chain &receives, std::span<const std::unique_ptr<RecordedRun>> runs,
                   Session &session);

void stop_at_end(std::span<const std::unique_ptr<RecordedRun>> runs, Session &session);  // says if one was cut short

}  // namespace strata
