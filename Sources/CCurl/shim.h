#pragma once

#include <curl/curl.h>

// curl_easy_setopt and curl_easy_getinfo take any type, which Swift can't call.
static inline CURLcode realmshift_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode realmshift_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode realmshift_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}
static inline CURLcode realmshift_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}
typedef size_t (*realmshift_transfer)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode realmshift_set_transfer(CURL *handle, CURLoption option, realmshift_transfer function) {
    return curl_easy_setopt(handle, option, function);
}
typedef int (*realmshift_seek)(void *context, curl_off_t offset, int origin);
static inline CURLcode realmshift_set_seek(CURL *handle, realmshift_seek function) {
    return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}
typedef curl_socket_t (*realmshift_open_socket)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
static inline CURLcode realmshift_set_open_socket(CURL *handle, realmshift_open_socket function, void *context) {
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}
// The seconds of Retry-After, be it a number or a date; 0 where the answer has none.
static inline curl_off_t realmshift_retry_after(CURL *handle) {
    curl_off_t seconds = 0;
    curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}
static inline long realmshift_status(CURL *handle) {
    long status = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
    return status;
}
