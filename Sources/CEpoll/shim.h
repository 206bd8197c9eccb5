#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// The constants of Linux are enums and macros with casts, which are imported badly or not at all.
static const uint32_t realmshift_epollin = EPOLLIN;
static const uint32_t realmshift_epollout = EPOLLOUT;
static const uint32_t realmshift_epollrdhup = EPOLLRDHUP;
static const uint32_t realmshift_epollhup = EPOLLHUP;
static const uint32_t realmshift_epollerr = EPOLLERR;
static const uint32_t realmshift_epollet = EPOLLET;

static inline int realmshift_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int realmshift_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline int realmshift_epoll_add(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int realmshift_epoll_remove(int epoll, int descriptor) {
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL);
}

// Declared to GNU sources only, and defining that here would give other modules' structures another shape.
extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);

// The next connection of a listening socket, or -1.
static inline int realmshift_accept(int listener) {
    int yes = 1;
    // The system's buffer may grow to megabytes; of these a slow client would seem to take nothing for minutes.
    int unsent = 128 << 10;
    int socket = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket < 0) return socket;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(socket, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &unsent, sizeof unsent);
    return socket;
}

// Has the system find out within some seconds that the other side is gone without a word, whether or not bytes are
// under way to it; 0 leaves it to TCP's own patience.
static inline void realmshift_watch_peer(int socket, int seconds) {
    int watched = seconds > 0, idle = seconds / 2 > 0 ? seconds / 2 : 1, interval = seconds / 6 > 0 ? seconds / 6 : 1;
    int count = 3;
    unsigned int milliseconds = (unsigned int) seconds * 1000;
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(socket, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &milliseconds, sizeof milliseconds);
    setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &watched, sizeof watched);
}

// Closes a socket so that the other side sees an error rather than an end.
static inline void realmshift_reset_on_close(int socket) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}
