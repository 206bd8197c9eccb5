#pragma once

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/socket.h>

// A socket for OpenSSL whose writes raise no SIGPIPE.
static inline int realmshift_bio_outcome(BIO *bio, ssize_t count, void (*retry)(BIO *)) {
    BIO_clear_retry_flags(bio);
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) retry(bio);
    return (int) count;
}

static inline void realmshift_bio_retry_read(BIO *bio) { BIO_set_retry_read(bio); }

static inline void realmshift_bio_retry_write(BIO *bio) { BIO_set_retry_write(bio); }

static inline int realmshift_bio_read(BIO *bio, char *bytes, int count) {
    ssize_t received = recv((int) (intptr_t) BIO_get_data(bio), bytes, (size_t) count, 0);
    return realmshift_bio_outcome(bio, received, realmshift_bio_retry_read);
}

static inline int realmshift_bio_write(BIO *bio, const char *bytes, int count) {
    ssize_t sent = send((int) (intptr_t) BIO_get_data(bio), bytes, (size_t) count, MSG_NOSIGNAL);
    return realmshift_bio_outcome(bio, sent, realmshift_bio_retry_write);
}

static inline long realmshift_bio_control(BIO *bio, int command, long number, void *pointer) {
    (void) bio; (void) number; (void) pointer;
    return command == BIO_CTRL_FLUSH;
}

// The methods of such sockets, made once and never freed.
static inline BIO_METHOD *realmshift_socket_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "realmshift socket");
    if (method == NULL) return NULL;
    BIO_meth_set_read(method, realmshift_bio_read);
    BIO_meth_set_write(method, realmshift_bio_write);
    BIO_meth_set_ctrl(method, realmshift_bio_control);
    return method;
}

// A context for servers with a certificate chain and a key, TLS 1.2 and 1.3 (RFC 9325); NULL where they can't be used.
static inline SSL_CTX *realmshift_server_context(const char *certificate, const char *key) {
    SSL_CTX *context = SSL_CTX_new(TLS_server_method());
    if (context == NULL) return NULL;
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(
        context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE);
    if (SSL_CTX_use_certificate_chain_file(context, certificate) == 1
        && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
        && SSL_CTX_check_private_key(context) == 1)
        return context;
    SSL_CTX_free(context);
    return NULL;
}

// The server's side of a connection, or NULL.
static inline SSL *realmshift_accepting(SSL_CTX *context, BIO_METHOD *method, int socket) {
    SSL *session = SSL_new(context);
    BIO *bio = session == NULL ? NULL : BIO_new(method);
    if (bio == NULL) {
        SSL_free(session);
        return NULL;
    }
    BIO_set_data(bio, (void *) (intptr_t) socket);
    BIO_set_init(bio, 1);
    SSL_set_bio(session, bio, bio);
    SSL_set_accept_state(session);
    return session;
}

// Bytes that were read or written; 0 at the end, -1 where it would block, -2 where the session failed.
static inline int realmshift_session_outcome(SSL *session, int result) {
    if (result > 0) return result;
    switch (SSL_get_error(session, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return -1;
    case SSL_ERROR_ZERO_RETURN: return 0;
    default: return -2;
    }
}

static inline int realmshift_session_read(SSL *session, void *bytes, int count) {
    ERR_clear_error();
    return realmshift_session_outcome(session, SSL_read(session, bytes, count));
}

static inline int realmshift_session_write(SSL *session, const void *bytes, int count) {
    ERR_clear_error();
    return realmshift_session_outcome(session, SSL_write(session, bytes, count));
}
