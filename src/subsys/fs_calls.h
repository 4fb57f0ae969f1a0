// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What the tools of bpf/lib/fs/calls.h share: reads, writes, opens, fsyncs and copies, by the functions of the file
// systems that are asked for, else by system calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "bpf/variant.h"
#include "cli/option.h"

namespace strata {

class Object;
class Values;

extern const std::span<const Hook> kFsHooks;
inline constexpr std::string_view kFsLosses[] = {"return not seen", "descriptor closed during the call",
                                                 "calls of 32-bit programs"};  // from LOSS_TOOL

inline constexpr std::string_view kFsOps[] = {"read", "write", "open", "fsync", "copy"};
std::vector<std::string> fs_type_names();

inline constexpr Option kFsTypeOption = {
    .name = "type",
    .value = "TYPE",
    .kind = OptionKind::kTexts,
    .help = "only this file system: ext4, xfs, btrfs, f2fs, nfs, fuse, bcachefs, zfs, overlay; repeatable",
    .candidates = fs_type_names};
inline constexpr Option kFsOpOption = {.name = "op",
                                       .value = "OP",
                                       .kind = OptionKind::kTexts,
                                       .help = "only this operation: read, write, open, fsync, copy; repeatable",
                                       .candidates = [] { return candidates_of(kFsOps); }};
inline constexpr Option kFsViaOption = choice_option({.name = "via",
                                                      .value = "auto|functions|syscalls",
                                                      .help = "where to measure; auto: by functions where permitted",
                                                      .default_value = "auto"});

// Chooses the hooks and sets their targets and constants. Throws Error: no such type or operation, not on this host.
void choose_fs_calls(Object &object, const Values &values);
void choose_all_fs_calls(Object &object);  // as without options, for doctor

std::string_view fs_op_name(uint32_t op);  // "read", ...; "?" if unknown

}  // namespace strata
