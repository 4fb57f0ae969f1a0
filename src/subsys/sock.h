// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the tools on TCP sockets have in common: options, the constants of bpf/lib/net/sock_filter.h, and how the fields
// of a record become columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "cli/option.h"
#include "kern/inet.h"
#include "lib/net/sock_wire.h"
#include "model/columns.h"
#include "model/record.h"
#include "run/uid_option.h"

namespace strata {

class Object;
class Values;

inline constexpr Option kIpv4Option = {
    .name = "ipv4", .short_name = '4', .help = "only IPv4, also of IPv6 sockets", .constant = "sock_want_ipv4"};
inline constexpr Option kIpv6Option = {.name = "ipv6", .short_name = '6', .help = "only IPv6"};
inline constexpr Option kLocalPortOption = {.name = "local-port",
                                            .short_name = 'L',
                                            .value = "PORT,...",
                                            .kind = OptionKind::kNumbers,
                                            .help = "only these ports of this end",
                                            .low = 1,
                                            .high = 65535};
inline constexpr Option kRemotePortOption = {.name = "remote-port",
                                             .short_name = 'D',
                                             .value = "PORT,...",
                                             .kind = OptionKind::kNumbers,
                                             .help = "only these ports of the other end",
                                             .low = 1,
                                             .high = 65535};
inline constexpr Option kRemoteOption = {.name = "remote",
                                         .short_name = 'A',
                                         .value = "ADDRESS",
                                         .kind = OptionKind::kText,
                                         .help = "only this other end, or subnet (10.0.0.0/8)"};
inline constexpr Option kLocalOption = {
    .name = "local", .value = "ADDRESS", .kind = OptionKind::kText, .help = "only this address of this end, or subnet"};
inline constexpr Option kSockUidOption =
    uid_option({.help = "only sockets of this user", .constant = "sock_uid", .constant_if_given = "sock_by_uid"});

inline constexpr Option kShowTimeOption = {.name = "time", .short_name = 'T', .help = "also show TIME"};

// What nearly all have; and what those have that are asked for addresses of this end, too.
inline constexpr Option kSockOptions[] = {kIpv4Option,       kIpv6Option,   kLocalPortOption,
                                          kRemotePortOption, kRemoteOption, kSockUidOption};
inline constexpr Option kSockOptionsWithLocal[] = {kIpv4Option,      kIpv6Option,       kLocalOption,  kRemoteOption,
                                                   kLocalPortOption, kRemotePortOption, kSockUidOption};

void prepare_socks(Object &object);                       // for what run() loads: room for what is known of each
void choose_socks(const Values &values, Object &object);  // and the options above; throws Error
void choose_ends(const Values &values, Object &object);   // the options alone, for a tool that keeps nothing of sockets

// The keys of all of which something is known; the addresses of sockets are among them.
std::vector<uint64_t> known_socks(const Object &object);

// The same of a socket that no program sees: does it pass the options? Their values are right.
bool socket_passes(const Values &values, const struct TcpSocket &socket);

// An address, or an address and a port, as text; of IPv4 made only where it is shown.
MaybeText endpoint(uint64_t hi, uint64_t lo, uint32_t port);
MaybeText address(uint64_t hi, uint64_t lo);
void write_endpoint(RowWriter &out, uint64_t hi, uint64_t lo, uint32_t port);
void write_address(RowWriter &out, uint64_t hi, uint64_t lo);

// What columns show of the struct sock_ends of a record, or of its key: an address and port, or the address alone.
template <typename Record>
const sock_ends &ends_of(const Record &record) {
  if constexpr (requires { record.ends; }) {
    return record.ends;
  } else {
    return record.key.ends;
  }
}
template <typename Record>
void write_local_end(const Record &record, RowWriter &out) {
  const sock_ends &ends = ends_of(record);
  write_endpoint(out, ends.local_hi, ends.local_lo, ends.local_port);
}
template <typename Record>
void write_remote_end(const Record &record, RowWriter &out) {
  const sock_ends &ends = ends_of(record);
  write_endpoint(out, ends.remote_hi, ends.remote_lo, ends.remote_port);
}
template <typename Record>
void write_local_address(const Record &record, RowWriter &out) {
  write_address(out, ends_of(record).local_hi, ends_of(record).local_lo);
}
template <typename Record>
void write_remote_address(const Record &record, RowWriter &out) {
  write_address(out, ends_of(record).remote_hi, ends_of(record).remote_lo);
}

// The columns of both ends, each an address and a port. Of this end the port is shown, and --columns has the rest: two
// addresses and what there is to say of them are more than 80 columns, and this end's is one of a few.
template <typename Record>
constexpr Field local_end() {
  return {COMPUTED(write_local_end<Record>),
          .key = "local",
          .title = "LOCAL",
          .address = true,
          .width = kEndpointWidth,
          .help = "address and port of this end",
          .hidden = true};
}
template <typename Record>
constexpr Field remote_end() {
  return {COMPUTED(write_remote_end<Record>),
          .key = "remote",
          .title = "REMOTE",
          .address = true,
          .width = kEndpointWidth,
          .help = "address and port of the other end"};
}
constexpr Field local_port_column(const Field &column) {
  return completed(column, {.key = "local_port", .title = "LPORT", .width = 5, .help = "port of this end"});
}

// The address alone.
template <typename Record>
constexpr Field local_address() {
  return {
      COMPUTED(write_local_address<Record>), .key = "local_address", .title = "LADDR", .address = true, .width = -15,
      .help = "the address alone",           .hidden = true};
}
template <typename Record>
constexpr Field remote_address() {
  return {COMPUTED(write_remote_address<Record>),
          .key = "remote_address",
          .title = "RADDR",
          .address = true,
          .width = -15,
          .help = "the address alone",
          .hidden = true};
}

// The name of a task whose tgid is 0 where it is not known. The name may be known alone: of a task in another PID
// namespace.
template <typename Record>
void owner_comm(const Record &record, RowWriter &out) {
  if constexpr (requires { record.comm; }) {
    record.tgid != 0 ? out.comm(record.comm) : out.none();
  } else {
    owner_comm(record.key, out);
  }
}

// Time from one moment to another; no value where the first, being 0, is not known.
inline std::optional<uint64_t> elapsed_ns(uint64_t since_ns, uint64_t ts_ns) {
  return if_known(since_ns != 0, ts_ns - std::min(ts_ns, since_ns));
}

// Fields of a struct sock_ends: the addresses, which are recorded alone, and columns that only --columns shows.
#define ENDS_STORED(type, ends)                                                                   \
  {STORED(type, ends.local_hi)}, {STORED(type, ends.local_lo)}, {STORED(type, ends.remote_hi)}, { \
    STORED(type, ends.remote_lo)                                                                  \
  }
#define ENDS_PARTS(type, ends)                                                                                    \
  local_end<type>(), local_address<type>(), remote_address<type>(), {                                             \
    STORED(type, ends.remote_port), .key = "remote_port", .title = "RPORT", .width = 5, .help = "the port alone", \
                                    .hidden = true                                                                \
  }

}  // namespace strata
