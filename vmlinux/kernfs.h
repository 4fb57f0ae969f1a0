/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes of sysfs and of cgroups: include/linux/kernfs.h, kobject.h */
#pragma once

#include "core.h"
#include "trees.h"

struct kernfs_elem_dir {
	struct rb_root children;
} CORE;

struct kernfs_node {
	union {
		struct kernfs_elem_dir dir;
	};
	__u64 id; /* of a group's directory: its inode */
} CORE;

struct kobject {
	struct kernfs_node *sd; /* its directory in sysfs */
} CORE;
