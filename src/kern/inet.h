// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Internet addresses as the kernel's sockets have them, and the states of TCP, in words. An address is two numbers, the
// upper half first; an IPv4 address is ::ffff:a.b.c.d and is written without that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace strata {

struct Address {
  uint64_t hi = 0, lo = 0;
};

// All addresses with the same first bits.
struct Subnet {
  Address address, mask;
};

inline constexpr uint64_t kIpv4 = uint64_t{0xffff} << 32;  // ::ffff:0.0.0.0, its lower half
[[nodiscard]] inline bool is_ipv4(Address address) { return address.hi == 0 && address.lo >> 32 == kIpv4 >> 32; }
[[nodiscard]] Address ipv4_address(uint32_t number);        // 10.0.0.7 is 0x0a000007
std::string address_text(Address address);                  // "10.0.0.7", "fe80::1"
std::string endpoint_text(Address address, uint32_t port);  // "10.0.0.7:443", "[fe80::1]:443"
// The same of an IPv4 address, and of one and a port in one number, address << 16 | port.
std::string ipv4_text(uint64_t address);
std::string ipv4_endpoint_text(uint64_t endpoint);
// And where it stands; behind the end, at most kFormatterBytes bytes in all, spaces may be left. Both are `Formatter`
// of model/cells.h.
char *write_ipv4(char *out, uint64_t address);
char *write_ipv4_endpoint(char *out, uint64_t endpoint);
[[nodiscard]] bool is_in(const Subnet &subnet, Address address);
[[nodiscard]] bool parse_subnet(std::string_view text, Subnet &subnet);  // "10.0.0.0/8", "fe80::1"

// "ESTABLISHED"; the numbers are those of include/net/tcp_states.h, the same as BPF_TCP_*.
std::string tcp_state_name(uint64_t state);
char *write_tcp_state(char *out, uint64_t state);

}  // namespace strata
