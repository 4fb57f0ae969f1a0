// The columns of a followed write, and a wire record as a hop in the field's words.
#pragma once

#include <string>
#include <string_view>

#include "follow/follow.h"
#include "kern/disk.h"
#include "model/sample.h"

namespace strata {

// The layer of a hop; the time since the hop before it is charged to it.
std::string_view layer_of(const follow_hop &hop);
std::string_view attributed_layer(const Hop &hop);  // until an fsync begins, the bytes lie in the page cache
int depth_of(std::string_view layer);               // from the application down to the device, for the summary's order

Hop hop_of(const follow_hop &record, Disks &disks);

std::vector<NamedValue> sample_fields(const follow_start &start);
void set_range(Sample &sample, uint64_t lo, uint64_t hi);  // what was written, once it is known

// A status of HOP_COMPLETE or HOP_BIO_COMPLETE as an errno name, "" for success.
std::string status_name(const follow_hop &hop);

}  // namespace strata
