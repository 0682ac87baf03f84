// The functions of OpenSSL's libcrypto 3 that Coffer calls, as it finds them at run time: no header and no library of
// OpenSSL is needed to build.

#ifndef COFFER_CLIBCRYPTO_H
#define COFFER_CLIBCRYPTO_H

#include <dlfcn.h>
#include <stddef.h>
#include <sys/auxv.h>

typedef struct coffer_ossl_lib_ctx_st coffer_OSSL_LIB_CTX;
typedef struct coffer_evp_pkey_st coffer_EVP_PKEY;
typedef struct coffer_evp_pkey_ctx_st coffer_EVP_PKEY_CTX;
typedef struct coffer_evp_kdf_st coffer_EVP_KDF;
typedef struct coffer_evp_kdf_ctx_st coffer_EVP_KDF_CTX;
typedef struct coffer_evp_cipher_st coffer_EVP_CIPHER;
typedef struct coffer_evp_cipher_ctx_st coffer_EVP_CIPHER_CTX;
typedef struct coffer_x509_st coffer_X509;
typedef struct coffer_x509_store_st coffer_X509_STORE;
typedef struct coffer_x509_store_ctx_st coffer_X509_STORE_CTX;
typedef struct coffer_x509_verify_param_st coffer_X509_VERIFY_PARAM;
typedef struct coffer_stack_st coffer_OPENSSL_STACK;
typedef struct coffer_algor_st coffer_X509_ALGOR;
typedef struct coffer_provider_st coffer_OSSL_PROVIDER;

/// A parameter of an operation or a part of a key; an array of them ends with one without a key.
typedef struct coffer_ossl_param_st {
    const char *_Nullable key;
    unsigned int data_type;
    void *_Nullable data;
    size_t data_size;
    size_t return_size;
} coffer_OSSL_PARAM;

/// The kinds of data in a `coffer_OSSL_PARAM`.
enum { COFFER_OSSL_UNSIGNED_INTEGER = 2, COFFER_OSSL_UTF8_STRING = 4, COFFER_OSSL_OCTET_STRING = 5 };

/// Both halves of a key, or its public half.
enum { COFFER_EVP_PKEY_PUBLIC_KEY = 0x86, COFFER_EVP_PKEY_KEYPAIR = 0x87 };

/// What happens during a verification: the result is 1 to go on.
typedef int (*coffer_X509_STORE_CTX_verify_cb)(int isGood, coffer_X509_STORE_CTX *_Nonnull);

/// Whether the program was started without a dynamic loader: then libraries would bring a second C library with them.
static inline int coffer_is_static_program(void) { return getauxval(AT_BASE) == 0; }

/// Calls `X` with the result, the name and the parameters of each function.
#define COFFER_LIBCRYPTO_FUNCTIONS(X)                                                                                  \
    X(unsigned int, OPENSSL_version_major, (void))                                                                     \
    X(coffer_OSSL_LIB_CTX *_Nullable, OSSL_LIB_CTX_new, (void))                                                        \
    X(void, OSSL_LIB_CTX_free, (coffer_OSSL_LIB_CTX *_Nullable))                                                       \
    X(int, ERR_set_mark, (void))                                                                                       \
    X(int, ERR_pop_to_mark, (void))                                                                                    \
    X(int, EVP_Q_digest,                                                                                               \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name, const char *_Nullable properties,                    \
       const void *_Nullable data, size_t, unsigned char *_Nonnull digest, size_t *_Nullable))                         \
    X(coffer_EVP_PKEY_CTX *_Nullable, EVP_PKEY_CTX_new_from_name,                                                      \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name, const char *_Nullable properties))                   \
    X(coffer_EVP_PKEY_CTX *_Nullable, EVP_PKEY_CTX_new_from_pkey,                                                      \
      (coffer_OSSL_LIB_CTX *_Nullable, coffer_EVP_PKEY *_Nonnull, const char *_Nullable properties))                   \
    X(void, EVP_PKEY_CTX_free, (coffer_EVP_PKEY_CTX *_Nullable))                                                       \
    X(void, EVP_PKEY_free, (coffer_EVP_PKEY *_Nullable))                                                               \
    X(int, EVP_PKEY_fromdata_init, (coffer_EVP_PKEY_CTX *_Nonnull))                                                    \
    X(int, EVP_PKEY_fromdata,                                                                                          \
      (coffer_EVP_PKEY_CTX *_Nonnull, coffer_EVP_PKEY *_Nullable *_Nonnull, int selection,                             \
       coffer_OSSL_PARAM *_Nonnull))                                                                                   \
    X(int, EVP_PKEY_check, (coffer_EVP_PKEY_CTX *_Nonnull))                                                            \
    X(int, EVP_PKEY_public_check, (coffer_EVP_PKEY_CTX *_Nonnull))                                                     \
    X(int, EVP_PKEY_keygen_init, (coffer_EVP_PKEY_CTX *_Nonnull))                                                      \
    X(int, EVP_PKEY_CTX_set_params, (coffer_EVP_PKEY_CTX *_Nonnull, const coffer_OSSL_PARAM *_Nonnull))                \
    X(int, EVP_PKEY_generate, (coffer_EVP_PKEY_CTX *_Nonnull, coffer_EVP_PKEY *_Nullable *_Nonnull))                   \
    X(int, EVP_PKEY_get_params, (const coffer_EVP_PKEY *_Nonnull, coffer_OSSL_PARAM *_Nonnull))                        \
    X(int, EVP_PKEY_sign_init_ex, (coffer_EVP_PKEY_CTX *_Nonnull, const coffer_OSSL_PARAM *_Nullable))                 \
    X(int, EVP_PKEY_sign,                                                                                              \
      (coffer_EVP_PKEY_CTX *_Nonnull, unsigned char *_Nullable signature, size_t *_Nonnull,                            \
       const unsigned char *_Nullable input, size_t))                                                                  \
    X(int, EVP_PKEY_verify_init_ex, (coffer_EVP_PKEY_CTX *_Nonnull, const coffer_OSSL_PARAM *_Nullable))               \
    X(int, EVP_PKEY_verify,                                                                                            \
      (coffer_EVP_PKEY_CTX *_Nonnull, const unsigned char *_Nullable signature, size_t,                                \
       const unsigned char *_Nullable input, size_t))                                                                  \
    X(int, EVP_PKEY_encrypt_init_ex, (coffer_EVP_PKEY_CTX *_Nonnull, const coffer_OSSL_PARAM *_Nullable))              \
    X(int, EVP_PKEY_encrypt,                                                                                           \
      (coffer_EVP_PKEY_CTX *_Nonnull, unsigned char *_Nullable output, size_t *_Nonnull,                               \
       const unsigned char *_Nullable input, size_t))                                                                  \
    X(int, EVP_PKEY_decrypt_init_ex, (coffer_EVP_PKEY_CTX *_Nonnull, const coffer_OSSL_PARAM *_Nullable))              \
    X(int, EVP_PKEY_decrypt,                                                                                           \
      (coffer_EVP_PKEY_CTX *_Nonnull, unsigned char *_Nullable output, size_t *_Nonnull,                               \
       const unsigned char *_Nullable input, size_t))                                                                  \
    X(int, EVP_PKEY_derive_init, (coffer_EVP_PKEY_CTX *_Nonnull))                                                      \
    X(int, EVP_PKEY_derive_set_peer, (coffer_EVP_PKEY_CTX *_Nonnull, coffer_EVP_PKEY *_Nonnull))                       \
    X(int, EVP_PKEY_derive, (coffer_EVP_PKEY_CTX *_Nonnull, unsigned char *_Nullable, size_t *_Nonnull))               \
    X(coffer_EVP_KDF *_Nullable, EVP_KDF_fetch,                                                                        \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name, const char *_Nullable properties))                   \
    X(void, EVP_KDF_free, (coffer_EVP_KDF *_Nullable))                                                                 \
    X(coffer_EVP_KDF_CTX *_Nullable, EVP_KDF_CTX_new, (coffer_EVP_KDF *_Nonnull))                                      \
    X(void, EVP_KDF_CTX_free, (coffer_EVP_KDF_CTX *_Nullable))                                                         \
    X(int, EVP_KDF_derive,                                                                                             \
      (coffer_EVP_KDF_CTX *_Nonnull, unsigned char *_Nonnull, size_t, const coffer_OSSL_PARAM *_Nullable))             \
    X(coffer_EVP_CIPHER *_Nullable, EVP_CIPHER_fetch,                                                                  \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name, const char *_Nullable properties))                   \
    X(void, EVP_CIPHER_free, (coffer_EVP_CIPHER *_Nullable))                                                           \
    X(coffer_EVP_CIPHER_CTX *_Nullable, EVP_CIPHER_CTX_new, (void))                                                    \
    X(void, EVP_CIPHER_CTX_free, (coffer_EVP_CIPHER_CTX *_Nullable))                                                   \
    X(int, EVP_CipherInit_ex2,                                                                                         \
      (coffer_EVP_CIPHER_CTX *_Nonnull, const coffer_EVP_CIPHER *_Nullable, const unsigned char *_Nullable key,        \
       const unsigned char *_Nullable iv, int encrypts, const coffer_OSSL_PARAM *_Nullable))                           \
    X(int, EVP_CipherUpdate,                                                                                           \
      (coffer_EVP_CIPHER_CTX *_Nonnull, unsigned char *_Nullable output, int *_Nonnull,                                \
       const unsigned char *_Nullable input, int))                                                                     \
    X(int, EVP_CipherFinal_ex, (coffer_EVP_CIPHER_CTX *_Nonnull, unsigned char *_Nullable output, int *_Nonnull))      \
    X(int, EVP_CIPHER_CTX_get_params, (coffer_EVP_CIPHER_CTX *_Nonnull, coffer_OSSL_PARAM *_Nonnull))                  \
    X(coffer_X509 *_Nullable, d2i_X509,                                                                                \
      (coffer_X509 *_Nullable *_Nullable, const unsigned char *_Nullable *_Nonnull, long))                             \
    X(coffer_X509 *_Nullable, X509_new_ex, (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nullable properties))         \
    X(void, X509_free, (coffer_X509 *_Nullable))                                                                       \
    X(coffer_OPENSSL_STACK *_Nullable, OPENSSL_sk_new_null, (void))                                                    \
    X(int, OPENSSL_sk_push, (coffer_OPENSSL_STACK *_Nonnull, const void *_Nullable))                                   \
    X(int, OPENSSL_sk_num, (const coffer_OPENSSL_STACK *_Nullable))                                                    \
    X(void *_Nullable, OPENSSL_sk_value, (const coffer_OPENSSL_STACK *_Nullable, int))                                 \
    X(void, OPENSSL_sk_free, (coffer_OPENSSL_STACK *_Nullable))                                                        \
    X(coffer_X509_STORE *_Nullable, X509_STORE_new, (void))                                                            \
    X(void, X509_STORE_free, (coffer_X509_STORE *_Nullable))                                                           \
    X(int, X509_STORE_add_cert, (coffer_X509_STORE *_Nonnull, coffer_X509 *_Nonnull))                                  \
    X(coffer_X509_STORE_CTX *_Nullable, X509_STORE_CTX_new_ex,                                                         \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nullable properties))                                              \
    X(void, X509_STORE_CTX_free, (coffer_X509_STORE_CTX *_Nullable))                                                   \
    X(int, X509_STORE_CTX_init,                                                                                        \
      (coffer_X509_STORE_CTX *_Nonnull, coffer_X509_STORE *_Nonnull, coffer_X509 *_Nonnull,                            \
       coffer_OPENSSL_STACK *_Nullable others))                                                                        \
    X(void, X509_STORE_CTX_set_verify_cb,                                                                              \
      (coffer_X509_STORE_CTX *_Nonnull, coffer_X509_STORE_CTX_verify_cb _Nonnull))                                     \
    X(int, X509_STORE_CTX_set_ex_data, (coffer_X509_STORE_CTX *_Nonnull, int index, void *_Nullable))                  \
    X(void *_Nullable, X509_STORE_CTX_get_ex_data, (const coffer_X509_STORE_CTX *_Nonnull, int index))                 \
    X(int, X509_STORE_CTX_get_error, (const coffer_X509_STORE_CTX *_Nonnull))                                          \
    X(int, X509_STORE_CTX_get_error_depth, (const coffer_X509_STORE_CTX *_Nonnull))                                    \
    X(coffer_OPENSSL_STACK *_Nullable, X509_STORE_CTX_get0_chain, (const coffer_X509_STORE_CTX *_Nonnull))             \
    X(coffer_X509_VERIFY_PARAM *_Nullable, X509_STORE_CTX_get0_param, (const coffer_X509_STORE_CTX *_Nonnull))         \
    X(int, X509_VERIFY_PARAM_set_flags, (coffer_X509_VERIFY_PARAM *_Nonnull, unsigned long))                           \
    X(void, X509_VERIFY_PARAM_set_time, (coffer_X509_VERIFY_PARAM *_Nonnull, long))                                    \
    X(int, X509_verify_cert, (coffer_X509_STORE_CTX *_Nonnull))                                                        \
    X(int, i2d_X509, (const coffer_X509 *_Nonnull, unsigned char *_Nullable *_Nullable))                               \
    X(coffer_OSSL_PROVIDER *_Nullable, OSSL_PROVIDER_load, (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name))\
    X(coffer_X509_ALGOR *_Nullable, d2i_X509_ALGOR,                                                                    \
      (coffer_X509_ALGOR *_Nullable *_Nullable, const unsigned char *_Nullable *_Nonnull, long))                       \
    X(void, X509_ALGOR_free, (coffer_X509_ALGOR *_Nullable))                                                           \
    X(unsigned char *_Nullable, PKCS12_pbe_crypt_ex,                                                                   \
      (const coffer_X509_ALGOR *_Nonnull, const char *_Nullable passphrase, int, const unsigned char *_Nullable input, \
       int, unsigned char *_Nullable *_Nullable output, int *_Nullable, int encrypts,                                  \
       coffer_OSSL_LIB_CTX *_Nullable, const char *_Nullable properties))                                              \
    X(void, CRYPTO_clear_free, (void *_Nullable, size_t, const char *_Nullable file, int line))                        \
    X(unsigned char *_Nullable, EVP_Q_mac,                                                                             \
      (coffer_OSSL_LIB_CTX *_Nullable, const char *_Nonnull name, const char *_Nullable properties,                    \
       const char *_Nullable algorithm, const coffer_OSSL_PARAM *_Nullable, const void *_Nullable key, size_t,         \
       const unsigned char *_Nullable data, size_t, unsigned char *_Nullable, size_t, size_t *_Nullable))

/// The functions, by name.
typedef struct {
#define COFFER_FIELD(result, name, parameters) result (*_Nonnull name) parameters;
    COFFER_LIBCRYPTO_FUNCTIONS(COFFER_FIELD)
#undef COFFER_FIELD
} coffer_libcrypto;

/// Finds the functions in a library; returns null, or the name of one that is missing.
static inline const char *_Nullable coffer_libcrypto_find(coffer_libcrypto *_Nonnull functions,
                                                          void *_Nonnull library) {
#define COFFER_FIND(result, name, parameters)                                                                          \
    if (!(functions->name = (result(*) parameters)dlsym(library, #name))) return #name;
    COFFER_LIBCRYPTO_FUNCTIONS(COFFER_FIND)
#undef COFFER_FIND
    return NULL;
}

#endif
