// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "subsys/packet.h"

#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/fd.h"
#include "base/text.h"
#include "bpf/object.h"
#include "cli/values.h"
#include "kern/inet.h"
#include "kern/protocol.h"
#include "subsys/ip_header.h"
#include "subsys/sock.h"

namespace strata {
namespace {

constexpr const char *kOwnNetns = "/proc/self/ns/net";

bool is_number(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

std::string netns_path(const std::string &name) {
  if (name == "self") return kOwnNetns;
  if (is_number(name)) return "/proc/" + name + "/ns/net";
  return name.find('/') == std::string::npos ? "/run/netns/" + name : name;
}

Fd open_netns(const std::string &name) {
  if (name.empty()) throw usage_error("--netns takes self, a process's number, a name of ip netns, or a path");
  Fd fd(open(netns_path(name).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd && is_number(name)) throw Error("no such process: " + name);
  if (!fd) throw system_error("no network namespace " + printable(name));
  // Of another file setns() says so, and of a namespace of another kind, too.
  Fd own(open(kOwnNetns, O_RDONLY | O_CLOEXEC));
  if (setns(fd.get(), CLONE_NEWNET) != 0) throw system_error("no network namespace: " + printable(name));
  if (setns(own.get(), CLONE_NEWNET) != 0) throw system_error("cannot go back to the own network namespace");
  return fd;
}

uint32_t inode_of(const Fd &fd) {
  struct stat file = {};
  return fstat(fd.get(), &file) == 0 ? static_cast<uint32_t>(file.st_ino) : 0;
}

uint32_t ifindex_of(const std::string &device, const Fd &netns) {
  const Fd own(open(kOwnNetns, O_RDONLY | O_CLOEXEC));
  setns(netns.get(), CLONE_NEWNET);  // open_netns() has tried it
  const uint32_t ifindex = device.size() < IF_NAMESIZE ? if_nametoindex(device.c_str()) : 0;
  setns(own.get(), CLONE_NEWNET);
  if (ifindex == 0) throw Error("no network device " + printable(device) + " (see: ip link)");
  return ifindex;
}

// A device belongs to a namespace; without --netns, to strata's own.
void choose_devices(const Values &values, Object &object) {
  if (!values.given("netns") && !values.given("dev")) return;
  if (!values.given("netns")) {
    // Its number alone can be had without a privilege.
    const Fd own(open(kOwnNetns, O_RDONLY | O_CLOEXEC));
    object.set_constant("packet_netns", inode_of(own));
    object.set_constant("packet_ifindex", ifindex_of(values.text("dev"), own));
    return;
  }
  const Fd netns = open_netns(values.text("netns"));
  object.set_constant("packet_netns", inode_of(netns));
  if (values.given("dev")) object.set_constant("packet_ifindex", ifindex_of(values.text("dev"), netns));
}

void choose_protocols(const Values &values, Object &object) {
  if (values.given("ipv4") && values.given("ipv6")) throw usage_error("--ipv4 and --ipv6 exclude each other");
  if (values.given("ipv4")) object.set_constant("packet_family", uint32_t{0x0800});
  if (values.given("ipv6")) object.set_constant("packet_family", uint32_t{0x86dd});
  if (!values.given("protocol")) return;
  std::array<uint32_t, PACKET_PROTOCOL_FILTERS> wanted = {};
  size_t used = 0;
  for (const std::string_view name : split_commas(values.text("protocol"))) {
    const auto kind = parse_packet_kind(name);
    if (!kind) throw usage_error("--protocol takes names as tcp or arp, or numbers, not '" + printable(name) + "'");
    if (used == wanted.size())
      throw usage_error("--protocol takes at most " + std::to_string(wanted.size()) + " protocols");
    wanted[used++] = (kind->number | (kind->ethertype ? PACKET_IS_ETHERTYPE : 0)) + 1;
  }
  object.set_constant("packet_by_protocol", true);
  object.set_constant("packet_protocols", wanted);
}

void choose_ports(const Values &values, Object &object) {
  const std::vector<uint64_t> &wanted = values.numbers("port");
  std::array<uint32_t, PACKET_PORT_FILTERS> ports = {};
  if (wanted.size() > ports.size())
    throw usage_error("--port takes at most " + std::to_string(ports.size()) + " ports");
  std::copy(wanted.begin(), wanted.end(), ports.begin());
  object.set_constant("packet_by_ports", !wanted.empty());
  object.set_constant("packet_ports", ports);
}

void choose_address(const Values &values, Object &object) {
  if (!values.given("address")) return;
  const std::string &text = values.text("address");
  Subnet subnet;
  if (!parse_subnet(text, subnet)) {
    throw usage_error("--address takes an address or a subnet, such as 10.0.0.0/8 or fe80::1, not '" + printable(text) +
                      "'");
  }
  object.set_constant("packet_by_address", true);
  object.set_constant("packet_address_hi", subnet.address.hi);
  object.set_constant("packet_address_lo", subnet.address.lo);
  object.set_constant("packet_mask_hi", subnet.mask.hi);
  object.set_constant("packet_mask_lo", subnet.mask.lo);
}

MaybeText end_value(const packet &p, uint64_t hi, uint64_t lo, uint32_t port) {
  if (!(p.known & PACKET_ADDRESSES)) return {};
  return p.known & PACKET_PORTS ? endpoint(hi, lo, port) : address(hi, lo);
}

// Behind the header of IP: where a protocol has ports, these; type and code of ICMP.
std::string known_of_protocol(const packet &p) {
  std::string known;
  if (p.known & PACKET_PORTS) {
    append_network_order(known, p.source_port, 2);
    append_network_order(known, p.dest_port, 2);
  } else if (info_value(p) != Value()) {
    append_network_order(known, p.info, 2);
  }
  return known;
}

}  // namespace

void choose_packets(const Values &values, Object &object) {
  choose_devices(values, object);
  choose_protocols(values, object);
  choose_ports(values, object);
  choose_address(values, object);
}

bool asks_for_packets(const Values &values) {
  return any_given(values, {"dev", "netns", "protocol", "port", "address", "ipv4", "ipv6"});
}

Packet packet_of(const packet &p, uint64_t ts_ns, std::string_view headers, Direction direction) {
  std::string bytes(headers);
  if (bytes.empty() && (p.known & PACKET_ADDRESSES))
    bytes =
        ip_header({.source = {p.source_hi, p.source_lo}, .destination = {p.dest_hi, p.dest_lo}, .protocol = p.protocol},
                  p.bytes) +
        known_of_protocol(p);
  return {.ts_ns = ts_ns,
          .bytes = std::move(bytes),
          .size = p.bytes,
          .ifindex = p.ifindex,
          .netns = p.netns,
          .device = cstr(p.dev),
          .direction = direction};
}

MaybeText device_value(const char (&name)[16], uint32_t ifindex) {
  if (name[0] != '\0') return cstr(name);
  return ifindex != 0 ? Value("if" + std::to_string(ifindex)) : Value();
}

MaybeText ethertype_value(uint32_t ethertype) {
  if (ethertype == 0) return {};
  return ethertype & PACKET_FAMILY ? socket_family_name(ethertype & ~PACKET_FAMILY) : ethertype_name(ethertype);
}

MaybeText ip_protocol_value(uint32_t protocol) {
  return protocol >= PACKET_NO_PROTOCOL ? Value() : Value(ip_protocol_name(protocol));
}

MaybeText source_value(const packet &p) { return end_value(p, p.source_hi, p.source_lo, p.source_port); }
MaybeText dest_value(const packet &p) { return end_value(p, p.dest_hi, p.dest_lo, p.dest_port); }

MaybeText info_value(const packet &p) {
  const bool tcp = p.protocol == 6, icmp = p.protocol == 1, icmp6 = p.protocol == 58;
  if (tcp) return p.known & PACKET_PORTS ? Value(tcp_flag_names(p.info)) : Value();
  const bool read = !(p.known & (PACKET_FRAGMENT | PACKET_CUT | PACKET_MORE));
  return (icmp || icmp6) && read ? Value(icmp_text(p.info, icmp6)) : Value();
}

std::string known_text(const packet &p) {
  std::string text;
  const auto add = [&](bool so, const std::string &what) {
    if (so) (text += text.empty() ? "" : ", ") += what;
  };
  add(p.known & PACKET_VLAN, "vlan " + std::to_string(p.vlan));
  add(p.known & PACKET_FRAGMENT, "fragment");
  add(p.known & PACKET_CUT, "headers cut");
  add(p.known & PACKET_MORE, "more headers");
  return text;
}

}  // namespace strata
