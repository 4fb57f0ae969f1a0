// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "bpf/block_args.h"

#include <cstdint>

#include "bpf/object.h"
#include "btf/kernel_types.h"

namespace strata {

void set_block_args(Object &object) {
  object.set_constant("queue_args", uint32_t{tracepoint_args("block_bio_queue") == 2});
  object.set_constant("request_queue_args", uint32_t{tracepoint_args("block_rq_issue") == 2});
}

}  // namespace strata
