// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/variant.h"

namespace strata {

namespace {

constexpr Variant kVariants[] = {
    {.suffix = "btf", .place = Place::kTracepoint, .need = Need::kTypedTracepoint, .rank = 0},
    {.suffix = "raw", .place = Place::kTracepoint, .need = Need::kRawTracepoint, .rank = 1},
    {.suffix = "tp", .place = Place::kElsewhere, .need = Need::kTracepoint, .rank = 2},
    {.suffix = "fentry", .place = Place::kFunction, .need = Need::kFentry, .rank = 0},
    {.suffix = "fexit", .place = Place::kFunction, .need = Need::kFentry, .rank = 0},
    {.suffix = "kprobe", .place = Place::kFunction, .need = Need::kKprobe, .rank = 1},
    {.suffix = "kretprobe", .place = Place::kFunction, .need = Need::kKprobe, .rank = 1},
    {.suffix = "uprobe", .place = Place::kElsewhere, .need = Need::kUprobe, .rank = 0},
    {.suffix = "uretprobe", .place = Place::kElsewhere, .need = Need::kUprobe, .rank = 0},
    {.suffix = "perf", .place = Place::kElsewhere, .need = Need::kPerfEvent, .rank = 0},
    {.suffix = "iter", .place = Place::kElsewhere, .need = Need::kIterator, .rank = 0},
};

}  // namespace

std::span<const Variant> variants() { return kVariants; }

std::pair<std::string_view, const Variant *> split_program_name(std::string_view program) {
  size_t at = program.rfind("__");
  if (at == std::string_view::npos || at == 0) return {program, nullptr};
  std::string_view suffix = program.substr(at + 2);
  for (const Variant &variant : kVariants) {
    if (suffix == variant.suffix) return {program.substr(0, at), &variant};
  }
  return {program, nullptr};
}

}  // namespace strata
