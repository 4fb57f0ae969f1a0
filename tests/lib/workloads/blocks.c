// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Threads that are off the CPU where, and for how long, is known:
 *	blocks ways ROUNDS	in main's thread: sleeps of 3 and 7 ms in three() and seven(), waits for a futex in locked() and
 *				for a pipe in piped(), each 5 ms, of which another thread ("waker") makes an end in wake()
 *	blocks threads N MS	N threads named "member" that compute, sleep and wait for a CPU by turns
 *	blocks asleep MS	one sleep in asleep(), and a thread ("sleeper") that sleeps until the end
 * `ways` sleeps 0.3 s in settle() at first, until its mappings are known. All calls below down(), which calls itself 13
 * times; without frame pointers. At its end `ways` prints the time of each function, and how much of it on a CPU, `threads` each thread's own
 * account.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define ALONE __attribute__((noinline, noclone))
#define DEPTH 13
#define WAIT_US 5000

static volatile uint64_t sink; /* what is added to it after a call keeps that from being a jump */
static int rounds, members;
static double ms;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int asks[2], answers[2];

static int64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

struct account {
	int tid;
	int64_t wall_ns, on_ns;
	unsigned long long queue_ns;
};

/* When the thread was made, by the kernel's ticks of 10 ms. */
static int64_t birth_ns(void)
{
	unsigned long long ticks = 0;
	FILE *file = fopen("/proc/thread-self/stat", "r");

	if (!file || fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
		exit(1);
	return ticks * 10000000;
}

static void close_account(struct account *own)
{
	unsigned long long ran = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (!file || fscanf(file, "%llu %llu", &ran, &own->queue_ns) != 2)
		exit(1);
	own->tid = gettid();
	own->on_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
	own->wall_ns = now_ns(CLOCK_BOOTTIME) - birth_ns();
}

static void print_account(const struct account *own)
{
	printf("{\"type\":\"note\",\"tid\":%d,\"wall_ns\":%lld,\"on_ns\":%lld,\"queue_ns\":%llu}\n", own->tid,
	       (long long)own->wall_ns, (long long)own->on_ns, own->queue_ns);
}

ALONE static int settle(void)
{
	return usleep(300000) + 1;
}

ALONE static int three(void)
{
	return usleep(3000) + 1;
}

ALONE static int seven(void)
{
	return usleep(7000) + 1;
}

static char ask(char what)
{
	return write(asks[1], &what, 1) == 1 ? what : 0;
}

ALONE static int locked(void)
{
	char c = ask('l');

	if (read(answers[0], &c, 1) == 1) /* the waker has the lock */
		pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return c + 1;
}

ALONE static int piped(void)
{
	char c = ask('p');

	return read(answers[0], &c, 1) == 1 ? c + 1 : 0;
}

ALONE static int wake(char what)
{
	if (what == 'l')
		return pthread_mutex_unlock(&lock) + 1;
	return write(answers[1], &what, 1) + 1;
}

static void *wakes(void *none)
{
	char what;

	prctl(PR_SET_NAME, "waker");
	while (read(asks[0], &what, 1) == 1) {
		if (what == 'l') {
			pthread_mutex_lock(&lock);
			sink += write(answers[1], &what, 1);
		}
		usleep(WAIT_US);
		sink += wake(what);
	}
	return none;
}

struct span {
	const char *name;
	int (*way)(void);
	int64_t wall_ns, on_ns;
};

ALONE static void timed(struct span *span)
{
	int64_t wall = now_ns(CLOCK_MONOTONIC), on = now_ns(CLOCK_THREAD_CPUTIME_ID);

	sink += span->way();
	span->wall_ns += now_ns(CLOCK_MONOTONIC) - wall;
	span->on_ns += now_ns(CLOCK_THREAD_CPUTIME_ID) - on;
}

ALONE static int ways(void)
{
	struct span spans[] = {
		{"three", three, 0, 0}, {"seven", seven, 0, 0}, {"locked", locked, 0, 0}, {"piped", piped, 0, 0}};
	int i;

	sink += settle();
	for (i = 0; i < 4 * rounds; i++)
		timed(&spans[i % 4]);
	for (i = 0; i < 4; i++)
		printf("{\"type\":\"note\",\"way\":\"%s\",\"wall_ns\":%lld,\"on_ns\":%lld}\n", spans[i].name,
		       (long long)spans[i].wall_ns, (long long)spans[i].on_ns);
	return 1;
}

ALONE static int asleep(void)
{
	return usleep(ms * 1000) + 1;
}

ALONE static int member(void)
{
	int64_t end = now_ns(CLOCK_MONOTONIC) + (int64_t)(ms * 1e6), turn;

	while (now_ns(CLOCK_MONOTONIC) < end) {
		turn = now_ns(CLOCK_THREAD_CPUTIME_ID) + 500000;
		while (now_ns(CLOCK_THREAD_CPUTIME_ID) < turn)
			sink++;
		usleep(20000);
	}
	return 1;
}

ALONE static int down(int n, int (*bottom)(void))
{
	int result = n > 1 ? down(n - 1, bottom) : bottom();

	sink += result;
	return result + 1;
}

static void *one(void *own)
{
	prctl(PR_SET_NAME, "member");
	down(DEPTH, member);
	close_account(own);
	return NULL;
}

static void *sleeps(void *none)
{
	prctl(PR_SET_NAME, "sleeper");
	sleep(3600);
	return none;
}

int main(int argc, char **argv)
{
	struct account accounts[64];
	pthread_t threads[64];
	int i;

	if (argc == 3 && !strcmp(argv[1], "ways")) {
		rounds = atoi(argv[2]);
		if (pipe(asks) || pipe(answers) || pthread_create(threads, NULL, wakes, NULL))
			return 1;
		down(DEPTH, ways);
	} else if (argc == 4 && !strcmp(argv[1], "threads") && atoi(argv[2]) <= 64) {
		members = atoi(argv[2]);
		ms = atof(argv[3]);
		for (i = 0; i < members; i++)
			pthread_create(&threads[i], NULL, one, &accounts[i]);
		for (i = 0; i < members; i++)
			pthread_join(threads[i], NULL);
		for (i = 0; i < members; i++)
			print_account(&accounts[i]);
	} else if (argc == 3 && !strcmp(argv[1], "asleep")) {
		ms = atof(argv[2]);
		pthread_create(threads, NULL, sleeps, NULL);
		down(DEPTH, asleep);
	} else {
		fprintf(stderr, "usage: blocks ways ROUNDS | threads N MS | asleep MS\n");
		return 2;
	}
	return 0;
}
