// The functions of libcurl that Coffer calls, as it finds them at run time: no header and no library of curl is needed
// to build. Its functions take any number of arguments, which Swift cannot call, so a request is made here.

#ifndef COFFER_CCURL_H
#define COFFER_CCURL_H

#include <dlfcn.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>

typedef struct coffer_curl_handle_st coffer_curl_handle;
typedef struct coffer_curl_list_st coffer_curl_list;

/// Receives a part of the answer; returns false to end the request.
typedef _Bool (*coffer_curl_receive)(void *_Nullable context, const uint8_t *_Nonnull bytes, size_t byteCount);
/// Is asked about once a second whether the request should go on.
typedef _Bool (*coffer_curl_goes_on)(void *_Nullable context);

/// A function with any number of arguments, which Swift knows only as one without.
typedef int (*coffer_curl_variadic)(coffer_curl_handle *_Nonnull, int number, ...);

/// Calls `X` with the result, the name and the parameters of each function.
#define COFFER_CURL_FUNCTIONS(X)                                                                                       \
    X(const char *_Nonnull, curl_version, (void))                                                                      \
    X(int, curl_global_init, (long))                                                                                   \
    X(coffer_curl_handle *_Nullable, curl_easy_init, (void))                                                           \
    X(void, curl_easy_setopt, (void))                                                                                  \
    X(void, curl_easy_getinfo, (void))                                                                                 \
    X(int, curl_easy_perform, (coffer_curl_handle *_Nonnull))                                                          \
    X(void, curl_easy_cleanup, (coffer_curl_handle *_Nullable))                                                        \
    X(const char *_Nonnull, curl_easy_strerror, (int))                                                                 \
    X(coffer_curl_list *_Nullable, curl_slist_append, (coffer_curl_list *_Nullable, const char *_Nonnull))             \
    X(void, curl_slist_free_all, (coffer_curl_list *_Nullable))

/// The functions, by name.
typedef struct {
#define COFFER_FIELD(result, name, parameters) result (*_Nonnull name) parameters;
    COFFER_CURL_FUNCTIONS(COFFER_FIELD)
#undef COFFER_FIELD
} coffer_curl;

/// Variables that name a file which libcurl or its library for TLS writes keys to, or reads settings or code from, when it
/// starts.
static const char *const _Nonnull coffer_curl_hidden_names[] = {
    "SSLKEYLOGFILE=", "OPENSSL_CONF=", "OPENSSL_MODULES=", "OPENSSL_ENGINES=", "GNUTLS_SYSTEM_PRIORITY_FILE=",
    "CURL_SSL_BACKEND=",
};
enum { COFFER_CURL_HIDDEN_COUNT = sizeof coffer_curl_hidden_names / sizeof *coffer_curl_hidden_names };

/// The entries of the environment that are hidden, each null if there is none.
typedef struct {
    char *_Nullable *_Nullable places[COFFER_CURL_HIDDEN_COUNT];
    char *_Nullable entries[COFFER_CURL_HIDDEN_COUNT];
} coffer_curl_hidden;

extern char *_Nullable *_Nullable environ;

/// Hides the variables. No entry moves meanwhile, since other threads may be reading the environment.
static inline void coffer_curl_hide(coffer_curl_hidden *_Nonnull hidden) {
    static char nothing[] = "_=";
    memset(hidden, 0, sizeof *hidden);
    for (int index = 0; index < COFFER_CURL_HIDDEN_COUNT; index++) {
        const char *name = coffer_curl_hidden_names[index];
        for (char **place = environ; place && *place; place++) {
            if (strncmp(*place, name, strlen(name)) != 0) continue;
            hidden->places[index] = place;
            hidden->entries[index] = *place;
            *place = nothing;
            break;
        }
    }
}

static inline _Bool coffer_curl_has_gnutls(const coffer_curl *_Nonnull curl) {
    return strstr(curl->curl_version(), "GnuTLS") != NULL;
}

/// Whether keys would be written all the same: GnuTLS looks for the variable when it first connects.
static inline _Bool coffer_curl_writes_keys(const coffer_curl *_Nonnull curl, const coffer_curl_hidden *_Nonnull hidden) {
    const char *entry = hidden->entries[0];
    return entry && entry[strlen(coffer_curl_hidden_names[0])] && coffer_curl_has_gnutls(curl);
}

/// Ends that.
static inline void coffer_curl_show(const coffer_curl_hidden *_Nonnull hidden) {
    for (int index = 0; index < COFFER_CURL_HIDDEN_COUNT; index++)
        if (hidden->places[index]) *hidden->places[index] = hidden->entries[index];
}

/// Whether the program was started without a dynamic loader: then libraries would bring a second C library with them.
static inline int coffer_curl_is_static_program(void) { return getauxval(AT_BASE) == 0; }

/// Finds the functions in a library; returns null, or the name of one that is missing.
static inline const char *_Nullable coffer_curl_find(coffer_curl *_Nonnull functions, void *_Nonnull library) {
#define COFFER_FIND(result, name, parameters)                                                                          \
    if (!(functions->name = (result(*) parameters)dlsym(library, #name))) return #name;
    COFFER_CURL_FUNCTIONS(COFFER_FIND)
#undef COFFER_FIND
    return NULL;
}

enum { COFFER_CURL_ERROR_BYTE_COUNT = 256 };

/// A request, and what became of it.
typedef struct {
    /// Five texts, each with a zero byte after it: the address; the files in PEM of the authorities that are trusted
    /// instead of those of the system, of the certificate of the client and of its key, each empty for none; and the
    /// headers, each with a newline after it.
    const char *_Nullable texts;
    /// The body of a POST; null for a GET.
    const void *_Nullable body;
    size_t bodyByteCount;
    /// In milliseconds; 0 for no limit.
    long timeout;
    long connectTimeout;
    coffer_curl_receive _Nullable receive;
    coffer_curl_goes_on _Nullable goesOn;
    void *_Nullable context;

    /// The status of the answer; 0 if there was none.
    long status;
    /// How many connections were made for it.
    long connectionCount;
    char error[COFFER_CURL_ERROR_BYTE_COUNT];
} coffer_curl_request;

static inline size_t coffer_curl_write(char *_Nonnull bytes, size_t size, size_t count, void *_Nonnull context) {
    coffer_curl_request *request = (coffer_curl_request *)context;
    return request->receive(request->context, (const uint8_t *)bytes, size * count) ? size * count : 0;
}

static inline int coffer_curl_progress(void *_Nonnull context, int64_t total, int64_t now, int64_t uploadTotal,
                                       int64_t uploaded) {
    coffer_curl_request *request = (coffer_curl_request *)context;
    return request->goesOn(request->context) ? 0 : 1;
}

/// Makes a request on a handle, which keeps its connection; returns 0, or the number of curl's error.
///
/// Nothing but the arguments counts: neither the environment nor a file of the user names a proxy or a password, and no
/// redirect is followed. Nobody is asked for the passphrase of a key. No signal reaches the program.
static inline int coffer_curl_perform(const coffer_curl *_Nonnull curl, coffer_curl_handle *_Nonnull handle,
                                      coffer_curl_request *_Nonnull request) {
    request->status = 0;
    request->connectionCount = 0;
    request->error[0] = 0;
    const char *texts[5];
    texts[0] = request->texts;
    for (int index = 1; index < 5; index++) texts[index] = texts[index - 1] + strlen(texts[index - 1]) + 1;
    coffer_curl_list *headers = curl->curl_slist_append(NULL, "Expect:");
    for (const char *line = texts[4], *end; headers && (end = strchr(line, '\n')); line = end + 1) {
        char header[1024];
        size_t count = (size_t)(end - line);
        coffer_curl_list *longer = NULL;
        if (count < sizeof header) {
            memcpy(header, line, count);
            header[count] = 0;
            longer = curl->curl_slist_append(headers, header);
            explicit_bzero(header, count);
        }
        if (!longer) curl->curl_slist_free_all(headers);
        headers = longer;
    }
    if (!headers) return 27; // out of memory

    int failure = 0;
#define COFFER_SET(option, value)                                                                                      \
    if (!failure) failure = ((coffer_curl_variadic)curl->curl_easy_setopt)(handle, option, value);
    COFFER_SET(10002, texts[0])
    COFFER_SET(10004, "")       // PROXY
    COFFER_SET(181, 3L)         // PROTOCOLS: http and https
    COFFER_SET(99, 1L)          // NOSIGNAL
    COFFER_SET(213, 1L)         // TCP_KEEPALIVE
    COFFER_SET(214, 20L)        // TCP_KEEPIDLE
    COFFER_SET(215, 10L)        // TCP_KEEPINTVL
    COFFER_SET(10010, request->error)
    COFFER_SET(10023, headers)
    COFFER_SET(32, 6L)          // SSLVERSION: TLS 1.2 or later
    if (*texts[1]) {
        COFFER_SET(10065, texts[1])
        COFFER_SET(10097, NULL) // CAPATH, which has those of the system unless it is unset
    }
    COFFER_SET(10025, *texts[2] ? texts[2] : NULL)
    COFFER_SET(10087, *texts[3] ? texts[3] : NULL)
    // KEYPASSWD, without which OpenSSL asks at the terminal. GnuTLS never asks, and takes no key without a passphrase then.
    if (!coffer_curl_has_gnutls(curl)) COFFER_SET(10026, "")
    COFFER_SET(155, request->timeout)
    COFFER_SET(156, request->connectTimeout)
    COFFER_SET(20011, coffer_curl_write)
    COFFER_SET(10001, (void *)request)
    COFFER_SET(20219, coffer_curl_progress)
    COFFER_SET(10057, (void *)request)
    COFFER_SET(43, 0L)          // NOPROGRESS
    if (request->body) {
        COFFER_SET(60, (long)request->bodyByteCount)
        COFFER_SET(10015, request->body)
    } else {
        COFFER_SET(80, 1L)      // HTTPGET
    }
#undef COFFER_SET

    if (!failure) {
        // A write to a connection that the other side has closed; OpenSSL's writes cannot be told to leave it out.
        sigset_t pipe, before, pending;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        sigpending(&pending);
        pthread_sigmask(SIG_BLOCK, &pipe, &before);
        failure = curl->curl_easy_perform(handle);
        if (!sigismember(&pending, SIGPIPE)) {
            struct timespec none = {0, 0};
            sigtimedwait(&pipe, NULL, &none);
        }
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        ((coffer_curl_variadic)curl->curl_easy_getinfo)(handle, 0x200002, &request->status);
        ((coffer_curl_variadic)curl->curl_easy_getinfo)(handle, 0x20001A, &request->connectionCount);
    }
    if (failure && !request->error[0]) {
        const char *text = curl->curl_easy_strerror(failure);
        for (size_t index = 0; index + 1 < sizeof request->error && text[index]; index++)
            request->error[index] = text[index], request->error[index + 1] = 0;
    }
    curl->curl_slist_free_all(headers);
    return failure;
}

#endif
