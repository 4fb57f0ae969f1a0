// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/thinning.h"

#include "bpf/mapped_array.h"
#include "bpf/object.h"

namespace strata {
namespace {

constexpr const char *kMemory = ".data.one_in";

}  // namespace

bool can_be_thinned(const Object &object) { return bpf_object__find_map_by_name(object.get(), kMemory) != nullptr; }

void allow_thinning(Object &object) {
  if (can_be_thinned(object)) object.set_constant("may_thin", true);
}

void thin_to(const Object &object, uint32_t one_in) { MappedArray<uint32_t>(object, kMemory)[0] = one_in; }

}  // namespace strata
