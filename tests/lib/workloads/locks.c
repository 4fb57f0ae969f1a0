// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that wait for locks which others hold, as often and as long as asked for:
 *	locks KIND ROUNDS MS
 * KIND is what is waited for in wait_for(), below blocked(), by threads named "waiter", until a thread named "holder"
 * releases it in release(), after MS: mutex, rwlock, pi (a PI mutex), cond, sem, shared (a mutex between processes, at another
 * address in each), futex2 (futex_wait(2), 6.7), waitv (5.16), join (the end of a thread); or it is not worth it any
 * more: timeout (a quarter of MS, for a mutex), killed (a process that waits for a mutex). A waiter asks by a pipe, and there is
 * only one at a time; it prints how often it had to wait, how long, and the last result. Or KIND is turns, or turns-pi: three
 * threads have a mutex, or a PI mutex, by turns, for MS each, ROUNDS times; it prints for how long they had it on average.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#ifndef __NR_futex_waitv
#define __NR_futex_waitv 449
#endif

struct one_of { /* struct futex_waitv of 5.16 */
	uint64_t value, address;
	uint32_t flags, zero;
};

/* In memory that processes share, for the kind `shared`. */
struct held {
	pthread_mutex_t mutex;
	pthread_rwlock_t rwlock;
	pthread_cond_t cond;
	sem_t sem;
	uint32_t word, go;
};

static struct held *held;
static const char *kind;
static int rounds, ms;
static int asks[2], answers[2];
static volatile int sink; /* what is added to it after a call keeps that from being a jump */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* How often this thread has left its CPU of its own accord. */
static long sleeps(void)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nvcsw;
}

static int is(const char *name)
{
	return !strcmp(kind, name);
}

static void tell(int pipe)
{
	if (write(pipe, "", 1) != 1)
		exit(1);
}

static int hear(int pipe)
{
	char c;

	return read(pipe, &c, 1) == 1;
}

static void take(void)
{
	if (is("mutex") || is("pi") || is("shared") || is("timeout") || is("killed"))
		pthread_mutex_lock(&held->mutex);
	else if (is("rwlock"))
		pthread_rwlock_wrlock(&held->rwlock);
	held->go = 0;
	held->word = 7;
}

ALONE static int release(void)
{
	if (is("mutex") || is("pi") || is("shared") || is("timeout") || is("killed"))
		return pthread_mutex_unlock(&held->mutex) + 1;
	if (is("rwlock"))
		return pthread_rwlock_unlock(&held->rwlock) + 1;
	if (is("sem"))
		return sem_post(&held->sem) + 1;
	if (is("cond")) {
		pthread_mutex_lock(&held->mutex);
		held->go = 1;
		pthread_mutex_unlock(&held->mutex);
		return pthread_cond_signal(&held->cond) + 1;
	}
	__atomic_store_n(&held->word, 0, __ATOMIC_SEQ_CST);
	return (int)syscall(SYS_futex, &held->word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0) + 1;
}

static void *holds(void *none)
{
	prctl(PR_SET_NAME, "holder");
	while (hear(asks[0])) {
		take();
		tell(answers[1]);
		usleep(ms * 1000);
		sink += release();
	}
	return none;
}

static void *ends(void *none)
{
	prctl(PR_SET_NAME, "holder");
	usleep(ms * 1000);
	return none;
}

static struct timespec later(void)
{
	struct timespec until;
	int64_t ns;

	clock_gettime(CLOCK_REALTIME, &until);
	ns = until.tv_nsec + ms * 250000LL;
	until.tv_sec += ns / 1000000000;
	until.tv_nsec = ns % 1000000000;
	return until;
}

ALONE static int wait_for(pthread_t thread)
{
	struct one_of both[2] = {{7, (uintptr_t)&held->word, 2 | FUTEX_PRIVATE_FLAG, 0}, {0, (uintptr_t)&held->go, 2 | FUTEX_PRIVATE_FLAG, 0}};
	struct timespec until;

	if (is("join"))
		return pthread_join(thread, NULL) + 1;
	if (is("rwlock"))
		return pthread_rwlock_rdlock(&held->rwlock) + 1;
	if (is("sem"))
		return sem_wait(&held->sem) + 1;
	if (is("futex2"))
		return (int)syscall(455, &held->word, 7, 0xffffffffUL, 2 | FUTEX_PRIVATE_FLAG, NULL, 0) + 1;
	if (is("waitv"))
		return (int)syscall(__NR_futex_waitv, both, 2, 0, NULL, 0) + 1;
	if (is("timeout")) {
		until = later();
		return pthread_mutex_timedlock(&held->mutex, &until) + 1;
	}
	if (is("cond")) {
		pthread_mutex_lock(&held->mutex);
		while (!held->go)
			pthread_cond_wait(&held->cond, &held->mutex);
		return pthread_mutex_unlock(&held->mutex) + 1;
	}
	return pthread_mutex_lock(&held->mutex) + 1;
}

static void let_go(int result)
{
	if (result != 1 && is("timeout"))
		usleep(ms * 1000); /* until the holder has released it */
	else if (is("mutex") || is("pi") || is("shared") || is("timeout"))
		pthread_mutex_unlock(&held->mutex);
	else if (is("rwlock"))
		pthread_rwlock_unlock(&held->rwlock);
}

ALONE static int blocked(void)
{
	int64_t total = 0, begin;
	pthread_t thread = 0;
	int i, result = 0, waited = 0;
	long before;

	for (i = 0; i < rounds; i++) {
		if (is("join")) {
			pthread_create(&thread, NULL, ends, NULL);
		} else {
			tell(asks[1]);
			hear(answers[0]);
		}
		before = sleeps();
		begin = now_ns();
		result = wait_for(thread);
		total += now_ns() - begin;
		waited += sleeps() != before;
		let_go(result);
	}
	printf("{\"type\":\"note\",\"kind\":\"%s\",\"waits\":%d,\"wait_ns\":%lld,\"result\":%d,\"pid\":%d}\n", kind, waited,
	       (long long)total, result - 1, getpid());
	fflush(stdout);
	return 1;
}

static void *waits(void *none)
{
	prctl(PR_SET_NAME, "waiter");
	sink += blocked();
	return none;
}

struct turns {
	int64_t held_ns;
};

static void *takes_turns(void *own)
{
	struct turns *turns = own;
	int64_t begin;
	int i;

	prctl(PR_SET_NAME, "turns");
	for (i = 0; i < rounds; i++) {
		pthread_mutex_lock(&held->mutex);
		begin = now_ns();
		usleep(ms * 1000);
		turns->held_ns += now_ns() - begin;
		pthread_mutex_unlock(&held->mutex);
		usleep(100); /* or else it would have it again at once */
	}
	return NULL;
}

static void take_turns(void)
{
	struct turns turns[3] = {{0}};
	pthread_t threads[3];
	int64_t total = 0;
	int i;

	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, takes_turns, &turns[i]);
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], NULL);
		total += turns[i].held_ns;
	}
	printf("{\"type\":\"note\",\"kind\":\"%s\",\"turns\":%d,\"avg_held_ns\":%lld,\"pid\":%d}\n", kind, 3 * rounds,
	       (long long)total / (3 * rounds), getpid());
	fflush(stdout);
}

static void until_in_futex(int pid)
{
	char path[64];
	long nr = 0;
	FILE *file;
	int i;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	for (i = 0; i < 5000 && nr != SYS_futex; i++) {
		usleep(1000);
		file = fopen(path, "r");
		if (file && fscanf(file, "%ld", &nr) != 1) /* "running" */
			nr = 0;
		if (file)
			fclose(file);
	}
}

/* Processes, each of which waits once and is killed. */
static void end_waiters(void)
{
	int i, pid;

	for (i = 0; i < rounds; i++) {
		take();
		pid = fork();
		if (!pid) {
			prctl(PR_SET_NAME, "waiter");
			sink += wait_for(0);
			_exit(0);
		}
		until_in_futex(pid);
		usleep(ms * 1000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		sink += release();
	}
}

static struct held *make(void)
{
	struct held *made = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t mutex;

	pthread_mutexattr_init(&mutex);
	if (is("pi") || is("turns-pi"))
		pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT);
	if (is("shared") || is("killed"))
		pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&made->mutex, &mutex);
	pthread_rwlock_init(&made->rwlock, NULL);
	pthread_cond_init(&made->cond, NULL);
	sem_init(&made->sem, 0, 0);
	return made;
}

int main(int argc, char **argv)
{
	pthread_t holder, waiter;
	int child;

	if (argc != 4) {
		fprintf(stderr, "usage: locks KIND ROUNDS MS\n");
		return 2;
	}
	kind = argv[1];
	rounds = atoi(argv[2]);
	ms = atoi(argv[3]);
	held = make();
	if (pipe(asks) || pipe(answers))
		return 1;
	usleep(300000); /* until its mappings are known */
	if (!strncmp(kind, "turns", 5)) {
		take_turns();
	} else if (is("killed")) {
		end_waiters();
	} else if (is("shared")) {
		child = fork();
		if (!child) {
			held = mremap(held, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)0x600000000000);
			close(asks[1]);
			holds(NULL);
			_exit(0);
		}
		waits(NULL);
		close(asks[1]);
		waitpid(child, NULL, 0);
	} else {
		pthread_create(&holder, NULL, holds, NULL);
		pthread_create(&waiter, NULL, waits, NULL);
		pthread_join(waiter, NULL);
	}
	return 0;
}
