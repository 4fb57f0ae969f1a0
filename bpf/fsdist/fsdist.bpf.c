// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How long reads, writes, opens and fsyncs of files take: a slot for each. */
#include "core.h"

#include "fsdist.h"
#include "lib/fs/calls.h"
#include "lib/core/hist.h"

const volatile bool by_type;
const volatile bool by_process;

HISTS(latencies, FS_OPS);
HIST_BY(latencies_by, struct fsdist_key, 65536);

static __always_inline void fs_began(struct fs_start *s)
{
}

static __always_inline int fs_done(struct fs_start *s, struct fs_call *c)
{
	struct fsdist_key key = {};

	if (!by_type && !by_process) {
		hists_add(&latencies, c->op, c->lat_ns);
		return 0;
	}
	key.slot = c->op * HIST_SLOTS + hist_slot(c->lat_ns);
	if (by_type)
		key.fs = c->fs + 1;
	if (by_process) {
		key.tgid = filter_pid_tgid() >> 32;
		bpf_get_current_comm(key.comm, sizeof(key.comm));
	}
	hist_add_by(&latencies_by, &key, c->lat_ns);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
