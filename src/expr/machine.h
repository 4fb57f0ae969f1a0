// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where a machine's registers lie in struct pt_regs, and in which of them a function has its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace strata::expr {

// How arguments are passed; each machine's is known on the other (expr/program_arguments.cpp).
enum class Convention : uint8_t { kX86, kArm64 };

struct RegisterName {
  std::string_view name;
  int offset;
};
inline constexpr RegisterName kX86Registers[] = {
    {"r15", 0},  {"r14", 8},  {"r13", 16},    {"r12", 24}, {"bp", 32},  {"bx", 40},  {"r11", 48}, {"r10", 56},
    {"r9", 64},  {"r8", 72},  {"ax", 80},     {"cx", 88},  {"dx", 96},  {"si", 104}, {"di", 112}, {"orig_ax", 120},
    {"ip", 128}, {"cs", 136}, {"flags", 144}, {"sp", 152}, {"ss", 160}, {"pc", 128}};
inline constexpr RegisterName kArm64Registers[] = {
    {"r0", 0},    {"r1", 8},    {"r2", 16},   {"r3", 24},   {"r4", 32},   {"r5", 40},   {"r6", 48},
    {"r7", 56},   {"r8", 64},   {"r9", 72},   {"r10", 80},  {"r11", 88},  {"r12", 96},  {"r13", 104},
    {"r14", 112}, {"r15", 120}, {"r16", 128}, {"r17", 136}, {"r18", 144}, {"r19", 152}, {"r20", 160},
    {"r21", 168}, {"r22", 176}, {"r23", 184}, {"r24", 192}, {"r25", 200}, {"r26", 208}, {"r27", 216},
    {"r28", 224}, {"r29", 232}, {"r30", 240}, {"lr", 240},  {"sp", 248},  {"pc", 256},  {"pstate", 264}};

#if defined(__x86_64__)
inline constexpr Convention kOwnConvention = Convention::kX86;
inline constexpr auto &kRegisters = kX86Registers;
inline constexpr int kArguments[] = {112, 104, 96, 88, 72, 64};
inline constexpr int kResult = 80, kInstruction = 128;
inline constexpr int kModeAt = 136, kModeBits = 3, kUserMode = 3;  // cs: the privilege level
inline constexpr int kStackPointer = 152, kStackArguments = 8;     // those behind the address that it returns to
#elif defined(__aarch64__)
inline constexpr Convention kOwnConvention = Convention::kArm64;
inline constexpr auto &kRegisters = kArm64Registers;
inline constexpr int kArguments[] = {0, 8, 16, 24, 32, 40, 48, 56};
inline constexpr int kResult = 0, kInstruction = 256;
inline constexpr int kModeAt = 264, kModeBits = 15, kUserMode = 0;  // pstate: the exception level
inline constexpr int kStackPointer = 248, kStackArguments = 0;
#endif

}  // namespace strata::expr
