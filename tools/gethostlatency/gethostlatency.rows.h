// The rows of strata gethostlatency, and the records that they are made from.
#pragma once

#include <string>

#include "base/text.h"
#include "gethostlatency/gethostlatency.h"
#include "kern/errno.h"
#include "kern/inet.h"
#include "kern/netdb.h"
#include "run/events.h"

namespace strata {
namespace {

constexpr Column kColumns[] = {
    {.key = "time_ns", .title = "TIME", .unit = Unit::kWallNs, .width = -15, .help = "when the function returned"},
    {.key = "tgid", .title = "PID", .width = 7, .help = "the process"},
    {.key = "tid", .title = "TID", .width = 7, .help = "the thread", .by_default = false},
    {.key = "comm", .title = "COMM", .width = -15, .help = "its name"},
    {.key = "call", .title = "CALL", .width = -16, .help = "the function", .by_default = false},
    {.key = "lat_ns", .title = "LATENCY", .unit = Unit::kNs, .width = 7, .help = "how long it took"},
    {.key = "result",
     .title = "RESULT",
     .width = -14,
     .help = "ok, the error, \"unfinished\" (it never returned), \"under way\" (at the end of the run)"},
    {.key = "found", .title = "OK", .width = -3, .help = "was it found?", .by_default = false},
    {.key = "host", .title = "HOST", .help = "the name, or the address whose name was asked for"},
};

constexpr WireField kFields[] = {
    WIRE_NUMBER(host_event, ts_ns),   WIRE_NUMBER(host_event, lat_ns),   WIRE_NUMBER(host_event, addr_hi),
    WIRE_NUMBER(host_event, addr_lo), WIRE_NUMBER(host_event, call),     WIRE_NUMBER(host_event, outcome),
    WIRE_NUMBER(host_event, code),    WIRE_NUMBER(host_event, has_name), WIRE_NUMBER(host_event, tgid),
    WIRE_NUMBER(host_event, tid),     WIRE_TEXT(host_event, comm),       WIRE_TEXT(host_event, name),
};
constexpr Wire kLookupWire = {"lookup", sizeof(host_event), kFields};

// In the order of enum host_call.
constexpr std::string_view kCalls[] = {"getaddrinfo",      "gethostbyname", "gethostbyname2",  "gethostbyname_r",
                                       "gethostbyname2_r", "gethostbyaddr", "gethostbyaddr_r", "getnameinfo"};
static_assert(std::size(kCalls) == CALL_GETNAMEINFO + 1);

std::string result_text(const host_event &e) {
  switch (e.outcome) {
    case HOST_OK:
      return "ok";
    case HOST_EAI:
      return eai_name(e.code);
    case HOST_H_ERRNO:
      return h_errno_name(e.code);
    case HOST_ERRNO:
      return errno_name(e.code);
    case HOST_UNFINISHED:
      return "unfinished";
    case HOST_UNDER_WAY:
      return "under way";
    default:
      return "failed";
  }
}

// A name is longer than any host's may be where it fills its room.
Value host_of(const host_event &e) {
  if (e.has_name == 0) {
    if (e.addr_hi == 0 && e.addr_lo == 0) return {};
    return address_text({.hi = e.addr_hi, .lo = e.addr_lo});
  }
  const size_t bytes = strnlen(e.name, sizeof(e.name));
  return std::string(e.name, bytes) + (bytes + 1 < sizeof(e.name) ? "" : "...");
}

void give(const host_event &e, Cells &cells, Names &) {
  cells.number(e.ts_ns);
  cells.number(e.tgid);
  cells.number(e.tid);
  cells.comm(e.comm);
  cells.made(
      [&] { return e.call < std::size(kCalls) ? std::string(kCalls[e.call]) : "call " + std::to_string(e.call); });
  cells.number(e.lat_ns);
  cells.made([&] { return result_text(e); });
  cells.value(e.outcome == HOST_OK);
  cells.made([&] { return host_of(e); });
}

constexpr std::string_view kLosses[] = {"name could not be read", "program whose libraries nobody looked at"};
const Events kEvents = events_of<host_event, give>(kLookupWire, kLosses);

}  // namespace
}  // namespace strata
