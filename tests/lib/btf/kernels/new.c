// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// A kernel of a few types, for the cases: the newer one.
struct inode {
	unsigned long i_ino;
	unsigned int i_generation;
};

struct folio {
	struct {
		unsigned long f;
	} flags;
	unsigned long index;
};

struct page {
	unsigned long flags;
};

struct file {
	unsigned long long f_flags;
	long long f_pos;
	struct inode *f_inode;
	struct folio *f_head;
	unsigned int f_owner;
	unsigned char f_ready : 1;
	union {
		struct {
			unsigned int f_count;
		};
		unsigned long f_word;
	};
	char f_name[8];
	int f_new_size;
};

enum level { LOW, HIGH, HIGHEST };

typedef void (*btf_trace_opened)(void *data, struct file *file);

struct inode kept_inode;
struct file kept_file;
struct page kept_page;
struct folio kept_folio;
enum level kept_level;
btf_trace_opened kept_opened;

int vfs_open(struct file *file)
{
	return file->f_flags;
}
