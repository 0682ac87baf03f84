// The functions of OpenSSL's libcrypto 3 that Coffer calls, as it finds them at run time: no header and no library of
// OpenSSL is needed to build.

#ifndef COFFER_CLIBCRYPTO_H
#define COFFER_CLIBCRYPTO_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;

typedef unsigned int (*coffer_OPENSSL_version_major)(void);
typedef OSSL_LIB_CTX *(*coffer_OSSL_LIB_CTX_new)(void);
typedef int (*coffer_EVP_Q_digest)(OSSL_LIB_CTX *context, const char *name, const char *properties, const void *data,
                                   size_t data_size, unsigned char *digest, size_t *digest_size);

#endif
