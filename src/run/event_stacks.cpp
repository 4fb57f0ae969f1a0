// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "run/event_stacks.h"

#include "run/resolver.h"

namespace strata {
namespace {

void write_stack(const Field &, const RecordView &record, RowWriter &out) {
  record.stack == 0 ? out.none() : out.text(record.resolver.stack(record.stack));
}

constexpr Field kFields[] = {{STORED(event_stack, stack), .pointer = true}};

}  // namespace

const Field kEventStack = {.decode = {.write = write_stack, .type = Type::kText},
                           .key = "stack",
                           .title = "STACK",
                           .unit = Unit::kStack,
                           .help = "functions, innermost first; _[k]: of the kernel",
                           .with = kStackWanted};
const RecordType kEventStackRecord = about(About::kNext, record_type<event_stack>("event_stack", kFields));

}  // namespace strata
