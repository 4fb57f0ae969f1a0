/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How many copies a value of bpf/lib/core/counts.h has. Shared by both sides. */
#pragma once

enum { COUNT_SHARDS = 64 };
