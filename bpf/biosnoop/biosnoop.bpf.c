// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A record for each block I/O at its end. */
#include "core.h"

#define IO_WITH_FILE true
#include "lib/block/io.h"

const volatile __u64 min_ns; /* only I/O that took at least so long */
const volatile bool failed_only;

static __always_inline bool is_fast(const struct block_io *io)
{
	return io->ts_ns - (io->start_ns ?: io->issue_ns) < min_ns;
}

static __always_inline void io_done(struct block_io *io)
{
	struct block_io *e;

	if ((failed_only && !io->result) || (min_ns && is_fast(io)))
		return;
	e = emit_reserve_with(sizeof(*e), io_stack(io));
	if (!e)
		return;
	*e = *io;
	emit_submit(e, sizeof(*e));
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
