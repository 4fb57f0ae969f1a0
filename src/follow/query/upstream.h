// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What a server asks of another one in turn, for the request that it serves.
#pragma once

#include <span>

#include "follow/query.h"

namespace strata {

// Whose answer the thread waited for: it is what the thread read next, before it read more of the request or slept
// again; after connect() what it sent next. nullptr: nobody's. All in order of time; `own` are the request's.
const query_upstream *upstream_of(const query_hop &wait, std::span<const query_upstream> upstream,
                                  std::span<const query_hop> threads, std::span<const query_hop> own);

// Begins a request: of several sends in a row on one connection only the first does.
bool begins_request(std::span<const query_upstream> upstream, const query_upstream &send);

}  // namespace strata
