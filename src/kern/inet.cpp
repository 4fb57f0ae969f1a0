#include "kern/inet.h"

#include <arpa/inet.h>
#include <endian.h>

#include <charconv>
#include <cstring>
#include <iterator>

namespace strata {
namespace {

constexpr uint64_t kIpv4 = uint64_t{0xffff} << 32;
constexpr int kBits = 128, kBitsBeforeIpv4 = 96;

// The first `bits` of 64 are set.
uint64_t mask_of(int bits) {
  if (bits <= 0) return 0;
  return bits >= 64 ? UINT64_MAX : ~(UINT64_MAX >> bits);
}

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

bool is_ipv4(Address address) { return address.hi == 0 && address.lo >> 32 == kIpv4 >> 32; }

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

// Of most lines it is the dearest part: no inet_ntop(), which is printf.
std::string ipv4_endpoint_text(uint64_t endpoint) {
  char text[sizeof("255.255.255.255:65535")], *at = text;
  for (int shift = 40; shift >= 16; shift -= 8) {
    at = std::to_chars(at, std::end(text), endpoint >> shift & UINT8_MAX).ptr;
    *at++ = shift > 16 ? '.' : ':';
  }
  at = std::to_chars(at, std::end(text), endpoint & UINT16_MAX).ptr;
  return {text, at};
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

std::string tcp_state_name(uint64_t state) {
  constexpr const char *kNames[] = {nullptr,     "ESTABLISHED", "SYN_SENT",    "SYN_RECV",   "FIN_WAIT1",
                                    "FIN_WAIT2", "TIME_WAIT",   "CLOSE",       "CLOSE_WAIT", "LAST_ACK",
                                    "LISTEN",    "CLOSING",     "NEW_SYN_RECV"};
  const bool known = state > 0 && state < std::size(kNames);
  return known ? kNames[state] : "state " + std::to_string(state);
}

}  // namespace strata
