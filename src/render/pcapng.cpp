// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Packets for Wireshark, tshark and others: pcapng (draft-ietf-opsawg-pcapng), an interface for each device, and what a
// row says besides, such as process and reason, as the packet's comment. A packet has the headers that the record has,
// or as much of them as its fields tell, and nothing behind what is known: the original length is said, and readers
// show it as cut. Written by hand, as libpcap, the one library of it in Debian, only reads pcapng, and writes pcap,
// which has no comments.
#include <algorithm>
#include <map>
#include <tuple>

#include "model/packet.h"
#include "render/formats.h"
#include "render/value.h"

namespace strata {
namespace {

enum : uint32_t { kSection = 0x0a0d0d0a, kInterface = 1, kStatistics = 5, kPacket = 6, kMagic = 0x1a2b3c4d };
enum : uint16_t {
  kComment = 1,
  kSystem = 3,       // of a section
  kApplication = 4,  // of a section
  kName = 2,         // of an interface
  kDescription = 3,  // of an interface
  kResolution = 9,   // of an interface
  kFlags = 2,        // of a packet
  kDropped = 7,      // of statistics: by the system
  kRawIp = 101,      // LINKTYPE_RAW: IPv4 or IPv6, without a header in front
};
constexpr size_t kMostText = 0xffff;  // of an option

// What the packet or its interface says already.
constexpr std::string_view kSaid[] = {"dev", "ifindex", "netns", "local_port", "remote_port", "size_bytes"};
constexpr std::string_view kSaidByHeaders[] = {"ethertype", "protocol"};

bool is_one_of(std::string_view key, std::span<const std::string_view> keys) {
  return std::ranges::find(keys, key) != keys.end();
}

// Numbers of this machine's order, which the magic number tells.
class Block {
 public:
  explicit Block(uint32_t type) { add(type).add(uint32_t{0}); }

  template <std::unsigned_integral Number>
  Block &add(Number number) {
    bytes_.append(reinterpret_cast<const char *>(&number), sizeof(number));
    return *this;
  }
  Block &add_time(uint64_t ns) { return add(static_cast<uint32_t>(ns >> 32)).add(static_cast<uint32_t>(ns)); }
  Block &add_padded(std::string_view text) {
    bytes_ += text;
    bytes_.resize((bytes_.size() + 3) & ~size_t{3});
    return *this;
  }
  // UTF-8 that is too long loses its end, and no character its half.
  Block &option(uint16_t code, std::string_view text) {
    if (text.empty()) return *this;
    size_t length = std::min(text.size(), kMostText);
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) length--;
    has_options_ = true;
    return add(code).add(static_cast<uint16_t>(length)).add_padded(text.substr(0, length));
  }
  template <std::unsigned_integral Number>
  Block &option_number(uint16_t code, Number number) {
    return option(code, {reinterpret_cast<const char *>(&number), sizeof(number)});
  }
  std::string done() {
    if (has_options_) add(uint32_t{0});
    const auto length = static_cast<uint32_t>(bytes_.size() + sizeof(uint32_t));
    bytes_.replace(sizeof(uint32_t), sizeof(length), reinterpret_cast<const char *>(&length), sizeof(length));
    return std::move(add(length).bytes_);
  }

 private:
  std::string bytes_;
  bool has_options_ = false;
};

class PcapngSink : public Sink {
 public:
  using Sink::Sink;

  void put(const Item &item) override { dispatch(*this, item); }
  [[nodiscard]] bool wants_headers() const override { return true; }

  void on(const RunInfo &info) {
    clocks_ = info.head.clocks;
    for (const RecordType *type : info.records)
      if (type->packet != nullptr) packet_of_ = type->packet;
    const std::string version = info.head.version.empty() ? "" : " " + info.head.version;
    Block block(kSection);
    block.add(uint32_t{kMagic}).add(uint16_t{1}).add(uint16_t{0}).add(~uint64_t{0});
    if (!info.head.host.empty()) block.option(kComment, "host " + safe_text(Unit::kNone, info.head.host));
    if (!info.head.kernel.empty()) block.option(kSystem, "Linux " + safe_text(Unit::kNone, info.head.kernel));
    write(block.option(kApplication, "strata" + version + " " + std::string(info.tool)).done());
  }

  void on(const Event &event) {
    if (packet_of_ == nullptr) return;
    const Packet packet = packet_of_(event.record.data);
    const Row row = row_of(event.columns, event.record);
    const uint32_t interface = interface_of(packet);
    Block block(kPacket);
    block.add(interface).add_time(last_ns_ = clocks_.wall_ns(packet.ts_ns));
    const std::string_view bytes = std::string_view(packet.bytes).substr(0, packet.size);
    block.add(static_cast<uint32_t>(bytes.size())).add(packet.size).add_padded(bytes);
    block.option(kComment, comment(event.columns, row, !packet.bytes.empty()));
    for (size_t i = 0; i < row.size(); i++)
      if (event.columns[i].unit == Unit::kStack) block.option(kComment, stack_text(row[i]));
    if (packet.direction != Direction::kUnknown) block.option_number(kFlags, uint32_t(packet.direction));
    write(block.done());
  }

  // They are of no interface alone: the first one says them.
  void on(const Losses &losses) {
    if (losses.of.empty()) return;
    uint64_t lost = 0;
    Block block(kStatistics);
    block.add(interfaces_.empty() ? interface_of({}) : 0U).add_time(last_ns_);
    for (const Loss &loss : losses.of) {
      block.option(kComment, lost_text({.reason = loss.reason, .count = loss.count}));
      lost += loss.count;
    }
    write(block.option_number(kDropped, lost).done());
  }

 private:
  // A device belongs to a namespace, and may be renamed.
  uint32_t interface_of(const Packet &packet) {
    const auto number = static_cast<uint32_t>(interfaces_.size());
    const auto [place, is_new] = interfaces_.try_emplace({packet.netns, packet.ifindex, packet.device}, number);
    if (!is_new) return place->second;
    Block block(kInterface);
    block.add(uint16_t{kRawIp}).add(uint16_t{0}).add(uint32_t{0});
    block.option(kName, packet.device.empty() ? "" : safe_text(Unit::kNone, packet.device));
    block.option(kDescription, packet.ifindex == 0 ? "device not known"
                                                   : "ifindex " + std::to_string(packet.ifindex) + ", netns " +
                                                         std::to_string(packet.netns));
    write(block.option_number(kResolution, uint8_t{9}).done());
    return number;
  }

  // "comm sshd, tgid 812, cause timeout"
  [[nodiscard]] std::string comment(Schema columns, const Row &row, bool headers) const {
    std::vector<NamedValue> said;
    for (size_t i = 0; i < row.size(); i++) {
      const Field &column = columns[i];
      const bool is_none =
          std::holds_alternative<std::monostate>(row[i]) || value_text(column, row[i], clocks_).empty();
      if (is_none || column.unit == Unit::kWallNs || column.unit == Unit::kStack || column.address) continue;
      if (is_one_of(column.key, kSaid) || (headers && is_one_of(column.key, kSaidByHeaders))) continue;
      said.push_back({.column = &column, .value = row[i]});
    }
    return keys_text(said, clocks_);
  }

  static std::string stack_text(const Value &stack) {
    std::string text;
    if (const auto *functions = std::get_if<std::string>(&stack))
      for (const std::string_view one : frames_of(*functions))
        (text += text.empty() ? "" : "\n") += safe_text(Unit::kNone, one);
    return text;
  }

  Clocks clocks_;
  Packet (*packet_of_)(const void *record) = nullptr;
  std::map<std::tuple<uint32_t, uint32_t, std::string>, uint32_t> interfaces_;
  uint64_t last_ns_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_pcapng_sink(Writer writer) { return std::make_unique<PcapngSink>(std::move(writer)); }

}  // namespace strata
