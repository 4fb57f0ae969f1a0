/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees: include/linux/rbtree_types.h, maple_tree.h */
#pragma once

#include "core.h"

struct rb_node {
	struct rb_node *rb_left, *rb_right;
} CORE;

struct rb_root {
	struct rb_node *rb_node;
} CORE;

/* Nodes of a tree of ranges, since 6.1: slot i is for what lies above pivot i - 1, up to pivot i. */
struct maple_range_64 {
	unsigned long pivot[15]; /* 0 from the first unused one on */
	void *slot[16];
} CORE;

struct maple_arange_64 {
	unsigned long pivot[9];
	void *slot[10];
} CORE;

enum maple_type { /* of a node, by bits of its address */
	maple_leaf_64 = 1,
	maple_arange_64 = 3,
};

struct maple_tree {
	void *ma_root;
} CORE;
