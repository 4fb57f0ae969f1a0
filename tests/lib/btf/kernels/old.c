// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A kernel of a few types, for the cases: the older one. What it lacks or has otherwise stands in new.c.
struct inode {
	unsigned long i_ino;
};

struct page {
	unsigned long flags;
};

struct file {
	struct inode *f_inode;
	unsigned int f_flags;
	long long f_pos;
	struct page *f_head;
	int f_owner;
	unsigned int f_ready : 1;
	union {
		struct {
			unsigned int f_count;
		};
		unsigned long f_word;
	};
	char f_name[16];
	int f_old_size;
};

enum level { LOW, HIGH };

typedef void (*btf_trace_opened)(void *data, struct file *file);
typedef void (*btf_trace_opened_old)(void *data, struct file *file);

struct inode kept_inode;
struct file kept_file;
struct page kept_page;
enum level kept_level;
btf_trace_opened kept_opened;
btf_trace_opened_old kept_opened_old;

int vfs_open(struct file *file)
{
	return file->f_flags;
}
