// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "unwind/eh_frame.h"

#include <initializer_list>
#include <string>

#include "base/test.h"

namespace strata {
namespace {

constexpr uint64_t kAddress = 0x400000;  // of the section

// Call frame information as an assembler writes it.
class Made {
 public:
  explicit Made(const UnwindRegisters &registers, std::string_view letters, std::string_view augmentation,
                std::string_view instructions)
      : registers_(registers) {
    std::string common(4, '\0');
    common += '\x01';
    common += letters;
    common += '\0';
    // Addresses by 1 or 4, offsets by -8, the return address.
    (common += registers.linked ? "\x04\x78" : "\x01\x78") += static_cast<char>(registers.return_address);
    if (!letters.empty()) (common += static_cast<char>(augmentation.size())) += augmentation;
    put(common + std::string(instructions));
  }
  explicit Made(std::string_view letters = "zR", std::string_view augmentation = {"\x1b", 1},
                std::string_view instructions = {"\x0c\x07\x08\x90\x01", 5})
      : Made(kX86Registers, letters, augmentation, instructions) {}

  // Of [from, from + size), by what the last common part says.
  Made &function(uint64_t from, uint32_t size, std::string_view instructions) {
    std::string entry;
    number(entry, static_cast<uint32_t>(bytes_.size() + 4 - common_));
    number(entry, static_cast<uint32_t>(from - (kAddress + bytes_.size() + 8)));
    number(entry, size);
    entry += '\0';
    put(entry + std::string(instructions));
    return *this;
  }
  Made &raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }

  [[nodiscard]] CallFrames read(UnwindRules &rules) const {
    return read_eh_frame(std::as_bytes(std::span(bytes_)), kAddress, rules, registers_);
  }
  [[nodiscard]] const std::string &bytes() const { return bytes_; }

 private:
  static void number(std::string &to, uint32_t value) { to.append(reinterpret_cast<const char *>(&value), 4); }
  void put(std::string part) {
    while (part.size() % 4 != 0) part += '\0';
    number(bytes_, static_cast<uint32_t>(part.size()));
    bytes_ += part;
  }

  const UnwindRegisters &registers_;
  std::string bytes_;
  size_t common_ = 0;
};

Made arm64(std::string_view letters = "zR", std::string_view augmentation = {"\x1b", 1}) {
  return Made(kArm64Registers, letters, augmentation, {"\x0c\x1f\x00", 3});
}

constexpr const char *kCfa[] = {"none", "unsupported", "end", "signal", "sp", "fp", "*sp", "*fp", "rdi, sp", "plt"};
constexpr const char *kFp[] = {"", ", fp at cfa", ", fp at fp", ", fp lost"};

std::string text(const unwind_rule &rule) {
  std::string all = kCfa[rule.cfa];
  if (rule.cfa >= UNWIND_SP && rule.cfa < UNWIND_PLT) all += "+" + std::to_string(rule.cfa_offset);
  if (rule.cfa_added != 0) all += " +" + std::to_string(rule.cfa_added);  // of arm64 where the return address is
  all += kFp[rule.fp];
  return rule.fp_offset == 0 ? all : all + std::to_string(rule.fp_offset);
}

// "1000 sp+8; 1001 sp+16; 1010 none"
std::string rows(const Made &made) {
  UnwindRules rules;
  std::string all;
  for (const UnwindRow &row : made.read(rules).rows) {
    char address[20];
    snprintf(address, sizeof(address), "%s%lx ", all.empty() ? "" : "; ", static_cast<unsigned long>(row.address));
    all += address + text(rules.all()[row.rule]);
  }
  return all;
}

std::string frame(std::string_view instructions) {
  const std::string all = rows(Made().function(0x1000, 16, instructions));
  const size_t end = all.rfind("; 1010 none");
  REQUIRE(end != std::string::npos);
  return all.substr(5, end - 5);
}

#define BYTES(text) std::string_view(text, sizeof(text) - 1)

}  // namespace

TEST_CASE("call frames of a function that pushes rbp and makes it the frame pointer") {
  // push %rbp at 1000, mov %rsp,%rbp at 1001, leave before 100f
  const auto made = Made().function(0x1000, 16, BYTES("\x41\x0e\x10\x86\x02\x43\x0d\x06\x4b\x0c\x07\x08"));
  CHECK(rows(made) ==
        "1000 sp+8; 1001 sp+16, fp at cfa-16; 1004 fp+16, fp at cfa-16; "
        "100f sp+8, fp at cfa-16; 1010 none");
}

TEST_CASE("call frames: each instruction") {
  CHECK(frame("") == "sp+8");
  CHECK(frame(BYTES("\x02\x04\x0e\x20")) == "sp+8; 1004 sp+32");
  CHECK(frame(BYTES("\x03\x04\x00\x0e\x20")) == "sp+8; 1004 sp+32");
  CHECK(frame(BYTES("\x04\x04\x00\x00\x00\x0e\x20")) == "sp+8; 1004 sp+32");
  CHECK(frame(BYTES("\x13\x7c")) == "sp+32");
  CHECK(frame(BYTES("\x12\x06\x7c")) == "fp+32");
  CHECK(frame(BYTES("\x05\x06\x03")) == "sp+8, fp at cfa-24");
  CHECK(frame(BYTES("\x11\x06\x7f")) == "sp+8, fp at cfa8");
  CHECK(frame(BYTES("\x86\x02\x41\xc6")) == "sp+8, fp at cfa-16; 1001 sp+8");
  CHECK(frame(BYTES("\x86\x02\x41\x06\x06")) == "sp+8, fp at cfa-16; 1001 sp+8");
  CHECK(frame(BYTES("\x86\x02\x41\x08\x06")) == "sp+8, fp at cfa-16; 1001 sp+8");
  CHECK(frame(BYTES("\x0a\x0e\x40\x41\x0b")) == "sp+64; 1001 sp+8");
  CHECK(frame(BYTES("\x2e\x10\x41\x0e\x10")) == "sp+8; 1001 sp+16");
  CHECK(frame(BYTES("\x09\x06\x0a")) == "sp+8, fp lost");
  CHECK(frame(BYTES("\x07\x06")) == "sp+8, fp lost");
  CHECK(frame(BYTES("\x83\x03\x41\x8c\x04")) == "sp+8");  // registers that no walk needs
  CHECK(frame(BYTES("\x07\x10")) == "end");
  CHECK(frame(BYTES("\x0e\x00\x09\x10\x05")) == "rdi, sp+0");  // vfork(), whose child uses the same stack
}

TEST_CASE("call frames: expressions that compilers and linkers write") {
  CHECK(frame(BYTES("\x0f\x0b\x77\x08\x80\x00\x3f\x1a\x3b\x2a\x33\x24\x22")) == "plt +11");
  CHECK(frame(BYTES("\x0f\x03\x77\x10\x06")) == "*sp+16");
  CHECK(frame(BYTES("\x0f\x05\x77\x10\x06\x23\x08")) == "*sp+16 +8");
  CHECK(frame(BYTES("\x0f\x03\x76\x78\x06")) == "*fp+-8");
  CHECK(frame(BYTES("\x10\x06\x02\x76\x00")) == "sp+8, fp at fp");
  CHECK(frame(BYTES("\x10\x06\x02\x77\x00")) == "sp+8, fp lost");
}

TEST_CASE("call frames that no rule can say are unsupported, and no frame is invented") {
  CHECK(frame(BYTES("\x0c\x0a\x08")) == "unsupported");                     // the stack pointer is in r10
  CHECK(frame(BYTES("\x09\x10\x01")) == "unsupported");                     // the return address is in rdx
  CHECK(frame(BYTES("\x0d\x06\x09\x10\x05")) == "unsupported");             // is in rdi, but the frame begins at rbp
  CHECK(frame(BYTES("\x90\x02")) == "unsupported");                         // and here at another place
  CHECK(frame(BYTES("\x0f\x02\x77\x08\x22")) != "sp+8");                    // stray bytes
  CHECK(frame(BYTES("\x0f\x04\x77\x08\x06\x12")) == "unsupported");         // *(rsp+8), twice
  CHECK(frame(BYTES("\x44\x3f\x41\x0e\x10")) == "sp+8; 1004 unsupported");  // an instruction that nobody knows
  CHECK(frame(BYTES("\x41\x0b")) == "sp+8; 1001 unsupported");              // nothing was remembered
  CHECK(frame(BYTES("\x0e\xff\xff\xff\xff\xff\xff\xff\xff\x7f")) == "unsupported");
}

TEST_CASE("call frames of arm64: a function that saves the frame pointer and the link register") {
  // paciasp at 1000; stp x29, x30, [sp, #-32]! at 1004; mov x29, sp at 1008; ldp and ret before 1018
  const auto saves = BYTES("\x41\x2d\x41\x0e\x20\x9d\x04\x9e\x03\x41\x0d\x1d\x44\xde\xdd\x0c\x1f\x00");
  CHECK(rows(arm64().function(0x1000, 32, saves)) ==
        "1000 sp+0; 1008 sp+32 +-24, fp at cfa-32; 100c fp+32 +-24, fp at cfa-32; 101c sp+0; 1020 none");
  CHECK(rows(arm64().function(0x1000, 16, "")) == "1000 sp+0; 1010 none");  // one that calls nobody
  CHECK(rows(arm64("zRB").function(0x1000, 16, "")) == "1000 sp+0; 1010 none");
  CHECK(rows(arm64().function(0x1000, 16, BYTES("\x07\x1e"))) == "1000 end; 1010 none");
  CHECK(rows(arm64().function(0x1000, 16, BYTES("\x09\x1e\x05"))) == "1000 unsupported; 1010 none");  // in x5
  CHECK(rows(arm64().function(0x1000, 16, BYTES("\x0f\x03\x8f\x10\x06"))) == "1000 unsupported; 1010 none");
  CHECK(rows(arm64().function(0x1000, 16, BYTES("\x0e\x10\x9e\x80\x80\x01"))) == "1000 unsupported; 1010 none");
}

TEST_CASE("the kernel's frame of a signal") {
  const Made made = Made("zRS").function(0x1000, 16, "");
  CHECK(rows(made) == "1000 signal; 1010 none");
}

TEST_CASE("neighbours with the same rule are one, and so is padding between functions") {
  Made made;
  made.function(0x1040, 16, "").function(0x1000, 33, "").function(0x1030, 9, "\x41\x0e\x10");
  CHECK(rows(made) == "1000 sp+8; 1031 sp+16; 1040 sp+8; 1050 none");
  CHECK(rows(Made().function(0x1000, 16, "").function(0x1020, 16, "")) == "1000 sp+8; 1010 none; 1020 sp+8; 1030 none");
  UnwindRules rules;
  const CallFrames frames = made.read(rules);
  REQUIRE(frames.functions.size() == 3);
  CHECK(frames.functions[1].from == 0x1030);
  CHECK(frames.functions[1].to == 0x1039);
}

TEST_CASE("rows never lie outside of their function") {
  CHECK(rows(Made().function(0x1000, 2, BYTES("\x41\x0e\x10\x41\x0e\x18\x41\x0e\x20"))) ==
        "1000 sp+8; 1001 sp+16; 1002 none");
  CHECK(rows(Made().function(0x1000, 0, "")).empty());
  CHECK(rows(Made().function(0x1000, 16, "").function(0x1008, 16, "\x0e\x10")) == "1000 sp+8; 1010 none");
}

TEST_CASE("call frames that are cut short, or of unknown kinds") {
  UnwindRules rules;
  const std::string whole = Made().function(0x1000, 16, "").function(0x1010, 16, "\x0e\x10").bytes();
  for (size_t size = 0; size < whole.size(); size++) {
    const CallFrames frames =
        read_eh_frame(std::as_bytes(std::span(whole).first(size)), kAddress, rules, kX86Registers);
    CHECK(frames.functions.size() < 2);
  }
  CHECK(Made().function(0x1000, 16, "").raw("\x40\x01").read(rules).why_not_all ==
        "its call frame information is cut short");
  CHECK(rows(Made("eh", "").function(0x1000, 16, "")).empty());
  CHECK(rows(Made("zQR").function(0x1000, 16, "")).empty());
  CHECK(rows(Made("zR", {"\x9b", 1}).function(0x1000, 16, "")) == "1000 sp+8; 1010 none");  // indirect: not followed
  CHECK(rows(Made("zR", {"\x3b", 1}).function(0x1000, 16, "")).empty());
}

TEST_CASE("a common part that is referred to from everywhere is read once") {
  // 40,000 functions after a common part of 1 MiB: read anew for each, that would take minutes.
  const std::string nops(1 << 20, '\0');
  Made made("zR", {"\x1b", 1}, "\x0c\x07\x08\x90\x01" + nops);
  for (uint64_t i = 0; i < 40'000; i++) made.function(0x1000 + 16 * i, 16, "");
  UnwindRules rules;
  CHECK(made.read(rules).functions.size() == 40'000);
}

TEST_CASE("a function of five million rows is not kept, and that is said") {
  UnwindRules rules;
  const Made made = Made().function(0x1000, 16, "").function(0x1010, INT32_MAX, std::string(5'000'000, '\x41'));
  const CallFrames frames = made.read(rules);
  CHECK(frames.functions.size() == 1);
  CHECK(frames.why_not_all == "it has too many rows of call frame information");
}

TEST_CASE("rules: one that finds no room is unsupported") {
  UnwindRules rules;
  for (int i = 0; i < UNWIND_RULES - 2; i++) CHECK(rules.number({.cfa = UNWIND_SP, .cfa_offset = i}) == i + 2);
  CHECK(rules.number({.cfa = UNWIND_FP}) == UNWIND_RULE_UNSUPPORTED);
  CHECK(rules.number({.cfa = UNWIND_SP, .cfa_offset = 5}) == 7);
  CHECK(rules.all().size() == UNWIND_RULES);
}

}  // namespace strata
