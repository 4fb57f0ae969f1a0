// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/eh_frame.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "unwind/cursor.h"
#include "unwind/frame_program.h"

namespace strata {
namespace {

constexpr size_t kMostRows = 1 << 22;  // of a file: 64 MiB; libLLVM has a million before neighbours are merged
// Padding between functions never runs. A row for each such gap would be a fifth more.
constexpr uint64_t kPadding = 15;

enum PointerEncoding : uint8_t {  // Linux Standard Base, 10.5.1: a format, and in the upper bits what it is added to
  kAbsolute = 0x00,
  kUnsigned2 = 0x02,
  kUnsigned4 = 0x03,
  kUnsigned8 = 0x04,
  kSigned2 = 0x0a,
  kSigned4 = 0x0b,
  kSigned8 = 0x0c,
  kFormat = 0x0f,
  kRelative = 0x10,
  kBase = 0x70,
};

// What entries (FDE) have in common (CIE).
struct Common {
  uint8_t encoding = kAbsolute;
  bool has_augmentation = false, signal = false;
  uint64_t code_factor = 0;
  int64_t data_factor = 0;
  Frame frame;
};

struct Entry {
  uint64_t from, to;
  size_t first_row, rows;
};

class EhFrame {
 public:
  EhFrame(std::span<const std::byte> bytes, uint64_t address, UnwindRules &rules, const UnwindRegisters &registers)
      : bytes_(bytes), address_(address), rules_(rules), registers_(registers) {}

  CallFrames read() {
    for (Cursor in(bytes_); !in.done() && why_not_all_.empty();) {
      const size_t part = in.at();
      uint64_t length = in.number<uint32_t>();
      if (length == UINT32_MAX) length = in.number<uint64_t>();
      const size_t start = in.at();
      (void)in.take(length);
      if (!in.good()) why_not_all_ = "its call frame information is cut short";
      if (in.good() && length != 0) read_part(part, Cursor(bytes_.first(in.at()), start));
    }
    return joined();
  }

 private:
  void read_part(size_t part, Cursor in) {
    const size_t here = in.at();
    const auto back = in.number<uint32_t>();  // from here to what it has in common with others
    if (!in.good()) return;
    if (back == 0) {
      if (const std::optional<Common> common = read_common(in)) commons_.emplace(part, *common);
    } else if (const auto at = commons_.find(here - back); at != commons_.end()) {
      read_entry(in, at->second);
    }
  }

  // nullopt: of a version or a kind that is not known.
  std::optional<Common> read_common(Cursor in) {
    Common common{.frame = Frame(registers_)};
    std::string_view letters;
    const uint8_t version = in.byte();
    if (version != 1 && version != 3) return std::nullopt;
    const size_t from = in.at();
    while (in.byte() != 0) continue;
    if (in.good()) letters = {reinterpret_cast<const char *>(bytes_.data()) + from, in.at() - 1 - from};
    common.code_factor = in.uleb();
    common.data_factor = in.sleb();
    if ((version == 1 ? in.byte() : in.uleb()) != registers_.return_address) return std::nullopt;
    common.has_augmentation = letters.starts_with('z');
    if (!letters.empty() && !common.has_augmentation) return std::nullopt;
    if (common.has_augmentation && !read_augmentation(letters.substr(1), in, common)) return std::nullopt;
    const FrameProgram program = program_of(common, nullptr);
    (void)program.run(in, 0, common.frame);
    return in.good() ? std::optional(common) : std::nullopt;
  }

  bool read_augmentation(std::string_view letters, Cursor &in, Common &common) const {
    const uint64_t length = in.uleb();
    const size_t start = in.at();
    (void)in.take(length);
    if (!in.good()) return false;
    Cursor data(bytes_.first(in.at()), start);
    for (const char letter : letters) {
      if (letter == 'S') {
        common.signal = true;
      } else if (letter == 'R') {
        common.encoding = data.byte();
      } else if (letter == 'L') {
        (void)data.byte();
      } else if (letter == 'P') {
        (void)pointer(data, data.byte());
      } else if (letter == 'B') {
        continue;  // of arm64: which of its two keys addresses are signed by
      } else {
        return false;
      }
    }
    return data.good();
  }

  void read_entry(Cursor in, const Common &common) {
    const std::optional<uint64_t> from = pointer(in, common.encoding);
    const std::optional<uint64_t> bytes = pointer(in, common.encoding & kFormat);
    if (common.has_augmentation) (void)in.take(in.uleb());
    if (!from || !bytes || !in.good() || *from + *bytes <= *from) return;
    const Entry entry = {.from = *from, .to = *from + *bytes, .first_row = raw_.size(), .rows = 0};
    FrameProgram program = program_of(common, &common.frame);
    program.each = [&](const Frame &frame, uint64_t begin, uint64_t) {
      if (begin < entry.to) add(begin, frame, common);
    };
    Frame frame = common.frame;
    const uint64_t last = program.run(in, entry.from, frame);
    if (last < entry.to) add(last, frame, common);
    if (raw_.size() == kMostRows) {
      why_not_all_ = "it has too many rows of call frame information";
      raw_.resize(entry.first_row);
      return;
    }
    entries_.push_back({entry.from, entry.to, entry.first_row, raw_.size() - entry.first_row});
  }

  void add(uint64_t address, const Frame &frame, const Common &common) {
    const unwind_rule rule = common.signal ? unwind_rule{.cfa = UNWIND_SIGNAL} : frame.rule(registers_);
    if (raw_.size() < kMostRows) raw_.push_back({.address = address, .rule = rules_.number(rule)});
  }

  [[nodiscard]] FrameProgram program_of(const Common &common, const Frame *initial) const {
    return {.registers = registers_,
            .code_factor = common.code_factor,
            .data_factor = common.data_factor,
            .initial = initial,
            .address = [this, encoding = common.encoding](Cursor &in) { return pointer(in, encoding); }};
  }

  [[nodiscard]] std::optional<uint64_t> pointer(Cursor &in, uint8_t encoding) const {
    const uint64_t here = address_ + in.at();
    uint64_t value = 0;
    switch (encoding & kFormat) {
      case kAbsolute:
      case kUnsigned8:
      case kSigned8:
        value = in.number<uint64_t>();
        break;
      case kUnsigned2:
        value = in.number<uint16_t>();
        break;
      case kUnsigned4:
        value = in.number<uint32_t>();
        break;
      case kSigned2:
        value = static_cast<uint64_t>(int64_t{in.number<int16_t>()});
        break;
      case kSigned4:
        value = static_cast<uint64_t>(int64_t{in.number<int32_t>()});
        break;
      default:
        return std::nullopt;
    }
    const unsigned base = encoding & kBase;
    if (!in.good() || (base != 0 && base != kRelative)) return std::nullopt;
    return base == kRelative ? here + value : value;
  }

  // Of entries that overlap, which no linker makes, the first is taken.
  CallFrames joined() {
    CallFrames all;
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry &a, const Entry &b) { return a.from < b.from; });
    const auto put = [&](uint64_t address, uint16_t rule) {
      if (all.rows.empty() || all.rows.back().rule != rule) all.rows.push_back({.address = address, .rule = rule});
    };
    uint64_t end = 0;
    for (const Entry &entry : entries_) {
      if (!all.functions.empty() && entry.from < end) continue;
      if (!all.functions.empty() && entry.from - end > kPadding) put(end, UNWIND_RULE_NONE);
      for (size_t i = 0; i < entry.rows; i++) put(raw_[entry.first_row + i].address, raw_[entry.first_row + i].rule);
      all.functions.push_back({.from = entry.from, .to = entry.to});
      end = entry.to;
    }
    if (!all.functions.empty()) put(end, UNWIND_RULE_NONE);
    all.why_not_all = why_not_all_;
    return all;
  }

  std::span<const std::byte> bytes_;
  uint64_t address_;
  UnwindRules &rules_;
  const UnwindRegisters &registers_;
  std::unordered_map<size_t, Common> commons_;  // by where they stand: entries come later
  std::vector<UnwindRow> raw_;                  // those of each entry
  std::vector<Entry> entries_;
  std::string_view why_not_all_;
};

}  // namespace

CallFrames read_eh_frame(std::span<const std::byte> bytes, uint64_t address, UnwindRules &rules,
                         const UnwindRegisters &registers) {
  return EhFrame(bytes, address, rules, registers).read();
}

}  // namespace strata
