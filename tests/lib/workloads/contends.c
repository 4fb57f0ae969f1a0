// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that wait for locks of the kernel, as long as asked for:
 *	contends KIND ROUNDS MS
 * A thread "holder" writes a page that is not there to a pipe, or to a file in memory (KIND pipe, file), in holds(), and so keeps
 * the pipe's mutex, or the file's rwsem, until the page comes, after MS. A thread "waiter" writes there meanwhile, in
 * wait_for(). It prints how often it had to wait, and how long.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define PAGE sysconf(_SC_PAGESIZE)

static int rounds, faults, out;
static int holder_asks[2], waiter_asks[2], answers[2];
static char *pages;
static volatile long sink; /* what is added to it after a call keeps that from being a jump */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long sleeps(void)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nvcsw;
}

static void tell(int pipe)
{
	if (write(pipe, "", 1) != 1)
		exit(1);
}

static void hear(int pipe)
{
	char c;

	if (read(pipe, &c, 1) != 1)
		exit(1);
}

ALONE static long holds(int i)
{
	return write(out, pages + i * PAGE, 8) + 1;
}

ALONE static long wait_for(void)
{
	return write(out, "waited", 6) + 1;
}

static void *holder(void *none)
{
	int i;

	prctl(PR_SET_NAME, "holder");
	for (i = 0; i < rounds; i++) {
		hear(holder_asks[0]);
		sink += holds(i);
		tell(answers[1]);
	}
	return none;
}

static void *waiter(void *none)
{
	int64_t total = 0, begin;
	int i, waited = 0;
	long before;

	prctl(PR_SET_NAME, "waiter");
	for (i = 0; i < rounds; i++) {
		hear(waiter_asks[0]);
		before = sleeps();
		begin = now_ns();
		sink += wait_for();
		total += now_ns() - begin;
		waited += sleeps() != before;
		tell(answers[1]);
	}
	printf("{\"type\":\"note\",\"waits\":%d,\"wait_ns\":%lld,\"pid\":%d}\n", waited, (long long)total, getpid());
	return none;
}

/* Pages that come when they are asked for. */
static int make_pages(void)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {.mode = UFFDIO_REGISTER_MODE_MISSING};

	pages = mmap(NULL, rounds * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	range.range.start = (uintptr_t)pages;
	range.range.len = rounds * PAGE;
	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	return faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &range);
}

static void serve(int ms)
{
	struct uffdio_zeropage page = {.range.len = PAGE};
	struct uffd_msg fault;
	int i;

	for (i = 0; i < rounds; i++) {
		tell(holder_asks[1]);
		if (read(faults, &fault, sizeof(fault)) != sizeof(fault))
			exit(1);
		tell(waiter_asks[1]);
		usleep(ms * 1000);
		page.range.start = fault.arg.pagefault.address & ~(PAGE - 1ULL);
		page.zeropage = 0;
		if (ioctl(faults, UFFDIO_ZEROPAGE, &page))
			exit(1);
		hear(answers[0]);
		hear(answers[0]);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int both[2];

	if (argc != 4) {
		fprintf(stderr, "usage: contends pipe|file ROUNDS MS\n");
		return 2;
	}
	rounds = atoi(argv[2]);
	if (pipe(holder_asks) || pipe(waiter_asks) || pipe(answers) || pipe(both))
		return 1;
	out = strcmp(argv[1], "pipe") ? memfd_create("contends", 0) : both[1];
	if (make_pages()) {
		perror("contends: userfaultfd");
		return 1;
	}
	usleep(300000); /* until its mappings are known */
	pthread_create(&threads[0], NULL, holder, NULL);
	pthread_create(&threads[1], NULL, waiter, NULL);
	serve(atoi(argv[3]));
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	return 0;
}
