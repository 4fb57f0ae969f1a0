// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Where the registers of x86-64 lie in struct pt_regs, and in which of them a function has its arguments.
#pragma once

#include <cstddef>
#include <string_view>

namespace strata::expr {

struct RegisterName {
  std::string_view name;
  int offset;
};
#if defined(__x86_64__)
inline constexpr RegisterName kRegisters[] = {
    {"r15", 0},  {"r14", 8},  {"r13", 16},    {"r12", 24}, {"bp", 32},  {"bx", 40},  {"r11", 48}, {"r10", 56},
    {"r9", 64},  {"r8", 72},  {"ax", 80},     {"cx", 88},  {"dx", 96},  {"si", 104}, {"di", 112}, {"orig_ax", 120},
    {"ip", 128}, {"cs", 136}, {"flags", 144}, {"sp", 152}, {"ss", 160}, {"pc", 128}};
inline constexpr int kArguments[] = {112, 104, 96, 88, 72, 64};
inline constexpr int kResult = 80, kInstruction = 128;
inline constexpr int kModeAt = 136, kModeBits = 3, kUserMode = 3;  // cs: the privilege level
inline constexpr int kStackPointer = 152, kStackArguments = 8;     // those behind the address that it returns to
inline constexpr bool kStandardCalls = true;                       // as expr/program_arguments.cpp has them
#elif defined(__aarch64__)
inline constexpr RegisterName kRegisters[] = {{"r0", 0},   {"r1", 8},   {"sp", 248},
                                              {"pc", 256}, {"lr", 240}, {"pstate", 264}};
inline constexpr int kArguments[] = {0, 8, 16, 24, 32, 40};
inline constexpr int kResult = 0, kInstruction = 256;
inline constexpr int kModeAt = 264, kModeBits = 15, kUserMode = 0;  // pstate: the exception level
inline constexpr int kStackPointer = 248, kStackArguments = 0;
inline constexpr bool kStandardCalls = false;
#endif

}  // namespace strata::expr
