// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// The workload that needs the C library's plug-ins, and is therefore only in the dynamic program.
#include <netdb.h>

#include "ops.h"

void resolve_name(uint64_t n, const char *where) {
  const addrinfo hints = {.ai_flags = 0,
                          .ai_family = AF_INET,
                          .ai_socktype = SOCK_STREAM,
                          .ai_protocol = 0,
                          .ai_addrlen = 0,
                          .ai_addr = nullptr,
                          .ai_canonname = nullptr,
                          .ai_next = nullptr};
  for (uint64_t i = 0; i < n; i++) {
    addrinfo *found = nullptr;
    if (getaddrinfo(where, nullptr, &hints, &found) != 0) die(where);
    freeaddrinfo(found);
  }
}
