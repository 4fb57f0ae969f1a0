// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Programs that do nothing, for scripts/bench: what a hook costs before a tool has run a single
 * instruction. attach.c gives each hook one program of the variant that the tool has there, so
 * that no list of hooks is kept here. 64 of each, more than a tool has hooks.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#define EMPTY(variant, section, n)                                                                 \
	SEC(section) int variant##_##n(void *ctx)                                                  \
	{                                                                                          \
		return 0;                                                                          \
	}

#define EACH(n)                                                                                    \
	EMPTY(btf, "tp_btf", n)                                                                    \
	EMPTY(raw, "raw_tp", n)                                                                    \
	EMPTY(fentry, "fentry", n)                                                                 \
	EMPTY(fexit, "fexit", n)                                                                   \
	EMPTY(kprobe, "kprobe", n)                                                                 \
	EMPTY(kretprobe, "kretprobe", n)

#define EIGHT(n) EACH(n##0) EACH(n##1) EACH(n##2) EACH(n##3) EACH(n##4) EACH(n##5) EACH(n##6) EACH(n##7)

EIGHT(0)
EIGHT(1)
EIGHT(2)
EIGHT(3)
EIGHT(4)
EIGHT(5)
EIGHT(6)
EIGHT(7)

char LICENSE[] SEC("license") = "Dual BSD/GPL";
