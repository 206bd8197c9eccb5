#pragma once

#include <microhttpd.h>

// What a daemon is started with; MHD_start_daemon itself is variadic and cannot be imported.
struct realmshift_daemon_options {
    unsigned int flags;
    int listenSocket;
    unsigned int threadCount;
    size_t connectionMemoryBytes;
    unsigned int connectionLimit;
    unsigned int idleTimeoutSeconds;
    // NUL-terminated PEM texts, or NULL; they must outlive the daemon.
    const char *certificate;
    const char *privateKey;
    const char *priorities;
    MHD_AccessHandlerCallback handler;
    MHD_RequestCompletedCallback completed;
    void *context;
};

// Leaves percent-encoding alone: it is decoded segment by segment, so that %2F does not split one.
static inline size_t realmshift_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void) context;
    (void) connection;
    size_t length = 0;
    while (text[length] != 0) length++;
    return length;
}

static inline struct MHD_Daemon *realmshift_start_daemon(struct realmshift_daemon_options options) {
    struct MHD_OptionItem tls[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *) options.certificate},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *) options.privateKey},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *) options.priorities},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        options.flags, 0, NULL, NULL, options.handler, options.context,
        MHD_OPTION_LISTEN_SOCKET, options.listenSocket,
        MHD_OPTION_THREAD_POOL_SIZE, options.threadCount,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, options.connectionMemoryBytes,
        MHD_OPTION_CONNECTION_LIMIT, options.connectionLimit,
        MHD_OPTION_CONNECTION_TIMEOUT, options.idleTimeoutSeconds,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, realmshift_keep_escapes, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, options.completed, options.context,
        MHD_OPTION_ARRAY, options.certificate != NULL ? tls : none,
        MHD_OPTION_END);
}

// The connection's socket, or -1; MHD_get_connection_info is variadic.
static inline int realmshift_connection_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info == NULL ? -1 : info->connect_fd;
}

// Closes the connection when no byte came or went for some seconds; MHD_set_connection_option is variadic.
static inline enum MHD_Result realmshift_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
    return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

// A response that ends with its connection rather than with a last chunk; MHD_set_response_options is variadic.
static inline enum MHD_Result realmshift_end_with_connection(struct MHD_Response *response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}
