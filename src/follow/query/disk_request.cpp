// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "follow/query/disk_request.h"

#include <iterator>

#include "base/text.h"
#include "follow/disk_fields.h"
#include "kern/request.h"

namespace strata {

const Field kDeviceTime{.decode = {.type = Type::kInteger},
                        .key = "device_ns",
                        .title = "DEVICE",
                        .unit = Unit::kNs,
                        .help = "how long the disk had the request"};
const Field kSubmittedBy{.decode = {.type = Type::kText},
                         .key = "submitted_by",
                         .title = "SUBMITTED BY",
                         .help = "name of the thread that submitted the request to the disk, if it was another one"};
const Field kSubmittedByTid{
    .decode = {.type = Type::kInteger}, .key = "submitted_by_tid", .title = "TID", .help = "the same thread"};

const DiskRequest *waited_for(const DiskRequests &requests, const query_hop &wait) {
  const auto after = requests.upper_bound({wait.tid, wait.wake_ns});
  if (after == requests.begin()) return nullptr;
  const auto &[of, request] = *std::prev(after);
  return of.first == wait.tid && of.second >= wait.out_ns ? &request : nullptr;
}

void name_request(Hop &woken, const DiskRequest &request) {
  const query_block &block = request.block;
  woken.fields.push_back({&kHopDisk, request.disk});
  woken.fields.push_back({&kHopIoFlags, request_text(block.opf)});
  if (block.bytes != 0) {
    woken.fields.push_back({&kHopIoBytes, uint64_t{block.bytes}});
    woken.fields.push_back({&kHopSector, uint64_t{block.sector}});
  }
  const query_hop &hop = block.hop;
  if (hop.out_ns != 0 && hop.out_ns < hop.wake_ns)
    woken.fields.push_back({&kDeviceTime, uint64_t{hop.wake_ns - hop.out_ns}});
  if (hop.other_tid == hop.tid || hop.other_tid == 0) return;
  woken.fields.push_back({&kSubmittedBy, cstr(hop.other_comm)});
  woken.fields.push_back({&kSubmittedByTid, uint64_t{hop.other_tid}});
}

}  // namespace strata
