// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "kern/inet.h"

#include <arpa/inet.h>
#include <endian.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>

#include "base/text.h"

namespace strata {
namespace {

constexpr int kBits = 128, kBitsBeforeIpv4 = 96;

// The first `bits` of 64 are set.
uint64_t mask_of(int bits) {
  if (bits <= 0) return 0;
  return bits >= 64 ? UINT64_MAX : ~(UINT64_MAX >> bits);
}

// "7.", "10.", "255.": the bytes behind are spaces.
struct Octet {
  char text[4];
  uint8_t bytes;
};

constexpr std::array<Octet, 256> kOctets = [] {
  std::array<Octet, 256> octets = {};
  for (int number = 0; number < 256; number++) {
    Octet &octet = octets[static_cast<size_t>(number)];
    for (char &c : octet.text) c = ' ';
    if (number >= 100) octet.text[octet.bytes++] = static_cast<char>('0' + number / 100);
    if (number >= 10) octet.text[octet.bytes++] = static_cast<char>('0' + number / 10 % 10);
    octet.text[octet.bytes++] = static_cast<char>('0' + number % 10);
    octet.text[octet.bytes++] = '.';
  }
  return octets;
}();

// With spaces behind.
struct StateName {
  char text[17];
  uint8_t bytes;
};
constexpr StateName kStates[] = {{"                ", 0}, {"ESTABLISHED     ", 11}, {"SYN_SENT        ", 8},
                                 {"SYN_RECV        ", 8}, {"FIN_WAIT1       ", 9},  {"FIN_WAIT2       ", 9},
                                 {"TIME_WAIT       ", 9}, {"CLOSE           ", 5},  {"CLOSE_WAIT      ", 10},
                                 {"LAST_ACK        ", 8}, {"LISTEN          ", 6},  {"CLOSING         ", 7},
                                 {"NEW_SYN_RECV    ", 12}};

bool parse_address(const std::string &text, Address &address) {
  in_addr ipv4 = {};
  uint64_t halves[2];
  if (inet_pton(AF_INET, text.c_str(), &ipv4) == 1) {
    address = {0, kIpv4 | ntohl(ipv4.s_addr)};
    return true;
  }
  if (inet_pton(AF_INET6, text.c_str(), halves) != 1) return false;
  address = {be64toh(halves[0]), be64toh(halves[1])};
  return true;
}

bool parse_prefix(std::string_view text, int most, int &bits) {
  const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), bits);
  return err == std::errc() && end == text.data() + text.size() && bits >= 0 && bits <= most;
}

}  // namespace

Address ipv4_address(uint32_t number) { return {0, kIpv4 | number}; }

std::string address_text(Address address) {
  char text[INET6_ADDRSTRLEN];
  if (is_ipv4(address)) {
    const in_addr ipv4 = {htonl(static_cast<uint32_t>(address.lo))};
    return inet_ntop(AF_INET, &ipv4, text, sizeof(text));
  }
  const uint64_t halves[] = {htobe64(address.hi), htobe64(address.lo)};
  return inet_ntop(AF_INET6, halves, text, sizeof(text));
}

std::string endpoint_text(Address address, uint32_t port) {
  std::string text = address_text(address);
  if (!is_ipv4(address)) text = "[" + text + "]";
  return text + ":" + std::to_string(port);
}

std::string ipv4_text(uint64_t address) { return address_text({0, kIpv4 | (address & UINT32_MAX)}); }

std::string ipv4_endpoint_text(uint64_t endpoint) {
  char text[32];
  return {text, write_ipv4_endpoint(text, endpoint)};
}

// Of most lines it is the dearest part: no inet_ntop(), which is printf.
char *write_ipv4(char *out, uint64_t address) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    const Octet &octet = kOctets[address >> shift & UINT8_MAX];
    memcpy(out, octet.text, sizeof(octet.text));
    out += octet.bytes;
  }
  *--out = ' ';
  return out;
}

// The same few come again and again: of a listening socket, and of each end of a connection.
char *write_ipv4_endpoint(char *out, uint64_t endpoint) {
  struct Known {
    uint64_t endpoint;
    uint32_t bytes;  // 0: none
    char text[32];
  };
  static std::array<Known, 256> all_known;  // one thread
  Known &known = all_known[endpoint * 0x9E3779B97F4A7C15 >> 56];
  if (known.endpoint != endpoint || known.bytes == 0) {
    memset(known.text, ' ', sizeof(known.text));
    char *end = write_ipv4(known.text, endpoint >> 16);
    *end++ = ':';
    known.bytes = static_cast<uint32_t>(write_decimal(end, endpoint & UINT16_MAX) - known.text);
    known.endpoint = endpoint;
  }
  memcpy(out, known.text, sizeof(known.text));
  return out + known.bytes;
}

bool is_in(const Subnet &subnet, Address address) {
  return (address.hi & subnet.mask.hi) == subnet.address.hi && (address.lo & subnet.mask.lo) == subnet.address.lo;
}

bool parse_subnet(std::string_view text, Subnet &subnet) {
  const size_t slash = text.find('/');
  if (!parse_address(std::string(text.substr(0, slash)), subnet.address)) return false;
  const bool short_one = text.substr(0, slash).find(':') == std::string_view::npos;
  int bits = kBits;
  if (slash != std::string_view::npos) {
    if (!parse_prefix(text.substr(slash + 1), short_one ? kBits - kBitsBeforeIpv4 : kBits, bits)) return false;
    bits += short_one ? kBitsBeforeIpv4 : 0;
  }
  subnet.mask = {mask_of(bits), mask_of(bits - 64)};
  subnet.address = {subnet.address.hi & subnet.mask.hi, subnet.address.lo & subnet.mask.lo};
  return true;
}

char *write_tcp_state(char *out, uint64_t state) {
  if (state > 0 && state < std::size(kStates)) {
    memcpy(out, kStates[state].text, 16);
    return out + kStates[state].bytes;
  }
  memcpy(out, "state ", 6);
  return write_decimal(out + 6, state);
}

std::string tcp_state_name(uint64_t state) {
  char text[32];
  return {text, write_tcp_state(text, state)};
}

}  // namespace strata
