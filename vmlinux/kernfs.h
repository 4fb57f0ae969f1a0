/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Nodes of sysfs and of cgroups: include/linux/kernfs.h, rbtree_types.h, kobject.h */
#pragma once

#include "core.h"

struct rb_node;

struct rb_root {
	struct rb_node *rb_node;
} CORE;

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
