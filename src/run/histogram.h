// The shape of a distribution: slots counted by the BPF side (bpf/lib/core/hist.h) become histograms, interval by
// interval.
#pragma once

#include <string_view>

#include "run/view.h"

namespace strata {

class Object;
class Recording;
class Session;

// Of the session's view, a HistogramSpec: by the keys of its map `by`, or by the slots alone. An interval without a
// value puts out an empty histogram if nothing tells several apart, none if there would be several: then only the
// interval itself, which text and heat map show. The exit status.
enum class HistogramMap { kSlots, kByKey };
int run_histogram(Session &session, Object &object, HistogramMap map);
int replay_histogram(Recording &recording, Session &session);

}  // namespace strata
