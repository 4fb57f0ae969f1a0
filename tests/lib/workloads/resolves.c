// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Looks hosts up in every way that a C library has, and prints what it was told: a JSON line for each call. In C, and built
 * five times (see the Makefile): with glibc, static with and without its symbols, for 32 bits, and with musl.
 *   resolves ROUNDS [FILE]    prints its PID and waits until FILE is there before it begins
 *   resolves long             names of 253 bytes and more
 *   resolves left             a lookup that nobody answers is left by a jump from an alarm; then another one
 *   resolves crash            a name at an address where nothing is
 *   resolves stuck [FILE]     a lookup that nobody answers; it is to be killed. Prints its PID and waits as above
 *   resolves threads N        N lookups each by four threads
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER 4096

static const char *eai(int code)
{
	switch (code) {
	case 0:
		return "ok";
	case EAI_NONAME:
		return "EAI_NONAME";
	case EAI_AGAIN:
		return "EAI_AGAIN";
	case EAI_FAIL:
		return "EAI_FAIL";
	case EAI_FAMILY:
		return "EAI_FAMILY";
	case EAI_SERVICE:
		return "EAI_SERVICE";
	case EAI_OVERFLOW:
		return "EAI_OVERFLOW";
	case EAI_SYSTEM:
		return "EAI_SYSTEM";
#ifdef EAI_NODATA
	case EAI_NODATA:
		return "EAI_NODATA";
#endif
#ifdef EAI_ADDRFAMILY
	case EAI_ADDRFAMILY:
		return "EAI_ADDRFAMILY";
#endif
	default:
		return "another";
	}
}

static const char *herr(int code)
{
	switch (code) {
	case HOST_NOT_FOUND:
		return "HOST_NOT_FOUND";
	case TRY_AGAIN:
		return "TRY_AGAIN";
	case NO_RECOVERY:
		return "NO_RECOVERY";
	case NO_DATA:
		return "NO_DATA";
	default:
		return "another";
	}
}

static void say(const char *call, const char *host, const char *result)
{
	printf("{\"type\":\"called\",\"call\":\"%s\",\"host\":\"%s\",\"result\":\"%s\"}\n", call, host, result);
}

static int info(const char *host, int family, int flags)
{
	struct addrinfo hints = {.ai_flags = flags, .ai_family = family, .ai_socktype = SOCK_STREAM}, *found = NULL;
	int code = getaddrinfo(host, NULL, &hints, &found);

	if (!code)
		freeaddrinfo(found);
	return code;
}

static void by_info(const char *host, int family, int flags)
{
	say("getaddrinfo", host, eai(info(host, family, flags)));
}

static void by_name(const char *host)
{
	say("gethostbyname", host, gethostbyname(host) ? "ok" : herr(h_errno));
}

static void by_name2(const char *host, int family)
{
	say("gethostbyname2", host, gethostbyname2(host, family) ? "ok" : herr(h_errno));
}

static const char *answer(int code, const struct hostent *found, int h_error)
{
	if (!code && found)
		return "ok";
	return code == ERANGE && h_error <= 0 ? "ERANGE" : herr(h_error);
}

static void by_name_r(const char *host, size_t bytes)
{
	struct hostent entry, *found = NULL;
	char buffer[BUFFER];
	int h_error = 0, code = gethostbyname_r(host, &entry, buffer, bytes, &found, &h_error);

	say("gethostbyname_r", host, answer(code, found, h_error));
}

static void by_name2_r(const char *host, int family)
{
	struct hostent entry, *found = NULL;
	char buffer[BUFFER];
	int h_error = 0, code = gethostbyname2_r(host, family, &entry, buffer, sizeof(buffer), &found, &h_error);

	say("gethostbyname2_r", host, answer(code, found, h_error));
}

static void by_address(const char *text, int family)
{
	unsigned char address[16];
	struct hostent entry, *found = NULL;
	char buffer[BUFFER];
	int bytes = family == AF_INET ? 4 : 16, h_error = 0, code;

	inet_pton(family, text, address);
	say("gethostbyaddr", text, gethostbyaddr(address, bytes, family) ? "ok" : herr(h_errno));
	code = gethostbyaddr_r(address, bytes, family, &entry, buffer, sizeof(buffer), &found, &h_error);
	say("gethostbyaddr_r", text, answer(code, found, h_error));
}

static void by_socket_address(const char *text, int family, int flags)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	struct sockaddr_in four = {.sin_family = AF_INET};
	char host[NI_MAXHOST];
	int code;

	if (family == AF_INET) {
		inet_pton(AF_INET, text, &four.sin_addr);
		code = getnameinfo((void *)&four, sizeof(four), host, sizeof(host), NULL, 0, flags);
	} else {
		inet_pton(AF_INET6, text, &six.sin6_addr);
		code = getnameinfo((void *)&six, sizeof(six), host, sizeof(host), NULL, 0, flags);
	}
	say("getnameinfo", text, eai(code));
}

/* 19 calls. */
static void round_of_calls(void)
{
	by_info("localhost", AF_INET, 0);
	by_info("localhost", AF_UNSPEC, 0);
	by_info("192.0.2.7", AF_UNSPEC, 0);
	by_info("2001:db8::7", AF_INET6, AI_NUMERICHOST);
	by_info("no.number.example", AF_UNSPEC, AI_NUMERICHOST);
	by_info("db.shop.example", AF_INET, 0);
	by_name("localhost");
	by_name("192.0.2.8");
	by_name("www.shop.example");
	by_name2("localhost", AF_INET);
	by_name2("mail.shop.example", AF_INET6);
	by_name_r("localhost", BUFFER);
	by_name_r("localhost", 8);
	by_name_r("shop.example", BUFFER);
	by_name2_r("localhost", AF_INET);
	by_address("127.0.0.1", AF_INET);
	by_socket_address("127.0.0.1", AF_INET, 0);
	by_socket_address("2001:db8::9", AF_INET6, NI_NUMERICHOST);
}

static void long_names(void)
{
	char name[BUFFER];
	static const int lengths[] = {1, 63, 253, 254, 262, 263, 264, 1000};
	size_t i;
	int j;

	for (i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		for (j = 0; j < lengths[i]; j++)
			name[j] = j % 50 == 49 ? '.' : 'a' + i;
		name[j] = 0;
		by_info(name, AF_UNSPEC, AI_NUMERICHOST);
	}
	by_info("", AF_UNSPEC, AI_NUMERICHOST);
	say("getaddrinfo", "(none)", eai(getaddrinfo(NULL, "80", NULL, &(struct addrinfo *){NULL})));
	/* What would be a terminal's or a shell's. */
	info("\033[31mred\n", AF_UNSPEC, AI_NUMERICHOST);
	info("\"quoted\\", AF_UNSPEC, AI_NUMERICHOST);
}

/* A DNS server that never answers, at the address that the tests' resolv.conf has. */
static void be_silent(void)
{
	struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(53)};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	inet_pton(AF_INET, "127.47.11.53", &here.sin_addr);
	if (fd < 0 || bind(fd, (void *)&here, sizeof(here))) {
		perror("cannot be a DNS server");
		exit(1);
	}
	setenv("RES_OPTIONS", "timeout:25 attempts:1", 1);
}

static sigjmp_buf before;

static void leave(int number)
{
	(void)number;
	siglongjmp(before, 1);
}

static void deeper(int n);

static void left_by_alarm(void)
{
	be_silent();
	signal(SIGALRM, leave);
	if (!sigsetjmp(before, 1)) {
		alarm(1);
		by_info("left.example", AF_INET, 0);
	}
	deeper(8);
	by_info("192.0.2.10", AF_INET, AI_NUMERICHOST);
	by_name("192.0.2.11");
}

/* Deeper in the stack than the one that was left. */
static __attribute__((noinline)) void deeper(int n)
{
	volatile char room[512];

	memset((char *)room, n, sizeof(room));
	if (n > 0)
		deeper(n - 1);
	else
		by_info("192.0.2.12", AF_INET, AI_NUMERICHOST);
	room[0] = 0;
}

static void *many(void *argument)
{
	int i;

	for (i = 0; i < *(int *)argument; i++)
		info("192.0.2.9", AF_INET, AI_NUMERICHOST);
	return NULL;
}

static void by_threads(int n)
{
	pthread_t threads[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, many, &n);
	for (i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void wait_for(const char *file)
{
	if (!file)
		return;
	printf("{\"type\":\"waiting\",\"pid\":%d}\n", getpid());
	while (access(file, F_OK))
		usleep(10000);
}

int main(int argc, char **argv)
{
	int rounds;

	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(argv[1], "long"))
		long_names();
	else if (!strcmp(argv[1], "stuck")) {
		be_silent();
		wait_for(argc > 2 ? argv[2] : NULL);
		by_info("stuck.example", AF_INET, 0);
	} else if (!strcmp(argv[1], "crash"))
		info((const char *)8, AF_UNSPEC, 0);
	else if (!strcmp(argv[1], "left"))
		left_by_alarm();
	else if (!strcmp(argv[1], "threads"))
		by_threads(atoi(argv[2]));
	else {
		wait_for(argc > 2 ? argv[2] : NULL);
		for (rounds = atoi(argv[1]); rounds > 0; rounds--)
			round_of_calls();
	}
	return 0;
}
