// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The request to a disk that a thread waited for.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "follow/query.h"
#include "model/sample.h"

namespace strata {

struct DiskRequest {
  query_block block;
  std::string disk;  // its name
};

// By who waits for it, and when it completed.
using DiskRequests = std::map<std::pair<uint32_t, uint64_t>, DiskRequest>;

// The last one that completed during this wait; nullptr: none.
const DiskRequest *waited_for(const DiskRequests &requests, const query_hop &wait);

// Into the hop at which the thread is woken.
void name_request(Hop &woken, const DiskRequest &request);

extern const Field kDeviceTime, kSubmittedBy, kSubmittedByTid;

}  // namespace strata
