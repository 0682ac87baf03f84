/*
 * Makes many calls, and expects that memory does not grow.
 *
 *     loop VAULT CALLS
 */
#include "check.h"

static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file != NULL && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages;
}

/* 13 calls. */
static void calls(coffer_keychain *keychain)
{
    coffer_query *query = coffer_query_create(COFFER_GENERIC_PASSWORD);
    coffer_items *items = NULL;
    coffer_secret *secret = NULL;
    coffer_error *failure = NULL;
    OK(coffer_query_set(query, COFFER_SERVICE, coffer_text("loop"), &error));
    OK(coffer_keychain_find(keychain, query, 1, &items, &error));
    coffer_item *item = coffer_items_at(items, 0);
    CHECK(is(coffer_item_get(item, COFFER_ACCOUNT).bytes, "kim"));
    OK(coffer_keychain_secret(keychain, item, &secret, &error));
    CHECK(is(coffer_secret_bytes(secret), "hunter2"));
    CHECK(coffer_keychain_add(keychain, item, NULL, NULL, &failure) == COFFER_DUPLICATE);
    coffer_error_free(failure);
    coffer_secret_free(secret);
    coffer_item_free(item);
    coffer_items_free(items);
    coffer_query_free(query);
}

int main(int count, char **arguments)
{
    CHECK(count == 3);
    coffer_options *options = coffer_options_create();
    coffer_keychain *keychain = NULL;
    OK(coffer_options_set(options, COFFER_OPTION_VAULT, coffer_string(arguments[1]), &error));
    OK(coffer_keychain_open(options, NULL, &keychain, &error));
    coffer_item *item = coffer_item_create(COFFER_GENERIC_PASSWORD);
    OK(coffer_item_set(item, COFFER_SERVICE, coffer_text("loop"), &error));
    OK(coffer_item_set(item, COFFER_ACCOUNT, coffer_text("kim"), &error));
    OK(coffer_keychain_save(keychain, item, coffer_string("hunter2"), NULL, &error));
    long rounds = atol(arguments[2]) / 13 + 1, before = 0;
    for (long round = 0; round < rounds; round++) {
        if (round == rounds / 2) before = resident();
        calls(keychain);
    }
    long growth = resident() - before;
    printf("%ld calls, memory grew by %ld KiB\n", rounds * 13, growth * 4);
    coffer_item_free(item);
    coffer_options_free(options);
    coffer_keychain_free(keychain);
    /* The kernel counts pages in batches of 64. */
    return growth < 65 ? 0 : 1;
}
