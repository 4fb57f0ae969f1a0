// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// What libevent calls of the C library to look names up. In a static program that needs the modules of the very C
// library that it was linked with, and it blocks; so libevent's own resolver is always there (push.cpp), and these are
// not asked.
#include <netdb.h>

extern "C" {

int getaddrinfo(const char *, const char *, const addrinfo *, addrinfo **) noexcept(false) { return EAI_FAIL; }
void freeaddrinfo(addrinfo *) noexcept {}
servent *getservbyname(const char *, const char *) noexcept(false) { return nullptr; }
protoent *getprotobynumber(int) noexcept(false) { return nullptr; }

}  // extern "C"
