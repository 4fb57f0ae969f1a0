// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The flight recorder, and recordings of a bounded size: what their options ask of a run.
#include <csignal>

#include "base/error.h"
#include "base/outlet.h"
#include "base/text.h"
#include "cli/values.h"
#include "run/session.h"

namespace strata {

bool Session::bounds_size() const {
  return (common_options_of(*tool_) & kHasRecorder) != 0 && values_.given("max-size");
}

void Session::check_recorder() {
  if (!values_.given("last") && !bounds_size()) return;
  if (outputs_.recordings().empty())
    reject_options(values_, {"last", "max-size"}, "is for a recording in a file, which is missing (-o record:FILE)");
  const bool counts = view_ != nullptr && !std::holds_alternative<EventSpec>(view_->shape);
  if (counts && values_.duration_ns("interval") == 0)
    reject_options(values_, {"last"}, "keeps intervals, and there is one: say how long each is (-i 1)");
  if (bounds_size()) keep(kToReplaceFiles);
}

void Session::begin_recorder() {
  if (values_.given("last")) loop_->at_signal(SIGUSR1, [this] { write_kept("SIGUSR1"); });
}

// Told once: what comes again and again is in the recording.
void Session::write_kept(std::string_view why) {
  if (!values_.given("last")) return;
  if (drain_) drain_();
  outputs_.put(Kept{.why = why});
  outputs_.flush();
  if (++kept_written_ > 1) return;
  say("%s: %s: what was kept is in %s\n", program_.c_str(), std::string(why).c_str(),
      printable(comma_list(outputs_.recordings())).c_str());
}

}  // namespace strata
