// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Blocks that are allocated and not freed, in known functions; among them are many that are freed:
 *	leaks all SECONDS	one function of each kind below, in main's thread
 *	leaks threads SECONDS	3 threads, each in threaded(): 101 blocks of 1009 bytes
 *	leaks fork SECONDS	a child, in child_leaks(): 7 of 4099; it frees those of its parent, in parent_leaks(): 11 of 2003
 *	leaks later SECONDS	13 blocks of 4099 in early(), then, after a line on stdin, 17 of 4099 in late(), and frees early()'s
 *	leaks again SECONDS	the 13 of early(), and after SECONDS it executes itself, as `own`
 *	leaks often ROUNDS	so many times malloc() and free(), and nothing else
 *	leaks many N		N blocks of 64 bytes in many()
 *	leaks own SECONDS	a pool: own_new() and own_end(), in pooled(): 19 of 53 bytes
 *	leaks grow PAGES	so many small pages in each of by_mmap(), by_brk(), by_read(), by_sharing(), and in by_unmapping(),
 *				which gives them back; prints, as JSON, its resident bytes after that
 *	leaks regrow PAGES	the same, and once more after a line on stdin
 *	leaks rare SECONDS	61 of 701 by jemalloc's mallocx() in with_mallocx(), if it is there; else 59 of 4099 by pvalloc() in
 *				with_pvalloc(): jemalloc has none, and cannot free the C library's
 *	leaks hold N		N eventfds that are open, and N pages, until a line comes on stdin; besides N eventfds that were closed
 * With SECONDS it sleeps 0.5 s at first, until its mappings are known, and so long at its end. All below down(), which calls
 * itself 13 times; without frame pointers. In `all`, count and size of what is outstanding:
 *	with_malloc()		97 of 1009	with_calloc()		89 of 7 * 31	with_realloc()		83 of 2003, moved
 *	with_reallocarray()	79 of 11 * 13	with_memalign()		73 of 521	with_posix_memalign()	71 of 307
 *	failing()		67 of 401: a realloc() of each fails
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define DEPTH 13

static void *volatile kept[1 << 20];
static volatile int used, sink;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

ALONE static int keep(void *block)
{
	if (!block)
		exit(3);
	pthread_mutex_lock(&lock);
	kept[used++] = block;
	pthread_mutex_unlock(&lock);
	return used;
}

ALONE static int with_malloc(void)
{
	int i;

	for (i = 0; i < 97; i++) {
		keep(malloc(1009));
		free(malloc(1013));
	}
	free(NULL);
	return used;
}

ALONE static int with_calloc(void)
{
	int i;

	for (i = 0; i < 89; i++)
		keep(calloc(7, 31));
	return used;
}

ALONE static int with_realloc(void)
{
	int i;

	for (i = 0; i < 83; i++) {
		void *block = realloc(NULL, 17);
		void *between = malloc(100); /* so that it moves */

		keep(realloc(block, 2003));
		free(between);
	}
	free(realloc(malloc(5), 0)); /* glibc frees it and gives nothing, musl gives another block */
	return used;
}

ALONE static int with_reallocarray(void)
{
	int i;

	for (i = 0; i < 79; i++)
		keep(reallocarray(NULL, 11, 13));
	return used;
}

ALONE static int with_memalign(void)
{
	int i;

	for (i = 0; i < 73; i++)
		keep(i & 1 ? memalign(64, 521) : aligned_alloc(64, 521));
	return used;
}

ALONE static int with_posix_memalign(void)
{
	void *block;
	int i;

	for (i = 0; i < 71; i++)
		keep(posix_memalign(&block, 128, 307) ? NULL : block);
	return used;
}

ALONE static int failing(void)
{
	volatile size_t most = PTRDIFF_MAX;
	int i;

	for (i = 0; i < 67; i++) {
		void *block = malloc(401);

		if (realloc(block, most) || malloc(most) || calloc(most, most) || !posix_memalign(&block, 64, most))
			exit(4);
		keep(block);
	}
	return used;
}

/* Of glibc and others, and of jemalloc. */
__attribute__((weak)) void *pvalloc(size_t bytes);
__attribute__((weak)) void *mallocx(size_t bytes, int flags);
__attribute__((weak)) void dallocx(void *block, int flags);

ALONE static int with_pvalloc(void)
{
	int i;

	for (i = 0; pvalloc && i < 59; i++) {
		keep(pvalloc(4099));
		free(pvalloc(17));
	}
	return used;
}

ALONE static int with_mallocx(void)
{
	int i;

	for (i = 0; i < 61; i++) {
		keep(mallocx(701, 0));
		dallocx(mallocx(17, 0), 0);
	}
	return used;
}

static const char *mode;
static int rounds;

ALONE static int threaded(void)
{
	int i;

	for (i = 0; i < 101; i++) {
		keep(malloc(1009));
		free(malloc(64));
	}
	return used;
}

ALONE static int child_leaks(void)
{
	int i;

	for (i = 0; i < 7; i++)
		keep(malloc(4099));
	return used;
}

ALONE static int parent_leaks(void)
{
	int i, n = used;

	for (i = 0; i < 11; i++)
		keep(malloc(2003));
	if (fork()) {
		wait(NULL);
		return used;
	}
	usleep(500000); /* until it is traced */
	for (i = n; i < used; i++)
		free(kept[i]);
	sink = child_leaks();
	usleep(300000);
	_exit(0);
}

ALONE static int early(void)
{
	int i;

	for (i = 0; i < 13; i++)
		keep(malloc(4099));
	return used;
}

ALONE static int late(void)
{
	int i;

	for (i = 0; i < 17; i++)
		keep(malloc(4099));
	for (i = 0; i < 13; i++)
		free(kept[i]);
	return used;
}

ALONE static int many(int n)
{
	int i;

	for (i = 0; i < n; i++)
		keep(malloc(64));
	return used;
}

ALONE static int often(int n)
{
	int i;

	for (i = 0; i < n; i++) {
		void *volatile block = malloc(64);

		free(block);
	}
	return n;
}

#define PAGE sysconf(_SC_PAGESIZE)

static void touch(volatile char *pages, int n)
{
	int i;

	for (i = 0; i < n; i++)
		pages[i * PAGE] = 1;
}

static char *map(int n, int flags)
{
	char *pages = mmap(NULL, (size_t)n * PAGE, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);

	if (pages == MAP_FAILED)
		exit(5);
	madvise(pages, (size_t)n * PAGE, MADV_NOHUGEPAGE);
	return pages;
}

ALONE static int by_mmap(int n)
{
	touch(map(n, MAP_PRIVATE), n);
	return n;
}

ALONE static int by_brk(int n)
{
	char *pages = sbrk((size_t)n * PAGE);

	if (pages == (void *)-1)
		exit(5);
	madvise((void *)(((uintptr_t)pages + PAGE - 1) & ~(uintptr_t)(PAGE - 1)), (size_t)(n - 1) * PAGE, MADV_NOHUGEPAGE);
	touch(pages, n);
	return n;
}

ALONE static int by_read(int n)
{
	char *pages = map(n, MAP_PRIVATE);
	int zero = open("/dev/zero", O_RDONLY);

	if (read(zero, pages, (size_t)n * PAGE) != (ssize_t)n * PAGE)
		exit(5);
	return close(zero);
}

ALONE static int by_sharing(int n)
{
	touch(map(n, MAP_SHARED), n);
	return n;
}

ALONE static int by_unmapping(int n)
{
	char *pages = map(n, MAP_PRIVATE);

	touch(pages, n);
	sink = munmap(pages, (size_t)n * PAGE);
	return n;
}

ALONE static int grow(int n)
{
	int all = by_mmap(n) + by_brk(n) + by_read(n) + by_sharing(n) + by_unmapping(n);
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	unsigned long kib = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "Rss: %lu", &kib) == 1)
			break;
	printf("{\"resident_bytes\":%lu}\n", kib * 1024);
	fflush(stdout);
	return all;
}

ALONE static int hold(int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (eventfd(0, 0) < 0 || close(eventfd(0, 0)))
			exit(5);
	return by_mmap(n);
}

static char pool[1 << 16];
static size_t pool_used;

__attribute__((noinline, noclone)) void *own_new(size_t bytes)
{
	char *at = pool + pool_used;

	pool_used += (bytes + 15) / 16 * 16;
	return at;
}

__attribute__((noinline, noclone)) void own_end(void *block)
{
	sink += block != NULL;
}

ALONE static int pooled(void)
{
	int i;

	for (i = 0; i < 19; i++) {
		sink += own_new(53) != NULL;
		own_end(own_new(59));
	}
	return used;
}

ALONE static int work(void)
{
	if (!strcmp(mode, "all"))
		return with_malloc() + with_calloc() + with_realloc() + with_reallocarray() + with_memalign() +
		       with_posix_memalign() + failing() + 1;
	if (!strcmp(mode, "threads"))
		return threaded() + 1;
	if (!strcmp(mode, "fork"))
		return parent_leaks() + 1;
	if (!strcmp(mode, "many"))
		return many(rounds) + 1;
	if (!strcmp(mode, "often"))
		return often(rounds) + 1;
	if (!strcmp(mode, "own"))
		return pooled() + 1;
	if (!strcmp(mode, "rare"))
		return (mallocx ? with_mallocx() : with_pvalloc()) + 1;
	if (!strcmp(mode, "hold"))
		return hold(rounds) + 1;
	if (strstr(mode, "grow"))
		return grow(rounds) + 1;
	if (used)
		return late() + 1;
	return early() + 1;
}

ALONE static int down(int n)
{
	int result = n > 1 ? down(n - 1) : work();

	sink += result;
	return result + 1;
}

static void *run(void *none)
{
	sink += down(DEPTH);
	return none;
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	int i;

	if (argc != 3) {
		fprintf(stderr, "usage: leaks all|threads|fork|later|again|own|rare SECONDS, leaks many|often|grow|regrow|hold N\n");
		return 2;
	}
	mode = argv[1];
	rounds = atoi(argv[2]);
	usleep(500000);
	if (!strcmp(mode, "threads")) {
		for (i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, run, NULL);
		for (i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
	} else {
		run(NULL);
	}
	if (!strcmp(mode, "again")) {
		usleep(rounds * 1000000);
		return execl("/proc/self/exe", argv[0], "own", argv[2], NULL);
	}
	if (!strcmp(mode, "hold"))
		sink = getchar();
	if (!strcmp(mode, "later") || !strcmp(mode, "regrow")) {
		sink = getchar();
		run(NULL);
	}
	if (strcmp(mode, "often") && strcmp(mode, "many") && !strstr(mode, "grow") && strcmp(mode, "hold"))
		usleep(rounds * 1000000);
	return 0;
}
