/*
 * A tour of the C interface: creates a vault, stores a login, changes it, and goes back.
 *
 *     cc tour.c $(pkg-config --cflags --libs coffer) -o tour && ./tour /tmp/tour.coffer
 */
#include <coffer.h>

#include <stdio.h>
#include <stdlib.h>

/* Ends the program with the message of an error, if there is one. */
static void check(coffer_status status, coffer_error *error)
{
    if (status == COFFER_OK) return;
    fprintf(stderr, "tour: %s\n", (const char *)coffer_error_message(error).bytes);
    coffer_error_free(error);
    exit(1);
}

static bool show_progress(void *context, int64_t done, int64_t total)
{
    (void)context;
    fprintf(stderr, "compacting: %lld of %lld bytes\n", (long long)done, (long long)total);
    return true;
}

static bool add_two(void *context, coffer_keychain *keychain)
{
    const char *accounts[] = {"lee", "pat"};
    (void)context;
    for (int index = 0; index < 2; index++) {
        coffer_item *login = coffer_item_create(COFFER_GENERIC_PASSWORD);
        coffer_item_set(login, COFFER_SERVICE, coffer_text("mail"), NULL);
        coffer_item_set(login, COFFER_ACCOUNT, coffer_text(accounts[index]), NULL);
        coffer_status status = coffer_keychain_save(keychain, login, coffer_string("correct horse"), NULL, NULL);
        coffer_item_free(login);
        if (status != COFFER_OK) return false;
    }
    return true;
}

int main(int count, char **arguments)
{
    coffer_error *error = NULL;
    coffer_vault *vault = NULL;
    coffer_keychain *keychain = NULL;
    const char *path = count > 1 ? arguments[1] : "tour.coffer";

    /* A vault that opens with a passphrase. */
    coffer_options *options = coffer_options_create();
    check(coffer_options_set(options, COFFER_OPTION_PASSPHRASE, coffer_string("a long passphrase"), &error), error);
    check(coffer_vault_create(coffer_string(path), options, &vault, &error), error);
    coffer_identity identity = {coffer_string("com.example.mail"), NULL, 0};
    check(coffer_vault_keychain(vault, &identity, &keychain, &error), error);

    /* A login, and its secret. */
    coffer_item *login = coffer_item_create(COFFER_GENERIC_PASSWORD), *stored = NULL, *now = NULL;
    check(coffer_item_set(login, COFFER_SERVICE, coffer_text("mail"), &error), error);
    check(coffer_item_set(login, COFFER_ACCOUNT, coffer_text("kim"), &error), error);
    check(coffer_keychain_save(keychain, login, coffer_string("hunter2"), &stored, &error), error);
    coffer_secret *secret = NULL;
    check(coffer_keychain_secret(keychain, stored, &secret, &error), error);
    printf("%s has a secret of %zu bytes\n", (const char *)coffer_item_get(stored, COFFER_ACCOUNT).bytes.bytes,
           coffer_secret_bytes(secret).count);
    coffer_secret_free(secret);

    /* A change, and back. */
    check(coffer_item_set(stored, COFFER_LABEL, coffer_text("Mail"), &error), error);
    check(coffer_keychain_update(keychain, stored, NULL, COFFER_IF_UNCHANGED, &now, &error), error);
    printf("label: %s\n", (const char *)coffer_item_get(now, COFFER_LABEL).bytes.bytes);
    coffer_item_free(now);
    check(coffer_keychain_undo(keychain, stored, COFFER_ALWAYS_CHANGE, &now, &error), error);
    printf("label after undo: %s\n", coffer_item_get(now, COFFER_LABEL).kind == COFFER_NONE ? "none" : "some");

    /* Two changes together, and all items of a service. */
    check(coffer_keychain_transaction(keychain, add_two, NULL, &error), error);
    coffer_query *query = coffer_query_create(COFFER_GENERIC_PASSWORD);
    coffer_items *items = NULL;
    check(coffer_query_set(query, COFFER_SERVICE, coffer_text("mail"), &error), error);
    check(coffer_keychain_find(keychain, query, 0, &items, &error), error);
    for (size_t index = 0; index < coffer_items_count(items); index++) {
        coffer_item *item = coffer_items_at(items, index);
        printf("found %s\n", (const char *)coffer_item_get(item, COFFER_ACCOUNT).bytes.bytes);
        coffer_item_free(item);
    }

    /* A locked vault says so. */
    coffer_vault_lock(vault);
    coffer_items *none = NULL;
    if (coffer_keychain_find(keychain, query, 0, &none, NULL) == COFFER_LOCKED) printf("the vault is locked\n");
    check(coffer_vault_unlock(vault, options, &error), error);
    check(coffer_vault_compact(vault, show_progress, NULL, NULL, &error), error);

    coffer_items_free(items);
    coffer_query_free(query);
    coffer_item_free(now);
    coffer_item_free(stored);
    coffer_item_free(login);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
    coffer_options_free(options);
    return 0;
}
