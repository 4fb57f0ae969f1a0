// What the tools on TCP sockets have in common: options, the knobs of bpf/lib/net/sock_filter.h, and how the fields of
// a record become columns.
#pragma once

#include <cstdint>
#include <vector>

#include "cli/option.h"
#include "kern/inet.h"
#include "lib/net/sock_wire.h"
#include "model/cells.h"
#include "model/column.h"
#include "rec/wire.h"

namespace strata {

class Object;
class Values;

inline constexpr Option kIpv4Option = {.name = "ipv4", .letter = '4', .help = "only IPv4, also of IPv6 sockets"};
inline constexpr Option kIpv6Option = {.name = "ipv6", .letter = '6', .help = "only IPv6"};
inline constexpr Option kLocalPortOption = {.name = "local-port",
                                            .letter = 'L',
                                            .value = "PORT,...",
                                            .kind = OptionKind::kNumbers,
                                            .help = "only these ports of this end",
                                            .low = 1,
                                            .high = 65535};
inline constexpr Option kRemotePortOption = {.name = "remote-port",
                                             .letter = 'D',
                                             .value = "PORT,...",
                                             .kind = OptionKind::kNumbers,
                                             .help = "only these ports of the other end",
                                             .low = 1,
                                             .high = 65535};
inline constexpr Option kRemoteOption = {.name = "remote",
                                         .letter = 'A',
                                         .value = "ADDRESS",
                                         .kind = OptionKind::kText,
                                         .help = "only this other end, or subnet (10.0.0.0/8)"};
inline constexpr Option kLocalOption = {
    .name = "local", .value = "ADDRESS", .kind = OptionKind::kText, .help = "only this address of this end, or subnet"};
inline constexpr Option kSockUidOption = {.name = "uid",
                                          .letter = 'u',
                                          .value = "UID",
                                          .kind = OptionKind::kNumber,
                                          .help = "only sockets of this user, by number",
                                          .high = UINT32_MAX};

// The parts of both ends, shown with --columns alone.
inline constexpr Column kLocalAddressColumn = {
    .key = "local_address", .title = "LADDR", .width = -15, .help = "the address alone", .by_default = false};
inline constexpr Column kLocalPortColumn = {
    .key = "local_port", .title = "LPORT", .width = 5, .help = "the port alone", .by_default = false};
inline constexpr Column kRemoteAddressColumn = {
    .key = "remote_address", .title = "RADDR", .width = -15, .help = "the address alone", .by_default = false};
inline constexpr Column kRemotePortColumn = {
    .key = "remote_port", .title = "RPORT", .width = 5, .help = "the port alone", .by_default = false};

void prepare_socks(Object &object);                       // for what run() loads: room for notes
void choose_socks(const Values &values, Object &object);  // and the options above; throws Error
void choose_ends(const Values &values, Object &object);   // the options alone, for a tool without notes

// The same of a socket that no program sees: does it pass the options? Their values are right.
bool sock_is_asked(const Values &values, const struct TcpSocket &socket);

// An IPv4 address is made to text only where it is shown.
Value endpoint(uint64_t hi, uint64_t lo, uint32_t port);
Value address(uint64_t hi, uint64_t lo);
void give_endpoint(Cells &cells, uint64_t hi, uint64_t lo, uint32_t port);
void give_wanted_address(Cells &cells, uint64_t hi, uint64_t lo);
inline void give_address(Cells &cells, uint64_t hi, uint64_t lo) {
  cells.wanted() ? give_wanted_address(cells, hi, lo) : cells.none();
}

void give_ends(Cells &cells, const sock_ends &ends);       // local, remote: each an address and a port
void give_end_parts(Cells &cells, const sock_ends &ends);  // kLocalAddressColumn and so on, in their order

#define WIRE_ENDS(type, field)                                                           \
  {"local_hi", offsetof(type, field.local_hi), sizeof(sock_ends::local_hi)},             \
      {"local_lo", offsetof(type, field.local_lo), sizeof(sock_ends::local_lo)},         \
      {"remote_hi", offsetof(type, field.remote_hi), sizeof(sock_ends::remote_hi)},      \
      {"remote_lo", offsetof(type, field.remote_lo), sizeof(sock_ends::remote_lo)},      \
      {"local_port", offsetof(type, field.local_port), sizeof(sock_ends::local_port)}, { \
    "remote_port", offsetof(type, field.remote_port), sizeof(sock_ends::remote_port)     \
  }

}  // namespace strata
