/*
 * Prints the secret of a service in the user's vault: the smallest useful program, for measuring its start.
 *
 *     get SERVICE [TIMES]
 */
#include "check.h"

#include <time.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int count, char **arguments)
{
    coffer_keychain *keychain = NULL;
    coffer_query *query = coffer_query_create(COFFER_GENERIC_PASSWORD);
    coffer_secret *secret = NULL;
    CHECK(count > 1);
    OK(coffer_keychain_open(NULL, NULL, &keychain, &error));
    OK(coffer_query_set(query, COFFER_SERVICE, coffer_text(arguments[1]), &error));
    OK(coffer_keychain_find_secret(keychain, query, &secret, &error));
    long times = count > 2 ? atol(arguments[2]) : 0;
    double start = seconds();
    for (long round = 0; round < times; round++) {
        coffer_secret_free(secret);
        OK(coffer_keychain_find_secret(keychain, query, &secret, &error));
    }
    if (times) printf("%.0f ns for each lookup with its secret\n", (seconds() - start) / (double)times * 1e9);
    else printf("%.*s", (int)coffer_secret_bytes(secret).count, (const char *)coffer_secret_bytes(secret).bytes);
    coffer_secret_free(secret);
    coffer_query_free(query);
    coffer_keychain_free(keychain);
    return 0;
}
