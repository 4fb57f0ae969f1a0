// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Stacks of known depth, for MS milliseconds of CPU time:
 *	stacks deep|signal|vdso|syscall|threads|fork|jit|switch|leaf|shares MS
 * Without frame pointers, through the C library, a frame of unknown size and an aligned one. Each mode but `shares` has 13
 * frames of down() in every stack. `touch N` makes N page faults in touch(), `open N` N opens of what is not there, `here N`
 * of what is, `kill N` N signals, `exec N` N programs, `connect N` N attempts that are refused, `paths N` N opens of which each has a
 * stack of its own, `calls N` N calls of work(), each of which asks getppid() once. jit-memfd and jit-shared have their code where /proc/PID/maps names a file that is none. `shares` spends three tenths of its time in three() and the rest in seven().
 */
#define _GNU_SOURCE
#include <alloca.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define DEPTH 13

static volatile uint64_t sink; /* what is added to it after a call keeps that from being a jump */
static uint64_t unit;	       /* turns of spin() in a tenth of a millisecond */
static const char *mode;

static double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

ALONE static int spin(uint64_t turns)
{
	while (turns--)
		sink += turns;
	return sink & 1;
}

ALONE static int three(int units)
{
	return spin(3 * unit * units) + 1;
}

ALONE static int seven(int units)
{
	return spin(7 * unit * units) + 1;
}

/* In turns that differ: equal ones could be in step with the samples. */
ALONE static int share(void)
{
	int units = 1 + rand() % 16;

	return three(units) + seven(units) + 1;
}

static void on_signal(int number)
{
	sink += spin(10 * unit) + number;
}

ALONE static int ask_time(void)
{
	struct timespec now;
	int i;

	for (i = 0; i < 10000; i++) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		sink += now.tv_nsec;
	}
	return sink & 1;
}

/*
 * Calls that are long, with interrupts enabled. The interrupt of a sample waits until they are: of a short call (getppid()) most
 * samples are behind it, in user space, on an emulated arm64 85 of 100 at the one instruction after svc.
 */
ALONE static int call_kernel(void)
{
	static char room[1 << 20];
	int zeros = open("/dev/zero", O_RDONLY), i;

	for (i = 0; i < 10; i++)
		sink += read(zeros, room, sizeof(room));
	close(zeros);
	return sink & 1;
}

/* A function of the C library that calls none. */
ALONE static int search(void)
{
	static char room[1 << 16];
	int i;

	for (i = 0; i < 100; i++)
		sink += memchr(room, 1, sizeof(room)) == room;
	return sink & 1;
}

/* Code that no file has, with a frame pointer, and its name where profilers look for it. It calls on the stack whose end is given. */
static int (*jitted)(int (*)(uint64_t), uint64_t, char *stack);
static char *other_stack; /* above that of a thread */

static void make_code(void)
{
#if defined(__aarch64__)
	/* stp x29,x30,[sp,#-16]!; mov x29,sp; mov sp,x2; mov x9,x0; mov x0,x1; blr x9; mov sp,x29; ldp x29,x30,[sp],#16; ret */
	static const uint32_t code[] = {0xa9bf7bfd, 0x910003fd, 0x9100005f, 0xaa0003e9, 0xaa0103e0, 0xd63f0120, 0x910003bf,
					0xa8c17bfd, 0xd65f03c0};
#else
	/* push %rbp; mov %rsp,%rbp; mov %rdx,%rsp; mov %rdi,%rax; mov %rsi,%rdi; call *%rax; mov %rbp,%rsp; pop %rbp; ret */
	static const char code[] = "\x55\x48\x89\xe5\x48\x89\xd4\x48\x89\xf8\x48\x89\xf7\xff\xd0\x48\x89\xec\x5d\xc3";
#endif
	int memory = !strcmp(mode, "jit-memfd") ? memfd_create("code", 0) : -1;
	int sharing = memory >= 0 || !strcmp(mode, "jit-shared") ? MAP_SHARED : MAP_PRIVATE;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, sharing | (memory < 0 ? MAP_ANONYMOUS : 0), memory, 0);
	char path[64];
	FILE *map;

	if (page == MAP_FAILED || (memory >= 0 && ftruncate(memory, 4096)))
		exit(1);
	memcpy(page, code, sizeof(code));
	__builtin___clear_cache(page, (char *)page + sizeof(code));
	jitted = (int (*)(int (*)(uint64_t), uint64_t, char *))page;
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	if (!map)
		exit(1);
	fprintf(map, "%lx %zx Jitted:code of mine\n", (unsigned long)page, sizeof(code));
	fclose(map);
}

ALONE static int open_nothing(void)
{
	return open("nosuchfile", O_RDONLY) + 1;
}

ALONE static int open_here(void)
{
	return open("stacked", O_RDWR | O_CREAT, 0600) + 1;
}

ALONE static int run_nothing(void)
{
	static const char *const words[] = {"nothing", NULL};
	int child = fork();

	if (!child) {
		execv("/proc/self/exe", (char *const *)words); /* which says how it is used */
		_exit(1);
	}
	return waitpid(child, NULL, 0) + 1;
}

/* Nobody listens at that port. */
ALONE static int connect_to_nobody(void)
{
	const struct sockaddr_in nobody = {.sin_family = AF_INET, .sin_port = htons(17013), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int result = connect(fd, (const struct sockaddr *)&nobody, sizeof(nobody));

	close(fd);
	return result + 1;
}

ALONE static int work(void)
{
	char room[4096] __attribute__((aligned(16)));

	if (!strcmp(mode, "signal"))
		return raise(SIGUSR1) + 1;
	if (!strcmp(mode, "vdso"))
		return ask_time() + 1;
	if (!strcmp(mode, "calls"))
		return getppid() + 1;
	if (!strcmp(mode, "syscall"))
		return call_kernel() + 1;
	if (!strcmp(mode, "leaf"))
		return search() + 1;
	if (!strcmp(mode, "open"))
		return open_nothing() + 1;
	if (!strcmp(mode, "here"))
		return open_here() + 1;
	if (!strcmp(mode, "kill"))
		return kill(getpid(), SIGCHLD) + 1;
	if (!strcmp(mode, "exec"))
		return run_nothing() + 1;
	if (!strcmp(mode, "connect"))
		return connect_to_nobody() + 1;
	if (!strncmp(mode, "jit", 3))
		return jitted(spin, 10 * unit, room + sizeof(room)) + 1;
	if (!strcmp(mode, "switch"))
		return jitted(spin, 10 * unit, other_stack) + 1;
	if (!strcmp(mode, "shares"))
		return share() + 1;
	return spin(10 * unit) + 1;
}

static int compare(const void *a, const void *b)
{
	return work() + *(const int *)a - *(const int *)b;
}

ALONE static int sized(int bytes)
{
	volatile char *room = alloca(bytes);
	int numbers[] = {2, 1};

	room[bytes - 1] = 1;
	if (!strcmp(mode, "leaf")) /* musl's qsort() has no unwind information */
		return work() + room[bytes - 1];
	qsort(numbers, 2, sizeof(numbers[0]), compare);
	return room[bytes - 1] + numbers[0];
}

ALONE static int aligned(int n)
{
	volatile char line[64] __attribute__((aligned(64)));

	line[n & 63] = 1;
	return sized(100 + (n & 63)) + line[n & 63];
}

ALONE static int down(int n)
{
	int result = n > 1 ? down(n - 1) : aligned(n);

	sink += result;
	return result + 1;
}

ALONE static void *run(void *ms)
{
	double end = cpu_ms() + *(double *)ms;

	while (cpu_ms() < end)
		sink += down(DEPTH);
	return NULL;
}

static void run_threads(double ms, int count)
{
	pthread_t threads[3];
	int i;

	for (i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, &ms);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void run_on_another_stack(double ms)
{
	char room[65536] __attribute__((aligned(16)));

	other_stack = room + sizeof(room);
	run_threads(ms, 1);
}

/* So many pages for the first time. */
ALONE static int touch(char *pages, int n)
{
	int i;

	for (i = 0; i < n; i++)
		((volatile char *)pages)[(long)getpagesize() * i] = 1;
	return sink & 1;
}

static int make_faults(int n)
{
	long bytes = (long)getpagesize() * n;
	char *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	usleep(300000); /* until its mappings are known */
	if (pages == MAP_FAILED || madvise(pages, bytes, MADV_NOHUGEPAGE))
		return 1;
	sink += touch(pages, n);
	return 0;
}

ALONE static int right(int path, int depth);

/* The last bits of `path` are the way to the open. */
ALONE static int left(int path, int depth)
{
	sink += !depth ? open_nothing() : path & 1 ? left(path >> 1, depth - 1) : right(path >> 1, depth - 1);
	return sink & 1;
}

ALONE static int right(int path, int depth)
{
	sink -= !depth ? open_nothing() : path & 1 ? left(path >> 1, depth - 1) : right(path >> 1, depth - 1);
	return sink & 1;
}

static int is_event(void)
{
	static const char *const modes[] = {"open", "here", "kill", "exec", "connect", "paths", "calls"};
	unsigned i;

	for (i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(mode, modes[i]))
			return 1;
	return 0;
}

static int make_events(int n)
{
	usleep(300000); /* until its mappings are known */
	while (n--)
		sink += strcmp(mode, "paths") ? down(DEPTH) : left(n, 15);
	return 0;
}

int main(int argc, char **argv)
{
	double ms = argc == 3 ? atof(argv[2]) : 0, before;

	if (ms <= 0) {
		fprintf(stderr, "usage: stacks deep|signal|vdso|syscall|threads|fork|jit|switch|leaf|shares MS, or touch|open|here|kill|exec|connect|paths|calls N\n");
		return 2;
	}
	mode = argv[1];
	if (!strcmp(mode, "touch"))
		return make_faults(ms);
	if (is_event())
		return make_events(ms);
	signal(SIGUSR1, on_signal);
	if (!strncmp(mode, "jit", 3) || !strcmp(mode, "switch"))
		make_code();
	before = cpu_ms();
	spin(1000000);
	unit = 1000000 * 0.1 / (cpu_ms() - before) + 1;
	if (!strcmp(mode, "threads")) {
		run_threads(ms, 3);
	} else if (!strcmp(mode, "switch")) {
		run_on_another_stack(ms);
	} else if (strcmp(mode, "fork") || !fork()) {
		run(&ms);
	} else {
		wait(NULL);
	}
	return 0;
}
