// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/sock.h"

#include <bpf/bpf.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/tcp_sockets.h"

namespace strata {
namespace {

constexpr uint32_t kNotes = 65536;  // sockets, and listening ones twice; more are a counted loss

void choose_ports(const Values &values, Object &object, const char *option, const char *constant) {
  const std::vector<uint64_t> &wanted = values.numbers(option);
  std::array<uint32_t, SOCK_PORTS> ports = {};
  if (wanted.size() > ports.size()) {
    throw usage_error(std::string("--") + option + " takes at most " + std::to_string(ports.size()) + " ports");
  }
  std::copy(wanted.begin(), wanted.end(), ports.begin());
  object.set_constant(constant, ports);
}

Subnet subnet_of(const Values &values, const std::string &end) {
  const std::string &text = values.text(end);
  Subnet subnet;
  if (!parse_subnet(text, subnet)) {
    throw usage_error("--" + end + " takes an address or a subnet, such as 10.0.0.0/8 or fe80::1, not '" +
                      printable(text) + "'");
  }
  return subnet;
}

// The constants sock_by_END, sock_END_hi, ... of --END.
void choose_subnet(const Values &values, Object &object, const std::string &end) {
  if (!values.given(end)) return;
  const Subnet subnet = subnet_of(values, end);
  object.set_constant("sock_by_" + end, true);
  object.set_constant("sock_" + end + "_hi", subnet.address.hi);
  object.set_constant("sock_" + end + "_lo", subnet.address.lo);
  object.set_constant("sock_" + end + "_mask_hi", subnet.mask.hi);
  object.set_constant("sock_" + end + "_mask_lo", subnet.mask.lo);
}

uint64_t packed(uint64_t lo, uint32_t port) { return (lo & UINT32_MAX) << 16 | (port & UINT16_MAX); }

}  // namespace

void prepare_socks(Object &object) { object.set_max_entries("sock_infos", kNotes); }

void choose_socks(const Values &values, Object &object) {
  prepare_socks(object);
  choose_ends(values, object);
}

std::vector<uint64_t> known_socks(const Object &object) {
  const int sets = object.map_fd("sock_sets"), infos = object.map_fd("sock_infos");
  std::vector<uint64_t> keys;
  sock_set set;
  for (uint32_t at = 0; at < 1U << SOCK_SET_BITS; at++) {
    if (bpf_map_lookup_elem(sets, &at, &set) != 0) continue;
    for (const sock_place &place : set.places)
      if (place.key != 0) keys.push_back(place.key);
  }
  uint64_t key = 0;
  for (const uint64_t *last = nullptr; bpf_map_get_next_key(infos, last, &key) == 0; last = &key) keys.push_back(key);
  return keys;
}

void choose_ends(const Values &values, Object &object) {
  if (values.given("ipv4") && values.given("ipv6")) throw usage_error("--ipv4 and --ipv6 exclude each other");
  object.set_constant("sock_filtered",
                      any_given(values, {"ipv4", "ipv6", "local-port", "remote-port", "remote", "local", "uid"}));
  object.set_constant("sock_by_family", values.given("ipv4") || values.given("ipv6"));
  choose_ports(values, object, "local-port", "sock_local_ports");
  choose_ports(values, object, "remote-port", "sock_remote_ports");
  choose_subnet(values, object, "remote");
  choose_subnet(values, object, "local");
}

bool socket_passes(const Values &values, const TcpSocket &socket) {
  const auto port_passes = [&](const char *option, uint32_t port) {
    const std::vector<uint64_t> &ports = values.numbers(option);
    return ports.empty() || std::find(ports.begin(), ports.end(), port) != ports.end();
  };
  const auto end_passes = [&](const char *end, Address address) {
    return !values.given(end) || is_in(subnet_of(values, end), address);
  };
  if (values.given("ipv4") && !is_ipv4(socket.local)) return false;
  if (values.given("ipv6") && is_ipv4(socket.local)) return false;
  if (values.given("uid") && socket.uid != values.number("uid")) return false;
  return end_passes("remote", socket.remote) && end_passes("local", socket.local) &&
         port_passes("local-port", socket.local_port) && port_passes("remote-port", socket.remote_port);
}

MaybeText endpoint(uint64_t hi, uint64_t lo, uint32_t port) {
  if (is_ipv4({hi, lo})) return LazyText{packed(lo, port), ipv4_endpoint_text};
  return endpoint_text({hi, lo}, port);
}

MaybeText address(uint64_t hi, uint64_t lo) {
  if (is_ipv4({hi, lo})) return LazyText{lo & UINT32_MAX, ipv4_text};
  return address_text({hi, lo});
}

void write_endpoint(RowWriter &out, uint64_t hi, uint64_t lo, uint32_t port) {
  if (is_ipv4({hi, lo})) return out.formatted(packed(lo, port), write_ipv4_endpoint);
  out.text(endpoint_text({hi, lo}, port));
}

void write_address(RowWriter &out, uint64_t hi, uint64_t lo) {
  if (is_ipv4({hi, lo})) return out.formatted(lo & UINT32_MAX, write_ipv4);
  out.text(address_text({hi, lo}));
}

}  // namespace strata
