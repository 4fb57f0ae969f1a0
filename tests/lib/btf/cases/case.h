// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What every case needs; each declares the part of struct file that it reads. */
#pragma once

#define __VMLINUX_H__

#include <linux/bpf.h>
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>

#define CORE __attribute__((preserve_access_index))

static __u64 result;
