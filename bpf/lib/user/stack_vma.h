/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The file of an address of which user space does not know the mapping yet, as in a program's first milliseconds: what the
 * kernel has mapped there, if a process that user space has looked at has mapped the same file.
 */
#pragma once

#include "fs.h"

#include "lib/user/stack_keep.h"
#include "lib/user/vma.h"

const volatile __u32 stack_page_shift = 12;

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, STACK_FILES);
	__type(key, struct stack_file_id);
	__type(value, struct stack_file);
} stack_files SEC(".maps");

/* Of the walk's ip. 0: it is in no file that is known. */
__noinline int stack_find_vma(void)
{
	struct stack_walk *walk = stack_walk();
	struct stack_file_id id = {};
	struct vm_area_struct *vma;
	struct stack_file *file;
	struct inode *inode;
	__u64 ip;

	if (!walk)
		return 0;
	ip = walk->ip - walk->called;
	vma = (void *)vma_at(ip);
	if (!vma || !(BPF_CORE_READ(vma, vm_flags) & VM_EXEC))
		return 0;
	inode = BPF_CORE_READ(vma, vm_file, f_inode);
	id.ino = BPF_CORE_READ(inode, i_ino);
	id.dev = BPF_CORE_READ(inode, i_sb, s_dev);
	file = bpf_map_lookup_elem(&stack_files, &id);
	if (!file)
		return 0;
	walk->keeps_words = 0; /* what is mapped there is not part of what is remembered */
	walk->address = ip - BPF_CORE_READ(vma, vm_start) + (BPF_CORE_READ(vma, vm_pgoff) << stack_page_shift) - file->bias;
	walk->page = file->page + (__u32)(walk->address >> UNWIND_PAGE_SHIFT);
	walk->tables = file->tables;
	walk->frame = STACK_FRAME_OF_FILE(file->number, walk->address);
	return 1;
}
