#ifndef COFFER_CSODIUM_H
#define COFFER_CSODIUM_H

#include <sodium.h>

// BLAKE2b over three pieces, without copying them into one. Swift does not import the type of the state.
static inline int coffer_hash_three(
    unsigned char *output, size_t output_count, const unsigned char *key, size_t key_count, const unsigned char *label,
    const unsigned char *one, size_t one_count, const unsigned char *two, size_t two_count,
    const unsigned char *three, size_t three_count
) {
    crypto_generichash_blake2b_state state;
    int status = crypto_generichash_blake2b_init_salt_personal(&state, key, key_count, output_count, NULL, label);
    if (status == 0) {
        crypto_generichash_blake2b_update(&state, one, one_count);
        crypto_generichash_blake2b_update(&state, two, two_count);
        crypto_generichash_blake2b_update(&state, three, three_count);
        status = crypto_generichash_blake2b_final(&state, output, output_count);
    }
    sodium_memzero(&state, sizeof state);
    return status;
}

#endif
