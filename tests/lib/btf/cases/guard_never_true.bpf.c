// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A question to which every kernel says no is misspelt, or about a kernel that nobody supports any more. */
#include "case.h"

enum level {
	LOW,
	LOWEST,
};

struct file {
	int f_old_size;
	int f_new_seiz;
	long f_pos;
	__u32 f_pos_lock;
} CORE;

struct file___typed {
	char f_pos;
} CORE;

struct filp {
	int f_count;
} CORE;

SEC("raw_tp/opened") int guard(struct file **ctx)
{
	struct file *file = *ctx;
	struct file___typed *typed = (void *)file;

	if (bpf_core_field_exists(file->f_old_size))
		result += BPF_CORE_READ(file, f_old_size);
	if (bpf_core_field_exists(file->f_new_seiz)) /* expect: no kernel has struct file.f_new_seiz */
		result += BPF_CORE_READ(file, f_new_seiz);
	if (bpf_core_type_exists(struct filp)) /* expect: no kernel has struct filp */
		result++;
	if (bpf_core_enum_value_exists(enum level, LOWEST)) /* expect: no kernel has enumerator LOWEST of enum level */
		result++;
	if (bpf_core_field_exists(typed->f_pos)) /* expect: no kernel has struct file.f_pos as it is declared here: struct file.f_pos is read as char (1 byte) and is long long (8 bytes) */
		result++;
	return 0;
}
