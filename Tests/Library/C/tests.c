/*
 * Tests of the C interface. Each gets an empty directory of its own. `tests` runs all, `tests NAME` one of them,
 * `tests NAME not` all others.
 * Expected values are those of Apple's documentation and of coffer.h.
 */
#define _GNU_SOURCE
#include "check.h"

#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Places ---- */

static char directory[] = "/tmp/coffer-tests-XXXXXX";
static char paths[8][4096];

/* A path in the directory of the test. */
static const char *path(const char *name)
{
    static int next;
    char *result = paths[next++ % 8];
    snprintf(result, sizeof paths[0], "%s/%s", directory, name);
    return result;
}

static coffer_options *options_with(const char *passphrase)
{
    coffer_options *options = coffer_options_create();
    OK(coffer_options_set(options, COFFER_OPTION_DEVICE_KEY_FILE, coffer_string(path("device.key")), &error));
    OK(coffer_options_set(options, COFFER_OPTION_MEMORY_DIRECTORY, coffer_string(path("memory")), &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_KERNEL_KEYRING, 0, &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_PASSPHRASE_MEMORY, 64, &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_PASSPHRASE_PASSES, 2, &error));
    if (passphrase) OK(coffer_options_set(options, COFFER_OPTION_PASSPHRASE, coffer_string(passphrase), &error));
    return options;
}

static coffer_vault *vault_with(const char *passphrase)
{
    coffer_options *options = options_with(passphrase);
    coffer_vault *vault = NULL;
    OK(coffer_vault_create(coffer_string(path("vault.coffer")), options, &vault, &error));
    coffer_options_free(options);
    return vault;
}

static coffer_keychain *keychain_of(coffer_vault *vault)
{
    coffer_keychain *keychain = NULL;
    OK(coffer_vault_keychain(vault, NULL, &keychain, &error));
    return keychain;
}

/* The keychain of a vault that this machine opens. */
static coffer_keychain *keychain_alone(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_vault_free(vault);
    return keychain;
}

static coffer_item *login(const char *service, const char *account)
{
    coffer_item *item = coffer_item_create(COFFER_GENERIC_PASSWORD);
    OK(coffer_item_set(item, COFFER_SERVICE, coffer_text(service), &error));
    OK(coffer_item_set(item, COFFER_ACCOUNT, coffer_text(account), &error));
    return item;
}

static coffer_query *query_for(const char *service)
{
    coffer_query *query = coffer_query_create(COFFER_GENERIC_PASSWORD);
    OK(coffer_query_set(query, COFFER_SERVICE, coffer_text(service), &error));
    return query;
}

/* Adds a login and returns it as stored. */
static coffer_item *added(coffer_keychain *keychain, const char *service, const char *account, const char *secret)
{
    coffer_item *item = login(service, account), *now = NULL;
    coffer_bytes bytes = coffer_string(secret);
    OK(coffer_keychain_add(keychain, item, &bytes, &now, &error));
    coffer_item_free(item);
    return now;
}

static bool has_secret(coffer_keychain *keychain, const coffer_item *item, const char *expected)
{
    coffer_secret *secret = NULL;
    OK(coffer_keychain_secret(keychain, item, &secret, &error));
    bool same = expected ? secret && is(coffer_secret_bytes(secret), expected) : secret == NULL;
    coffer_secret_free(secret);
    return same;
}

static size_t count_of(coffer_keychain *keychain, const char *service)
{
    coffer_query *query = query_for(service);
    size_t count = 99;
    OK(coffer_keychain_count(keychain, query, &count, &error));
    coffer_query_free(query);
    return count;
}

/* ---- Items ---- */

static void an_item_comes_back_with_its_attributes_and_secret(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = login("mail", "kim");
    OK(coffer_item_set(item, COFFER_LABEL, coffer_text("M\xC3\xA4il"), &error));
    OK(coffer_item_set(item, COFFER_GENERIC, coffer_data("a\0b", 3), &error));
    OK(coffer_item_set(item, COFFER_TYPE, coffer_integer(1234), &error));
    OK(coffer_item_set(item, COFFER_IS_INVISIBLE, coffer_flag(true), &error));
    OK(coffer_item_set(item, COFFER_ACCESSIBLE, coffer_text(COFFER_AFTER_FIRST_UNLOCK), &error));
    coffer_bytes secret = {"s3\0ret", 6};
    OK(coffer_keychain_add(keychain, item, &secret, NULL, &error));
    coffer_item_free(item);

    coffer_query *query = query_for("mail");
    coffer_items *items = NULL;
    OK(coffer_keychain_find(keychain, query, 0, &items, &error));
    CHECK(coffer_items_count(items) == 1);
    CHECK(coffer_items_at(items, 1) == NULL);
    item = coffer_items_at(items, 0);
    coffer_items_free(items);
    CHECK(coffer_item_class(item) == COFFER_GENERIC_PASSWORD);
    CHECK(is(coffer_item_get(item, COFFER_ACCOUNT).bytes, "kim"));
    CHECK(is(coffer_item_get(item, COFFER_LABEL).bytes, "M\xC3\xA4il"));
    coffer_value generic = coffer_item_get(item, COFFER_GENERIC);
    CHECK(generic.kind == COFFER_DATA && generic.bytes.count == 3 && memcmp(generic.bytes.bytes, "a\0b", 3) == 0);
    CHECK(coffer_item_get(item, COFFER_TYPE).kind == COFFER_INTEGER);
    CHECK(coffer_item_get(item, COFFER_TYPE).integer == 1234);
    CHECK(coffer_item_get(item, COFFER_IS_INVISIBLE).integer == 1);
    CHECK(is(coffer_item_get(item, COFFER_ACCESSIBLE).bytes, COFFER_AFTER_FIRST_UNLOCK));
    CHECK(is(coffer_item_get(item, COFFER_ACCESS_GROUP).bytes, "coffer"));
    CHECK(coffer_item_get(item, COFFER_HAS_SECRET).integer == 1);
    CHECK(coffer_item_get(item, COFFER_REFERENCE).bytes.count == 20);
    CHECK(coffer_item_get(item, COFFER_CREATED).kind == COFFER_DATE);
    CHECK(coffer_item_get(item, COFFER_CREATED).real > 1700000000);
    CHECK(coffer_item_get(item, COFFER_COMMENT).kind == COFFER_NONE);
    size_t names = 0;
    bool found = false;
    for (; coffer_item_name(item, names); names++) found |= strcmp(coffer_item_name(item, names), "svce") == 0;
    CHECK(names == 8 && found);

    coffer_secret *read = NULL;
    OK(coffer_keychain_secret(keychain, item, &read, &error));
    CHECK(coffer_secret_bytes(read).count == 6 && memcmp(coffer_secret_bytes(read).bytes, "s3\0ret", 6) == 0);
    coffer_secret_free(read);
    OK(coffer_keychain_find_secret(keychain, query, &read, &error));
    CHECK(coffer_secret_bytes(read).count == 6);
    coffer_secret_free(read);

    coffer_item *same = NULL;
    OK(coffer_keychain_item(keychain, coffer_item_get(item, COFFER_REFERENCE).bytes, &same, &error));
    CHECK(is(coffer_item_get(same, COFFER_REVISION).bytes,
             (const char *)coffer_item_get(item, COFFER_REVISION).bytes.bytes));
    coffer_item_free(same);
    coffer_item_free(item);
    coffer_query_free(query);
    coffer_keychain_free(keychain);
}

static void an_item_without_a_secret_differs_from_one_with_an_empty_secret(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = login("none", "kim"), *none = NULL;
    OK(coffer_keychain_add(keychain, item, NULL, &none, &error));
    coffer_item_free(item);
    coffer_item *empty = added(keychain, "empty", "kim", "");
    CHECK(has_secret(keychain, none, NULL) && coffer_item_get(none, COFFER_HAS_SECRET).integer == 0);
    CHECK(has_secret(keychain, empty, "") && coffer_item_get(empty, COFFER_HAS_SECRET).integer == 1);
    coffer_item *now = NULL;
    OK(coffer_keychain_remove_secret(keychain, empty, COFFER_IF_UNCHANGED, &now, &error));
    CHECK(has_secret(keychain, now, NULL));
    coffer_item_free(now);
    coffer_item_free(none);
    coffer_item_free(empty);
    coffer_keychain_free(keychain);
}

/* Gets and sets passwords in a transaction. */
static bool replace_password(void *context, coffer_keychain *inside)
{
    coffer_secret *password = NULL;
    (void)context;
    OK(coffer_password_set(inside, "mail", "kim", "in a transaction", &error));
    OK(coffer_password_get(inside, "mail", "kim", &password, &error));
    CHECK(is(coffer_secret_bytes(password), "in a transaction"));
    coffer_secret_free(password);
    return true;
}

static void a_password_is_one_call(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_secret *password = (coffer_secret *)1;
    FAILS(COFFER_NOT_FOUND, -25300, coffer_password_get(keychain, "mail", "kim", &password, &error));
    CHECK(password == NULL);
    OK(coffer_password_set(keychain, "mail", "kim", "hunter2", &error));
    OK(coffer_password_set(keychain, "mail", "kim", "newer", &error));
    OK(coffer_password_get(keychain, "mail", "kim", &password, &error));
    CHECK(strcmp(coffer_secret_bytes(password).bytes, "newer") == 0);
    coffer_secret_free(password);
    OK(coffer_keychain_transaction(keychain, replace_password, NULL, &error));
    coffer_query *query = query_for("mail");
    size_t count = 0;
    OK(coffer_keychain_count(keychain, query, &count, &error));
    CHECK(count == 1);
    coffer_query_free(query);

    coffer_item *item = login("none", "kim"), *none = NULL;
    OK(coffer_keychain_add(keychain, item, NULL, &none, &error));
    FAILS(COFFER_NOT_FOUND, -25300, coffer_password_get(keychain, "none", "kim", &password, &error));
    coffer_item_free(none);
    coffer_item_free(item);
    FAILS(COFFER_INVALID, -50, coffer_password_get(keychain, NULL, "kim", &password, &error));
    FAILS(COFFER_INVALID, -50, coffer_password_get(keychain, "mail", "\xFF", &password, &error));
    FAILS(COFFER_INVALID, -50, coffer_password_get(keychain, "mail", "kim", NULL, &error));
    FAILS(COFFER_INVALID, -50, coffer_password_set(keychain, "mail", NULL, "x", &error));
    FAILS(COFFER_INVALID, -50, coffer_password_set(keychain, "mail", "kim", NULL, &error));
    coffer_keychain_free(keychain);

    /* NULL stands for the user's own keychain. */
    setenv("COFFER_VAULT", path("own.coffer"), 1);
    OK(coffer_password_set(NULL, "mail", "kim", "own", &error));
    OK(coffer_keychain_open(NULL, NULL, &keychain, &error));
    OK(coffer_password_get(keychain, "mail", "kim", &password, &error));
    CHECK(is(coffer_secret_bytes(password), "own"));
    coffer_secret_free(password);
    OK(coffer_password_get(NULL, "mail", "kim", &password, &error));
    CHECK(is(coffer_secret_bytes(password), "own"));
    coffer_secret_free(password);
    coffer_keychain_free(keychain);
    unsetenv("COFFER_VAULT");
}

static void errors_carry_a_kind_and_the_number_of_apple(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = added(keychain, "mail", "kim", "x"), *twin = login("mail", "kim"), *found = NULL;
    coffer_bytes secret = coffer_string("y");
    FAILS(COFFER_DUPLICATE, -25299, coffer_keychain_add(keychain, twin, &secret, &found, &error));
    CHECK(found == NULL);
    OK(coffer_keychain_delete(keychain, item, COFFER_ALWAYS_CHANGE, &error));
    FAILS(COFFER_NOT_FOUND, -25300, coffer_keychain_delete(keychain, item, COFFER_ALWAYS_CHANGE, &error));
    FAILS(COFFER_NOT_FOUND, -25300,
          coffer_keychain_item(keychain, coffer_item_get(item, COFFER_REFERENCE).bytes, &found, &error));
    coffer_query *query = query_for("mail");
    coffer_secret *none = (coffer_secret *)1;
    FAILS(COFFER_NOT_FOUND, -25300, coffer_keychain_find_secret(keychain, query, &none, &error));
    CHECK(none == NULL);
    OK(coffer_query_set(query, "svcX", coffer_text("x"), &error));
    coffer_items *items = NULL;
    FAILS(COFFER_INVALID, -25303, coffer_keychain_find(keychain, query, 0, &items, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_find(NULL, query, 0, &items, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_find(keychain, NULL, 0, &items, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_find(keychain, query, 0, NULL, &error));
    FAILS(COFFER_INVALID, -50, coffer_item_set(twin, NULL, coffer_text("x"), &error));
    FAILS(COFFER_INVALID, -50, coffer_item_set(twin, "labl", coffer_text("\xFF"), &error));
    coffer_value strange = {(coffer_kind)99, 0, 0, {NULL, 0}};
    FAILS(COFFER_INVALID, -50, coffer_item_set(twin, "labl", strange, &error));
    coffer_value absent = {COFFER_TEXT, 0, 0, {NULL, 5}};
    FAILS(COFFER_INVALID, -50, coffer_item_set(twin, "labl", absent, &error));
    coffer_vault *vault = NULL;
    FAILS(COFFER_NO_VAULT, -25291, coffer_vault_open(coffer_string("/nonexistent/v"), NULL, &vault, &error));
    FAILS(COFFER_INVALID, -50, coffer_vault_open(coffer_string(""), NULL, &vault, &error));
    CHECK(coffer_vault_open(coffer_string("/nonexistent/v"), NULL, &vault, NULL) == COFFER_NO_VAULT);
    CHECK(coffer_item_create((coffer_class)77) == NULL && coffer_query_create((coffer_class)77) == NULL);
    coffer_query_free(query);
    coffer_item_free(item);
    coffer_item_free(twin);
    coffer_keychain_free(keychain);
}

static void null_handles_are_freed_and_asked_without_harm(void)
{
    coffer_error_free(NULL), coffer_secret_free(NULL), coffer_facts_free(NULL), coffer_options_free(NULL);
    coffer_vault_free(NULL), coffer_watch_free(NULL), coffer_keychain_free(NULL), coffer_item_free(NULL);
    coffer_items_free(NULL), coffer_query_free(NULL), coffer_vault_lock(NULL), coffer_keychain_lock(NULL);
    CHECK(coffer_error_status(NULL) == COFFER_OK && coffer_error_apple_status(NULL) == 0);
    CHECK(coffer_error_message(NULL).count == 0 && coffer_secret_bytes(NULL).count == 0);
    CHECK(coffer_facts_count(NULL) == 0 && coffer_facts_get(NULL, 0, "id").kind == COFFER_NONE);
    CHECK(!coffer_vault_is_unlocked(NULL) && !coffer_keychain_is_unlocked(NULL));
    CHECK(coffer_item_class(NULL) == (coffer_class)0 && coffer_item_get(NULL, "labl").kind == COFFER_NONE);
    CHECK(coffer_item_name(NULL, 0) == NULL && coffer_items_count(NULL) == 0 && coffer_items_at(NULL, 0) == NULL);
    CHECK(coffer_watch_descriptor(NULL) == -1);
    CHECK(strlen(coffer_version()) > 4);
}

static void an_update_changes_what_was_set_and_nothing_else(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *first = added(keychain, "mail", "kim", "one"), *second = NULL, *now = NULL;
    OK(coffer_keychain_item(keychain, coffer_item_get(first, COFFER_REFERENCE).bytes, &second, &error));
    OK(coffer_item_set(first, COFFER_COMMENT, coffer_text("from the first"), &error));
    OK(coffer_item_set(second, COFFER_LABEL, coffer_text("from the second"), &error));
    coffer_bytes secret = coffer_string("two");
    OK(coffer_keychain_update(keychain, first, &secret, COFFER_IF_UNCHANGED, NULL, &error));
    FAILS(COFFER_CHANGED, -25291, coffer_keychain_update(keychain, second, NULL, COFFER_IF_UNCHANGED, &now, &error));
    OK(coffer_keychain_update(keychain, second, NULL, COFFER_ALWAYS_CHANGE, &now, &error));
    CHECK(is(coffer_item_get(now, COFFER_COMMENT).bytes, "from the first"));
    CHECK(is(coffer_item_get(now, COFFER_LABEL).bytes, "from the second"));
    CHECK(has_secret(keychain, now, "two"));
    coffer_value none = {COFFER_NONE, 0, 0, {NULL, 0}};
    OK(coffer_item_set(now, COFFER_COMMENT, none, &error));
    coffer_item_free(second);
    OK(coffer_keychain_update(keychain, now, NULL, COFFER_IF_UNCHANGED, &second, &error));
    CHECK(coffer_item_get(second, COFFER_COMMENT).kind == COFFER_NONE);
    coffer_item_free(first);
    coffer_item_free(second);
    coffer_item_free(now);
    coffer_keychain_free(keychain);
}

static void save_adds_or_changes(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = login("mail", "kim"), *first = NULL, *second = NULL;
    OK(coffer_keychain_save(keychain, item, coffer_string("one"), &first, &error));
    OK(coffer_keychain_save(keychain, item, coffer_string("two"), &second, &error));
    CHECK(memcmp(coffer_item_get(first, COFFER_REFERENCE).bytes.bytes,
                 coffer_item_get(second, COFFER_REFERENCE).bytes.bytes, 20) == 0);
    CHECK(count_of(keychain, "mail") == 1 && has_secret(keychain, first, "two"));
    coffer_item_free(item);
    coffer_item_free(first);
    coffer_item_free(second);
    coffer_keychain_free(keychain);
}

static void the_other_classes_have_their_attributes(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *site = coffer_item_create(COFFER_INTERNET_PASSWORD);
    OK(coffer_item_set(site, COFFER_SERVER, coffer_text("www.example.com"), &error));
    OK(coffer_item_set(site, COFFER_PORT, coffer_integer(8443), &error));
    OK(coffer_item_set(site, COFFER_PROTOCOL, coffer_text("htps"), &error));
    OK(coffer_item_set(site, COFFER_PATH, coffer_text("/login"), &error));
    OK(coffer_item_set(site, COFFER_SECURITY_DOMAIN, coffer_text("staff"), &error));
    OK(coffer_item_set(site, COFFER_AUTHENTICATION_TYPE, coffer_text("form"), &error));
    OK(coffer_item_set(site, COFFER_DESCRIPTION, coffer_text("Web form password"), &error));
    OK(coffer_keychain_save(keychain, site, coffer_string("s"), NULL, &error));
    coffer_query *query = coffer_query_create(COFFER_INTERNET_PASSWORD);
    OK(coffer_query_set(query, COFFER_HOST_OR_SUBDOMAIN, coffer_text("example.com"), &error));
    coffer_items *items = NULL;
    OK(coffer_keychain_find(keychain, query, 5, &items, &error));
    CHECK(coffer_items_count(items) == 1);
    coffer_item *found = coffer_items_at(items, 0);
    CHECK(coffer_item_class(found) == COFFER_INTERNET_PASSWORD);
    CHECK(coffer_item_get(found, COFFER_PORT).integer == 8443);
    coffer_item_free(found);
    coffer_items_free(items);
    coffer_query_free(query);
    coffer_item *key = coffer_item_create(COFFER_KEY), *certificate = coffer_item_create(COFFER_CERTIFICATE);
    OK(coffer_item_set(key, COFFER_LABEL, coffer_text("signing"), &error));
    OK(coffer_keychain_save(keychain, key, coffer_string("bytes"), NULL, &error));
    OK(coffer_item_set(certificate, COFFER_LABEL, coffer_text("www"), &error));
    OK(coffer_keychain_save(keychain, certificate, coffer_string("bytes"), NULL, &error));
    query = coffer_query_create(COFFER_KEY);
    size_t count = 0;
    OK(coffer_keychain_count(keychain, query, &count, &error));
    CHECK(count == 1);
    coffer_query_free(query);
    coffer_item_free(key);
    coffer_item_free(certificate);
    coffer_item_free(site);
    coffer_keychain_free(keychain);
}

static void a_synchronizable_item_is_found_only_when_asked_for(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = login("mail", "kim");
    OK(coffer_item_set(item, COFFER_SYNCHRONIZABLE, coffer_flag(true), &error));
    OK(coffer_keychain_save(keychain, item, coffer_string("s"), NULL, &error));
    CHECK(count_of(keychain, "mail") == 0);
    coffer_query *query = query_for("mail");
    OK(coffer_query_set(query, COFFER_SYNCHRONIZABLE, coffer_text("syna"), &error));
    size_t count = 0;
    OK(coffer_keychain_delete_all(keychain, query, &count, &error));
    CHECK(count == 1);
    coffer_query_free(query);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
}

static void an_access_control_keeps_its_conditions(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = login("mail", "kim"), *now = NULL;
    coffer_value control = {COFFER_ACCESS_CONTROL, 1, 0, {NULL, 0}};
    control.bytes = coffer_string(COFFER_WHEN_UNLOCKED);
    OK(coffer_item_set(item, COFFER_ACCESSIBLE, coffer_text(COFFER_ALWAYS), &error));
    OK(coffer_item_set(item, COFFER_ACCESS_CONTROL_NAME, control, &error));
    CHECK(coffer_item_get(item, COFFER_ACCESSIBLE).kind == COFFER_NONE);
    OK(coffer_keychain_save(keychain, item, coffer_string("s"), &now, &error));
    coffer_value stored = coffer_item_get(now, COFFER_ACCESS_CONTROL_NAME);
    CHECK(stored.kind == COFFER_ACCESS_CONTROL && stored.integer == 1 && is(stored.bytes, COFFER_WHEN_UNLOCKED));
    coffer_secret *secret = NULL;
    FAILS(COFFER_AUTHENTICATION_REQUIRED, -25308, coffer_keychain_secret(keychain, now, &secret, &error));
    control.bytes = coffer_string("unknown");
    FAILS(COFFER_INVALID, -50, coffer_item_set(item, COFFER_ACCESS_CONTROL_NAME, control, &error));
    coffer_item_free(item);
    coffer_item_free(now);
    coffer_keychain_free(keychain);
}

struct user {
    coffer_demand demand;
    const char *answers[3];
    int asked;
    coffer_keychain *keychain;
};

static coffer_secret *ask(void *context, coffer_demand demand, coffer_bytes reason, int32_t wrong_answers)
{
    struct user *user = context;
    coffer_items *items;
    CHECK(demand == user->demand && reason.count > 0 && wrong_answers == user->asked);
    CHECK(coffer_keychain_conflicts(user->keychain, COFFER_GENERIC_PASSWORD, &items, NULL) == COFFER_INVALID);
    const char *answer = user->answers[user->asked++];
    return answer ? coffer_secret_create(coffer_string(answer)) : NULL;
}

static void the_user_is_asked_for_what_an_item_demands(void)
{
    coffer_vault *vault = vault_with("correct horse");
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = login("mail", "kim"), *now = NULL;
    coffer_secret *secret = NULL;
    coffer_value control = {COFFER_ACCESS_CONTROL, 1, 0, coffer_string(COFFER_WHEN_UNLOCKED)};
    OK(coffer_item_set(item, COFFER_ACCESS_CONTROL_NAME, control, &error));
    OK(coffer_keychain_add(keychain, item, &(coffer_bytes){"s", 1}, &now, &error));

    struct user user = {COFFER_DEMAND_PASSPHRASE, {"wrong", "correct horse"}, 0, keychain};
    OK(coffer_set_host(ask, &user, &error));
    OK(coffer_keychain_secret(keychain, now, &secret, &error));
    CHECK(is(coffer_secret_bytes(secret), "s") && user.asked == 2);
    coffer_secret_free(secret);
    user = (struct user){COFFER_DEMAND_PASSPHRASE, {NULL}, 0, keychain};
    FAILS(COFFER_CANCELLED, -128, coffer_keychain_secret(keychain, now, &secret, &error));
    user = (struct user){COFFER_DEMAND_PASSPHRASE, {"a", "b", "c"}, 0, keychain};
    FAILS(COFFER_AUTHENTICATION_FAILED, -25293, coffer_keychain_secret(keychain, now, &secret, &error));
    OK(coffer_keychain_delete(keychain, now, COFFER_ALWAYS_CHANGE, &error));
    coffer_item_free(now);

    /* A password of the item: 1 << 31 in Apple's flags. */
    control.integer = INT64_C(1) << 31;
    OK(coffer_item_set(item, COFFER_ACCESS_CONTROL_NAME, control, &error));
    user = (struct user){COFFER_DEMAND_NEW_PASSWORD, {"open"}, 0, keychain};
    OK(coffer_keychain_add(keychain, item, &(coffer_bytes){"t", 1}, &now, &error));
    user = (struct user){COFFER_DEMAND_PASSWORD, {"close", "open"}, 0, keychain};
    OK(coffer_keychain_secret(keychain, now, &secret, &error));
    CHECK(is(coffer_secret_bytes(secret), "t") && user.asked == 2);
    coffer_secret_free(secret);
    OK(coffer_set_host(NULL, NULL, &error));
    FAILS(COFFER_AUTHENTICATION_REQUIRED, -25308, coffer_keychain_secret(keychain, now, &secret, &error));
    coffer_item_free(now);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void values_stay_until_the_item_is_freed(void)
{
    coffer_item *item = login("mail", "kim");
    coffer_value first = coffer_item_get(item, COFFER_SERVICE);
    for (int number = 0; number < 100; number++) {
        char name[32];
        snprintf(name, sizeof name, "service %d", number);
        OK(coffer_item_set(item, COFFER_SERVICE, coffer_text(name), &error));
        CHECK(is(coffer_item_get(item, COFFER_SERVICE).bytes, name));
    }
    CHECK(is(first.bytes, "mail"));
    coffer_item *copy = coffer_item_copy(item);
    OK(coffer_item_set(copy, COFFER_ACCOUNT, coffer_text("lee"), &error));
    CHECK(is(coffer_item_get(item, COFFER_ACCOUNT).bytes, "kim"));
    CHECK(is(coffer_item_get(copy, COFFER_SERVICE).bytes, "service 99") && coffer_item_copy(NULL) == NULL);
    coffer_item_free(item);
    coffer_item_free(copy);
}

/* ---- Transactions ---- */

struct transfer {
    bool keeps;
    coffer_keychain *outside;
    coffer_vault *vault;
};

static bool nothing(void *context, coffer_keychain *keychain)
{
    (void)context, (void)keychain;
    return true;
}

static bool transfer(void *context, coffer_keychain *keychain)
{
    struct transfer *transfer = context;
    CHECK(coffer_keychain_is_unlocked(keychain));
    coffer_keychain_lock(keychain); /* does nothing */
    coffer_keychain_free(keychain); /* nor does this: the keychain is only lent */
    coffer_keychain_lock(transfer->outside), coffer_vault_lock(transfer->vault);
    CHECK(!coffer_keychain_is_unlocked(transfer->outside) && !coffer_vault_is_unlocked(transfer->vault));
    coffer_query *any = query_for("x");
    size_t none = 0;
    FAILS(COFFER_INVALID, -50, coffer_keychain_count(transfer->outside, any, &none, &error));
    FAILS(COFFER_INVALID, -50, coffer_vault_compact(transfer->vault, NULL, NULL, NULL, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_transaction(transfer->outside, nothing, NULL, &error));
    coffer_query_free(any);
    coffer_item *kept = added(keychain, "inside", "kim", "one");
    CHECK(count_of(keychain, "inside") == 1 && has_secret(keychain, kept, "one"));
    coffer_item *twin = login("inside", "kim");
    FAILS(COFFER_DUPLICATE, -25299, coffer_keychain_add(keychain, twin, NULL, NULL, &error));
    coffer_bytes two = coffer_string("two");
    coffer_item *now = NULL;
    OK(coffer_keychain_update(keychain, kept, &two, COFFER_IF_UNCHANGED, &now, &error));
    CHECK(has_secret(keychain, now, "two"));
    coffer_query *query = query_for("outside");
    coffer_secret *secret = NULL;
    OK(coffer_keychain_find_secret(keychain, query, &secret, &error));
    CHECK(is(coffer_secret_bytes(secret), "zero"));
    coffer_secret_free(secret);
    OK(coffer_keychain_delete_all(keychain, query, NULL, &error));
    coffer_items *items = NULL;
    OK(coffer_keychain_find(keychain, query, 0, &items, &error));
    CHECK(coffer_items_count(items) == 0);
    coffer_items_free(items);
    FAILS(COFFER_INVALID, -50, coffer_keychain_find_deleted(keychain, query, &items, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_transaction(keychain, nothing, NULL, &error));
    coffer_query_free(query);
    coffer_item_free(now);
    coffer_item_free(kept);
    coffer_item_free(twin);
    return transfer->keeps;
}

static void a_transaction_is_kept_or_abandoned_as_a_whole(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item_free(added(keychain, "outside", "kim", "zero"));
    struct transfer abandoned = {false, keychain, vault}, kept = {true, keychain, vault};
    FAILS(COFFER_CANCELLED, -128, coffer_keychain_transaction(keychain, transfer, &abandoned, &error));
    CHECK(count_of(keychain, "inside") == 0 && count_of(keychain, "outside") == 1);
    OK(coffer_keychain_transaction(keychain, transfer, &kept, &error));
    CHECK(count_of(keychain, "inside") == 1 && count_of(keychain, "outside") == 0);
    FAILS(COFFER_INVALID, -50, coffer_keychain_transaction(keychain, NULL, NULL, &error));
    CHECK(coffer_vault_is_unlocked(vault));
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

/* ---- History ---- */

static void history_shows_restores_and_undoes(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = added(keychain, "mail", "kim", "one"), *now = NULL;
    double start = 99;
    OK(coffer_keychain_history_start(keychain, &start, &error));
    CHECK(start == 0);
    coffer_bytes two = coffer_string("two");
    OK(coffer_keychain_update(keychain, item, &two, COFFER_ALWAYS_CHANGE, NULL, &error));

    coffer_items *revisions = NULL;
    bool is_complete = false;
    OK(coffer_keychain_history(keychain, item, &revisions, &is_complete, &error));
    CHECK(coffer_items_count(revisions) == 2 && is_complete);
    coffer_item *current = coffer_items_at(revisions, 0), *past = coffer_items_at(revisions, 1);
    CHECK(coffer_item_get(current, COFFER_IS_CURRENT).integer == 1);
    CHECK(coffer_item_get(past, COFFER_IS_CURRENT).integer == 0);
    CHECK(coffer_item_get(past, COFFER_IS_READABLE).integer == 1);
    CHECK(coffer_item_get(past, COFFER_IS_CONFLICT).integer == 0);
    CHECK(coffer_item_get(past, COFFER_WRITTEN).kind == COFFER_DATE);
    CHECK(coffer_item_get(past, COFFER_ENDED).kind == COFFER_DATE);
    CHECK(coffer_item_get(current, COFFER_ENDED).kind == COFFER_NONE);
    CHECK(has_secret(keychain, past, "one") && has_secret(keychain, current, "two"));

    double before = (coffer_item_get(past, COFFER_WRITTEN).real + coffer_item_get(past, COFFER_ENDED).real) / 2;
    coffer_query *query = query_for("mail");
    coffer_items *then = NULL;
    OK(coffer_keychain_find_at(keychain, query, before, &then, &is_complete, &error));
    CHECK(coffer_items_count(then) == 1 && is_complete);
    coffer_item *old = coffer_items_at(then, 0);
    CHECK(has_secret(keychain, old, "one"));
    coffer_item_free(old);
    coffer_items_free(then);

    OK(coffer_keychain_restore(keychain, past, &now, &error));
    CHECK(has_secret(keychain, now, "one"));
    coffer_item_free(now);
    OK(coffer_keychain_undo(keychain, item, COFFER_ALWAYS_CHANGE, &now, &error));
    CHECK(has_secret(keychain, now, "two"));
    FAILS(COFFER_CHANGED, -25291, coffer_keychain_undo(keychain, item, COFFER_IF_UNCHANGED, NULL, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_restore(keychain, item, NULL, &error));
    OK(coffer_keychain_delete(keychain, now, COFFER_IF_UNCHANGED, &error));
    OK(coffer_keychain_find_deleted(keychain, query, &then, &error));
    CHECK(coffer_items_count(then) == 1);
    old = coffer_items_at(then, 0);
    OK(coffer_keychain_restore(keychain, old, NULL, &error));
    CHECK(count_of(keychain, "mail") == 1);
    coffer_item_free(old);
    coffer_items_free(then);

    OK(coffer_vault_set_history(vault, 0, 0, &error));
    OK(coffer_vault_compact(vault, NULL, NULL, NULL, &error));
    OK(coffer_keychain_history_start(keychain, &start, &error));
    CHECK(start > before);
    FAILS(COFFER_NOT_FOUND, -25300, coffer_keychain_undo(keychain, item, COFFER_ALWAYS_CHANGE, NULL, &error));
    coffer_item_free(past);
    coffer_item_free(current);
    coffer_items_free(revisions);
    coffer_query_free(query);
    coffer_item_free(now);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

/* ---- Vaults ---- */

static void a_locked_vault_says_so(void)
{
    coffer_vault *vault = vault_with("correct horse"), *other = NULL;
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = added(keychain, "mail", "kim", "one");
    CHECK(coffer_vault_is_unlocked(vault) && coffer_keychain_is_unlocked(keychain));
    coffer_keychain_lock(keychain);
    CHECK(!coffer_vault_is_unlocked(vault) && !coffer_keychain_is_unlocked(keychain));
    coffer_secret *secret = NULL;
    FAILS(COFFER_LOCKED, -25308, coffer_keychain_secret(keychain, item, &secret, &error));
    coffer_query *query = query_for("mail");
    coffer_items *items = NULL;
    FAILS(COFFER_LOCKED, -25308, coffer_keychain_find(keychain, query, 0, &items, &error));
    coffer_options *wrong = options_with("wrong"), *right = options_with("correct horse");
    FAILS(COFFER_WRONG_SECRET, -25293, coffer_vault_unlock(vault, wrong, &error));
    OK(coffer_vault_unlock(vault, right, &error));
    CHECK(has_secret(keychain, item, "one"));
    coffer_vault_lock(vault);
    CHECK(!coffer_keychain_is_unlocked(keychain));
    FAILS(COFFER_WRONG_SECRET, -25293,
          coffer_vault_open(coffer_string(path("vault.coffer")), wrong, &other, &error));
    FAILS(COFFER_FILE_EXISTS, -25291,
          coffer_vault_create(coffer_string(path("vault.coffer")), right, &other, &error));
    OK(coffer_vault_delete(coffer_string(path("vault.coffer")), right, &error));
    FAILS(COFFER_NO_VAULT, -25291, coffer_vault_open(coffer_string(path("vault.coffer")), right, &other, &error));
    coffer_options_free(wrong);
    coffer_options_free(right);
    coffer_query_free(query);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

struct answers {
    int count;
    const char *right;
};

static coffer_secret *answer(void *context, coffer_bytes path, int32_t attempt)
{
    struct answers *answers = context;
    CHECK(path.count > 5 && attempt == ++answers->count);
    if (!answers->right) return NULL;
    return coffer_secret_create(coffer_string(attempt == 2 ? answers->right : "wrong"));
}

static void each_rung_of_the_ladder_opens_a_vault(void)
{
    coffer_vault_free(vault_with("correct horse"));
    coffer_options *options = options_with(NULL);
    coffer_vault *vault = NULL;
    coffer_bytes place = coffer_string(path("vault.coffer"));
    FILE *file = fopen(path("passphrase"), "w");
    fputs("correct horse\n", file);
    fclose(file);
    OK(coffer_options_set(options, COFFER_OPTION_PASSPHRASE_FILE, coffer_string(path("passphrase")), &error));
    OK(coffer_vault_open(place, options, &vault, &error));
    CHECK(coffer_vault_is_unlocked(vault));

    coffer_secret *code = NULL;
    OK(coffer_recovery_code(&code, &error));
    CHECK(coffer_secret_bytes(code).count == 44);
    OK(coffer_options_set(options, COFFER_OPTION_RECOVERY_CODE, coffer_secret_bytes(code), &error));
    OK(coffer_vault_add_secrets(vault, options, &error));
    coffer_secret_free(code);
    coffer_vault_free(vault);
    OK(coffer_vault_open(place, options, &vault, &error));
    coffer_facts *facts = NULL;
    OK(coffer_vault_facts(vault, COFFER_FACTS_SLOTS, &facts, &error));
    CHECK(coffer_facts_count(facts) == 2);
    CHECK(is(coffer_facts_get(facts, 0, "kind").bytes, "passphrase"));
    CHECK(is(coffer_facts_get(facts, 1, "kind").bytes, "recovery_code"));
    CHECK(coffer_facts_get(facts, 1, "created").kind == COFFER_DATE);
    CHECK(coffer_facts_get(facts, 2, "kind").kind == COFFER_NONE);
    CHECK(coffer_facts_get(facts, 0, "nonsense").kind == COFFER_NONE);
    coffer_facts_free(facts);
    OK(coffer_vault_facts(vault, COFFER_FACTS_OPENING, &facts, &error));
    CHECK(coffer_facts_count(facts) > 1 && coffer_facts_get(facts, 0, "outcome").bytes.count > 0);
    coffer_facts_free(facts);
    coffer_vault_free(vault);
    FAILS(COFFER_NOT_A_RECOVERY_CODE, -50,
          coffer_options_set(options, COFFER_OPTION_RECOVERY_CODE, coffer_string("ABCD"), &error));
    coffer_options_free(options);

    int ends[2];
    CHECK(pipe(ends) == 0 && write(ends[1], "correct horse\n", 14) == 14);
    close(ends[1]);
    options = options_with(NULL);
    OK(coffer_options_set_number(options, COFFER_OPTION_PASSPHRASE_DESCRIPTOR, ends[0], &error));
    OK(coffer_vault_open(place, options, &vault, &error));
    CHECK(coffer_vault_is_unlocked(vault));
    close(ends[0]);
    coffer_vault_free(vault);
    coffer_options_free(options);

    options = options_with(NULL);
    struct answers answers = {0, "correct horse"};
    OK(coffer_options_set_prompt(options, answer, &answers, &error));
    OK(coffer_vault_open(place, options, &vault, &error));
    CHECK(coffer_vault_is_unlocked(vault) && answers.count == 2);
    coffer_vault_free(vault);
    answers.count = 0, answers.right = NULL;
    OK(coffer_vault_open(place, options, &vault, &error));
    CHECK(!coffer_vault_is_unlocked(vault) && answers.count == 1);
    coffer_vault_free(vault);
    coffer_options_free(options);
}

static void a_key_file_protects_a_vault_and_bad_options_are_refused(void)
{
    FILE *file = fopen(path("key"), "w");
    for (int number = 0; number < 64; number++) fputc(number * 37 % 251, file);
    fclose(file);
    coffer_options *options = options_with(NULL);
    OK(coffer_options_set(options, COFFER_OPTION_KEY_FILE, coffer_string(path("key")), &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_INCLUDE_THIS_MACHINE, 0, &error));
    coffer_vault *vault = NULL;
    OK(coffer_vault_create(coffer_string(path("vault.coffer")), options, &vault, &error));
    OK(coffer_vault_add_this_machine(vault, &error));
    coffer_facts *facts = NULL;
    OK(coffer_vault_facts(vault, COFFER_FACTS_DEVICES, &facts, &error));
    CHECK(coffer_facts_count(facts) == 1 && coffer_facts_get(facts, 0, "is_this_machine").integer == 1);
    coffer_facts_free(facts);
    coffer_vault_free(vault);
    OK(coffer_options_set_number(options, COFFER_OPTION_READ_ONLY, 1, &error));
    OK(coffer_vault_open(coffer_string(path("vault.coffer")), options, &vault, &error));
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = login("mail", "kim");
    FAILS(COFFER_READ_ONLY, -25292, coffer_keychain_add(keychain, item, NULL, NULL, &error));
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
    FAILS(COFFER_INVALID, -50, coffer_options_set_number(options, COFFER_OPTION_READ_ONLY, 2, &error));
    FAILS(COFFER_INVALID, -50, coffer_options_set_number(options, COFFER_OPTION_PASSPHRASE, 1, &error));
    FAILS(COFFER_INVALID, -50, coffer_options_set(options, COFFER_OPTION_READ_ONLY, coffer_string("1"), &error));
    FAILS(COFFER_INVALID, -50, coffer_options_set_number(options, COFFER_OPTION_LOCK_TIMEOUT, -1, &error));
    FAILS(COFFER_UNAVAILABLE, -25291, coffer_options_set_number(options, COFFER_OPTION_PASSPHRASE_MEMORY, 1, &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_READ_ONLY, 1, &error));
    FAILS(COFFER_INVALID, -50, coffer_options_set(options, (coffer_option)999, coffer_string("x"), &error));
    FAILS(COFFER_INVALID, -50, coffer_options_set(NULL, COFFER_OPTION_VAULT, coffer_string("x"), &error));
    FAILS(COFFER_SECRET_UNAVAILABLE, -25291,
          coffer_options_set(options, COFFER_OPTION_CREDENTIAL_FILE, coffer_string(path("key")), &error));
    coffer_options_free(options);

    options = options_with("aaaa");
    FAILS(COFFER_WEAK_SECRET, -25291, coffer_vault_create(coffer_string(path("weak")), options, &vault, &error));
    OK(coffer_options_set_number(options, COFFER_OPTION_ALLOW_WEAK_SECRETS, 1, &error));
    OK(coffer_vault_create(coffer_string(path("weak")), options, &vault, &error));
    OK(coffer_vault_facts(vault, COFFER_FACTS_WARNINGS, &facts, &error));
    CHECK(coffer_facts_count(facts) >= 1 && coffer_facts_get(facts, 0, "warning").bytes.count > 10);
    coffer_facts_free(facts);
    coffer_vault_free(vault);
    coffer_options_free(options);
}

static bool cancels(void *context, int64_t done, int64_t total)
{
    (void)done, (void)total;
    ++*(int *)context;
    return false;
}

static bool counts(void *context, int64_t done, int64_t total)
{
    CHECK(done >= 0 && total >= 0);
    ++*(int *)context;
    return true;
}

static void maintenance_reports_progress_and_can_be_cancelled(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = added(keychain, "mail", "kim", "one");
    int calls = 0;
    coffer_facts *facts = NULL;
    FAILS(COFFER_CANCELLED, -128, coffer_vault_compact(vault, cancels, &calls, &facts, &error));
    CHECK(calls == 1 && facts == NULL);
    FAILS(COFFER_CANCELLED, -128, coffer_vault_verify(vault, cancels, &calls, &facts, &error));
    CHECK(calls == 2);
    OK(coffer_vault_set_history(vault, 7, -1, &error));
    OK(coffer_vault_facts(vault, COFFER_FACTS_VAULT, &facts, &error));
    CHECK(coffer_facts_get(facts, 0, "revisions").integer == 7);
    CHECK(coffer_facts_get(facts, 0, "days").kind == COFFER_NONE);
    CHECK(coffer_facts_get(facts, 0, "id").bytes.count == 32);
    CHECK(is(coffer_facts_get(facts, 0, "path").bytes, path("vault.coffer")));
    coffer_facts_free(facts);
    FAILS(COFFER_INVALID, -50, coffer_vault_set_history(vault, -2, 0, &error));
    OK(coffer_vault_compact(vault, counts, &calls, &facts, &error));
    CHECK(coffer_facts_count(facts) == 1 && coffer_facts_get(facts, 0, "bytes_after").integer > 0);
    coffer_facts_free(facts);
    calls = 0;
    OK(coffer_vault_verify(vault, counts, &calls, &facts, &error));
    CHECK(calls > 0 && is(coffer_facts_get(facts, 0, "kind").bytes, "none"));
    CHECK(coffer_facts_get(facts, 0, "items").integer == 1);
    coffer_facts_free(facts);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void damage_is_reported_and_not_taken_for_absence(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    for (int number = 0; number < 40; number++) {
        char name[16];
        snprintf(name, sizeof name, "item %d", number);
        coffer_item_free(added(keychain, name, "kim", "a secret that is long enough to be found in the file"));
    }
    OK(coffer_vault_compact(vault, NULL, NULL, NULL, &error));
    struct stat status;
    CHECK(stat(path("vault.coffer"), &status) == 0);
    FILE *file = fopen(path("vault.coffer"), "r+");
    for (long offset = 6000; offset < (long)status.st_size - 6000; offset += 64) {
        fseek(file, offset, SEEK_SET);
        fputc(0x55, file);
    }
    fclose(file);
    coffer_facts *facts = NULL;
    coffer_error *error = NULL;
    if (coffer_vault_verify(vault, NULL, NULL, &facts, &error) == COFFER_OK) {
        CHECK(!is(coffer_facts_get(facts, 0, "kind").bytes, "none"));
        CHECK(coffer_facts_get(facts, 0, "description").bytes.count > 0);
        coffer_facts_free(facts);
    } else {
        CHECK(coffer_error_status(error) == COFFER_DAMAGED);
        coffer_error_free(error);
    }
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void an_erased_item_is_gone_with_its_past(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = added(keychain, "mail", "kim", "one");
    OK(coffer_keychain_erase(keychain, item, &error));
    FAILS(COFFER_NOT_FOUND, -25300, coffer_keychain_undo(keychain, item, COFFER_ALWAYS_CHANGE, NULL, &error));
    FAILS(COFFER_NOT_FOUND, -25300, coffer_keychain_erase(keychain, item, &error));
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void keys_are_changed(void)
{
    coffer_vault *vault = vault_with("first phrase"), *again = NULL;
    coffer_options *first = options_with("first phrase"), *second = options_with("second phrase");
    coffer_keychain *keychain = keychain_of(vault);
    coffer_item *item = added(keychain, "mail", "kim", "one");
    coffer_facts *facts = NULL;
    OK(coffer_vault_change_keys(vault, second, NULL, 0, NULL, NULL, &facts, &error));
    CHECK(coffer_facts_get(facts, 0, "resealed").integer == 1);
    coffer_facts_free(facts);
    FAILS(COFFER_WRONG_SECRET, -25293,
          coffer_vault_open(coffer_string(path("vault.coffer")), first, &again, &error));
    OK(coffer_vault_open(coffer_string(path("vault.coffer")), second, &again, &error));
    coffer_key_change_option unknown[] = {{(coffer_key_change)9, {NULL, 0}}};
    FAILS(COFFER_INVALID, -50, coffer_vault_change_keys(vault, second, unknown, 1, NULL, NULL, NULL, &error));
    FAILS(COFFER_INVALID, -50, coffer_vault_change_keys(vault, second, NULL, 1, NULL, NULL, NULL, &error));
    coffer_vault_free(again);
    coffer_options_free(first);
    coffer_options_free(second);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void unlocked_keys_can_be_left_for_others(void)
{
    coffer_vault *vault = vault_with("correct horse");
    coffer_error *error = NULL;
    bool had_keys = true;
    if (coffer_vault_keep_unlocked(vault, 60, &error) == COFFER_OK) {
        OK(coffer_vault_stop_keeping_unlocked(vault, &had_keys, &error));
        CHECK(had_keys);
        OK(coffer_vault_stop_keeping_unlocked(vault, NULL, &error));
    } else {
        /* A container may have no kernel keyring. */
        CHECK(coffer_error_status(error) == COFFER_UNAVAILABLE);
        coffer_error_free(error);
    }
    FAILS(COFFER_INVALID, -50, coffer_vault_keep_unlocked(vault, 0, &error));
    coffer_vault_free(vault);
}

static void copies_are_merged_and_a_merge_is_undone(void)
{
    coffer_vault *vault = vault_with("correct horse"), *copy = NULL;
    coffer_options *options = options_with("correct horse");
    coffer_keychain *keychain = keychain_of(vault), *other = NULL;
    coffer_item *shared = added(keychain, "shared", "kim", "one");
    char command[9000];
    snprintf(command, sizeof command, "cp %s %s", path("vault.coffer"), path("copy.coffer"));
    CHECK(system(command) == 0);
    OK(coffer_options_set(options, COFFER_OPTION_MEMORY_DIRECTORY, coffer_string(""), &error));
    OK(coffer_vault_open(coffer_string(path("copy.coffer")), options, &copy, &error));
    other = keychain_of(copy);
    coffer_bytes here = coffer_string("here"), there = coffer_string("there");
    OK(coffer_keychain_update(keychain, shared, &here, COFFER_ALWAYS_CHANGE, NULL, &error));
    OK(coffer_keychain_update(other, shared, &there, COFFER_ALWAYS_CHANGE, NULL, &error));
    coffer_item_free(added(other, "elsewhere", "kim", "x"));
    coffer_keychain_free(other);
    coffer_vault_free(copy);

    OK(coffer_vault_open_copy(coffer_string(path("copy.coffer")), options, &copy, &error));
    coffer_facts *facts = NULL;
    OK(coffer_vault_merge_preview(vault, copy, &facts, &error));
    CHECK(coffer_facts_get(facts, 0, "added").integer == 1 && coffer_facts_get(facts, 0, "conflicts").integer == 1);
    coffer_facts_free(facts);
    CHECK(count_of(keychain, "elsewhere") == 0);
    OK(coffer_vault_merge(vault, copy, NULL, NULL, &facts, &error));
    uint64_t change = (uint64_t)coffer_facts_get(facts, 0, "change").integer;
    CHECK(coffer_facts_get(facts, 0, "added").integer == 1 && change > 0);
    coffer_facts_free(facts);
    CHECK(count_of(keychain, "elsewhere") == 1);

    coffer_items *conflicts = NULL, *revisions = NULL;
    OK(coffer_keychain_conflicts(keychain, COFFER_GENERIC_PASSWORD, &conflicts, &error));
    CHECK(coffer_items_count(conflicts) == 1);
    coffer_item *winner = coffer_items_at(conflicts, 0), *loser = NULL, *now = NULL;
    OK(coffer_keychain_history(keychain, winner, &revisions, NULL, &error));
    for (size_t index = 0; index < coffer_items_count(revisions); index++) {
        coffer_item *revision = coffer_items_at(revisions, index);
        if (coffer_item_get(revision, COFFER_IS_CONFLICT).integer) loser = revision;
        else coffer_item_free(revision);
    }
    CHECK(loser != NULL);
    coffer_secret *secret = NULL;
    OK(coffer_keychain_secret(keychain, loser, &secret, &error));
    OK(coffer_keychain_resolve(keychain, loser, &now, &error));
    CHECK(has_secret(keychain, now, (const char *)coffer_secret_bytes(secret).bytes));
    coffer_items *none = NULL;
    OK(coffer_keychain_conflicts(keychain, COFFER_GENERIC_PASSWORD, &none, &error));
    CHECK(coffer_items_count(none) == 0);
    OK(coffer_vault_undo(vault, change, &facts, &error));
    CHECK(coffer_facts_get(facts, 0, "restored").integer >= 1 && count_of(keychain, "elsewhere") == 0);
    coffer_facts_free(facts);
    coffer_items_free(none);
    coffer_items_free(conflicts);
    coffer_items_free(revisions);
    coffer_secret_free(secret);
    coffer_item_free(winner);
    coffer_item_free(loser);
    coffer_item_free(now);
    coffer_item_free(shared);
    coffer_options_free(options);
    coffer_keychain_free(keychain);
    coffer_vault_free(copy);
    coffer_vault_free(vault);
}

static void a_grant_opens_its_groups_until_it_is_revoked(void)
{
    coffer_vault *vault = vault_with("correct horse"), *opened = NULL;
    coffer_bytes groups[] = {coffer_string("web")}, id;
    coffer_grant grant = {coffer_string("the web server"), groups, 1, 0};
    OK(coffer_vault_issue_grant(vault, &grant, coffer_string(path("credential")), &error));
    struct stat status;
    CHECK(stat(path("credential"), &status) == 0 && (status.st_mode & 0777) == 0600);
    FAILS(COFFER_FILE_EXISTS, -25291,
          coffer_vault_issue_grant(vault, &grant, coffer_string(path("credential")), &error));
    FAILS(COFFER_INVALID, -50, coffer_vault_issue_grant(vault, NULL, coffer_string(path("other")), &error));

    coffer_options *options = options_with(NULL);
    OK(coffer_options_set(options, COFFER_OPTION_CREDENTIAL_FILE, coffer_string(path("credential")), &error));
    OK(coffer_vault_open(coffer_string(path("vault.coffer")), options, &opened, &error));
    coffer_facts *facts = NULL;
    OK(coffer_vault_facts(opened, COFFER_FACTS_VAULT, &facts, &error));
    CHECK(is(coffer_facts_get(facts, 0, "groups").bytes, "web"));
    coffer_facts_free(facts);
    coffer_keychain *keychain = keychain_of(opened);
    coffer_item *item = added(keychain, "mail", "kim", "one");
    CHECK(is(coffer_item_get(item, COFFER_ACCESS_GROUP).bytes, "web"));
    coffer_item *other = login("mail", "lee");
    OK(coffer_item_set(other, COFFER_ACCESS_GROUP, coffer_text("private"), &error));
    FAILS(COFFER_NOT_ENTITLED, -34018, coffer_keychain_add(keychain, other, NULL, NULL, &error));
    coffer_keychain_free(keychain);
    coffer_vault_free(opened);

    /* What the holder has stored does not answer for the owner's first group. */
    coffer_bytes owned[] = {coffer_string("home"), coffer_string("*")};
    coffer_identity identity = {coffer_string(""), owned, 2};
    OK(coffer_vault_keychain(vault, &identity, &keychain, &error));
    coffer_query *query = coffer_query_create(COFFER_GENERIC_PASSWORD);
    OK(coffer_query_set(query, COFFER_SERVICE, coffer_text("mail"), &error));
    size_t found = 1;
    OK(coffer_keychain_count(keychain, query, &found, &error));
    CHECK(found == 0);
    coffer_item_free(added(keychain, "mail", "kim", "own"));
    OK(coffer_keychain_count(keychain, query, &found, &error));
    CHECK(found == 1);
    OK(coffer_query_set(query, COFFER_ACCESS_GROUP, coffer_text("web"), &error));
    OK(coffer_keychain_count(keychain, query, &found, &error));
    CHECK(found == 1);
    coffer_query_free(query);
    coffer_keychain_free(keychain);

    OK(coffer_vault_facts(vault, COFFER_FACTS_GRANTS, &facts, &error));
    CHECK(coffer_facts_count(facts) == 1 && is(coffer_facts_get(facts, 0, "name").bytes, "the web server"));
    id = coffer_facts_get(facts, 0, "id").bytes;
    coffer_bytes unknown = coffer_string("0000");
    FAILS(COFFER_INVALID, -50, coffer_vault_revoke_grants(vault, &unknown, 1, NULL, NULL, NULL, &error));
    OK(coffer_vault_revoke_grants(vault, &id, 1, NULL, NULL, NULL, &error));
    coffer_facts_free(facts);
    coffer_error *error = NULL;
    CHECK(coffer_vault_open(coffer_string(path("vault.coffer")), options, &opened, &error) != COFFER_OK);
    coffer_error_free(error);

    coffer_secret *request = NULL;
    coffer_options *plain = options_with(NULL);
    OK(coffer_grant_request(coffer_string(path("vault.coffer")), plain, coffer_string(path("mine")), &request, &error));
    CHECK(coffer_secret_bytes(request).count == 128);
    OK(coffer_vault_issue_requested_grant(vault, &grant, coffer_secret_bytes(request), &error));
    FAILS(COFFER_UNAVAILABLE, -25291, coffer_vault_add_recipient(vault, coffer_secret_bytes(request), &error));
    coffer_secret_free(request);
    OK(coffer_grant_request(coffer_string(path("vault.coffer")), plain, coffer_string(path("all")), &request, &error));
    OK(coffer_vault_add_recipient(vault, coffer_secret_bytes(request), &error));
    OK(coffer_options_set(plain, COFFER_OPTION_CREDENTIAL_FILE, coffer_string(path("all")), &error));
    OK(coffer_vault_open(coffer_string(path("vault.coffer")), plain, &opened, &error));
    CHECK(coffer_vault_is_unlocked(opened));
    coffer_vault_free(opened);
    coffer_secret_free(request);
    coffer_options_free(plain);
    coffer_options_free(options);
    coffer_item_free(item);
    coffer_item_free(other);
    coffer_vault_free(vault);
}

static void declared_groups_limit_a_keychain(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_bytes groups[] = {coffer_string("TEAM.web"), coffer_string("TEAM.shared")};
    coffer_identity declared = {{NULL, 0}, groups, 2}, named = {coffer_string("com.example.mail"), NULL, 0};
    coffer_keychain *keychain = NULL;
    OK(coffer_vault_keychain(vault, &declared, &keychain, &error));
    coffer_item *item = added(keychain, "mail", "kim", "one");
    CHECK(is(coffer_item_get(item, COFFER_ACCESS_GROUP).bytes, "TEAM.web"));
    coffer_query *query = query_for("mail");
    OK(coffer_query_set(query, COFFER_ACCESS_GROUP, coffer_text("other"), &error));
    coffer_items *items = NULL;
    FAILS(COFFER_NOT_ENTITLED, -34018, coffer_keychain_find(keychain, query, 0, &items, &error));
    coffer_keychain_free(keychain);
    coffer_item_free(item);
    OK(coffer_vault_keychain(vault, &named, &keychain, &error));
    item = added(keychain, "mail", "kim", "one");
    CHECK(is(coffer_item_get(item, COFFER_ACCESS_GROUP).bytes, "com.example.mail"));
    coffer_identity absent = {{NULL, 0}, NULL, 1};
    coffer_keychain *none = NULL;
    FAILS(COFFER_INVALID, -50, coffer_vault_keychain(vault, &absent, &none, &error));
    coffer_item_free(item);
    coffer_query_free(query);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void the_default_keychain_makes_its_vault_when_something_is_stored(void)
{
    coffer_options *options = options_with(NULL);
    OK(coffer_options_set(options, COFFER_OPTION_VAULT, coffer_string(path("default.coffer")), &error));
    coffer_keychain *keychain = NULL;
    OK(coffer_keychain_open(options, NULL, &keychain, &error));
    CHECK(count_of(keychain, "mail") == 0 && access(path("default.coffer"), F_OK) != 0);
    coffer_item_free(added(keychain, "mail", "kim", "one"));
    CHECK(count_of(keychain, "mail") == 1 && access(path("default.coffer"), F_OK) == 0);
    coffer_options_free(options);
    coffer_keychain_free(keychain);
}

/* ---- Changes by others ---- */

static void a_watch_notices_changes(void)
{
    coffer_vault *vault = vault_with(NULL), *other = NULL;
    coffer_options *options = options_with(NULL);
    coffer_watch *watch = NULL;
    OK(coffer_vault_watch(vault, &watch, &error));
    struct pollfd waiting = {coffer_watch_descriptor(watch), POLLIN, 0};
    CHECK(poll(&waiting, 1, 0) == 0);
    bool has_changed = true;
    OK(coffer_watch_next(watch, 0, &has_changed, &error));
    CHECK(!has_changed);
    OK(coffer_vault_open(coffer_string(path("vault.coffer")), options, &other, &error));
    coffer_keychain *keychain = keychain_of(other);
    for (int round = 0; round < 3; round++) {
        char name[16];
        snprintf(name, sizeof name, "item %d", round);
        coffer_item_free(added(keychain, name, "kim", "one"));
        CHECK(poll(&waiting, 1, 10000) == 1);
        OK(coffer_watch_next(watch, -1, &has_changed, &error));
        CHECK(has_changed);
    }
    FAILS(COFFER_INVALID, -50, coffer_watch_next(NULL, 0, NULL, &error));
    coffer_watch_free(watch);
    coffer_options_free(options);
    coffer_keychain_free(keychain);
    coffer_vault_free(other);
    coffer_vault_free(vault);
}

/* ---- Refreshing ---- */

static coffer_secret *renew(void *context, coffer_bytes old)
{
    if (!context) return NULL;
    CHECK(is(old, "old"));
    ++*(int *)context;
    return coffer_secret_create(coffer_string("new"));
}

struct refreshing {
    coffer_keychain *keychain;
    const coffer_item *item;
    int *calls;
};

static void *refresh(void *context)
{
    struct refreshing *refreshing = context;
    coffer_secret *secret = NULL;
    OK(coffer_keychain_refresh(refreshing->keychain, refreshing->item, 0.5, 30, renew, refreshing->calls, &secret,
                               &error));
    CHECK(is(coffer_secret_bytes(secret), "new"));
    coffer_secret_free(secret);
    return NULL;
}

static void of_many_threads_one_refreshes_a_secret(void)
{
    coffer_keychain *keychain = keychain_alone();
    coffer_item *item = added(keychain, "token", "kim", "old");
    coffer_secret *secret = NULL;
    int calls = 0;
    OK(coffer_keychain_refresh(keychain, item, 3600, 1, renew, &calls, &secret, &error));
    CHECK(is(coffer_secret_bytes(secret), "old") && calls == 0);
    coffer_secret_free(secret);
    FAILS(COFFER_CANCELLED, -128, coffer_keychain_refresh(keychain, item, 0, 1, renew, NULL, &secret, &error));
    FAILS(COFFER_INVALID, -50, coffer_keychain_refresh(keychain, item, -1, 1, renew, NULL, &secret, &error));
    usleep(600000);
    struct refreshing refreshing = {keychain, item, &calls};
    pthread_t threads[8];
    for (int index = 0; index < 8; index++) pthread_create(&threads[index], NULL, refresh, &refreshing);
    for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
    CHECK(calls == 1 && has_secret(keychain, item, "new"));
    coffer_item_free(item);
    coffer_keychain_free(keychain);
}

/* ---- The host program ---- */

struct work {
    coffer_keychain *keychain;
    int number;
};

static void *use(void *context)
{
    struct work *work = context;
    for (int round = 0; round < 20; round++) {
        char name[32];
        snprintf(name, sizeof name, "thread %d round %d", work->number, round);
        coffer_item *item = added(work->keychain, name, "kim", name);
        CHECK(has_secret(work->keychain, item, name) && count_of(work->keychain, name) == 1);
        OK(coffer_keychain_delete(work->keychain, item, COFFER_IF_UNCHANGED, &error));
        coffer_item_free(item);
    }
    return NULL;
}

static void threads_share_handles(void)
{
    coffer_keychain *keychain = keychain_alone();
    pthread_t threads[8];
    struct work work[8];
    for (int index = 0; index < 8; index++) {
        work[index].keychain = keychain, work[index].number = index;
        pthread_create(&threads[index], NULL, use, &work[index]);
    }
    for (int index = 0; index < 8; index++) pthread_join(threads[index], NULL);
    coffer_keychain_free(keychain);
}

static volatile bool is_over;

static void *write_all_the_time(void *context)
{
    while (!is_over) {
        coffer_item *item = login("busy", "kim");
        OK(coffer_keychain_save(context, item, coffer_string("x"), NULL, &error));
        coffer_item_free(item);
    }
    return NULL;
}

static void a_forked_child_is_told_to_open_the_vault_again(void)
{
    coffer_vault *vault = vault_with(NULL);
    coffer_options *options = options_with(NULL);
    coffer_keychain *keychain = keychain_of(vault), *unopened = NULL;
    OK(coffer_options_set(options, COFFER_OPTION_VAULT, coffer_string(path("vault.coffer")), &error));
    OK(coffer_keychain_open(options, NULL, &unopened, &error));
    coffer_item *item = added(keychain, "mail", "kim", "one");
    CHECK(has_secret(unopened, item, "one"));
    pthread_t thread;
    is_over = false;
    pthread_create(&thread, NULL, write_all_the_time, keychain);
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(20);
            coffer_secret *secret = NULL;
            FAILS(COFFER_MUST_BE_REOPENED, -25291, coffer_keychain_secret(keychain, item, &secret, &error));
            CHECK(has_secret(unopened, item, "one"));
            coffer_vault *again = NULL;
            OK(coffer_vault_open(coffer_string(path("vault.coffer")), options, &again, &error));
            coffer_keychain *own = keychain_of(again);
            CHECK(has_secret(own, item, "one"));
            coffer_keychain_free(own);
            coffer_vault_free(again);
            coffer_keychain_free(keychain);
            coffer_vault_free(vault);
            _exit(0);
        }
        int status = 0;
        CHECK(waitpid(child, &status, 0) == child);
        if (status != 0) fprintf(stderr, "round %d: status %d\n", round, status);
        CHECK(status == 0);
    }
    is_over = true;
    pthread_join(thread, NULL);
    coffer_options_free(options);
    coffer_item_free(item);
    coffer_keychain_free(unopened);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static pthread_t main_thread;
static volatile sig_atomic_t signals_seen, signals_elsewhere;

static void note_signal(int number)
{
    (void)number;
    signals_seen++;
    if (!pthread_equal(pthread_self(), main_thread)) signals_elsewhere++;
}

static void *send_signals(void *context)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    while (!is_over) {
        kill(getpid(), SIGUSR1);
        usleep(200);
    }
    return context;
}

static void signals_of_the_host_interrupt_nothing_and_reach_no_thread_of_the_library(void)
{
    struct sigaction action, before[NSIG];
    for (int number = 1; number < NSIG; number++) sigaction(number, NULL, &before[number]);
    coffer_vault *vault = vault_with(NULL);
    coffer_keychain *keychain = keychain_of(vault);
    coffer_watch *watch = NULL;
    OK(coffer_vault_watch(vault, &watch, &error));
    for (int number = 1; number < NSIG; number++) {
        if (sigaction(number, NULL, &action) == 0) CHECK(action.sa_handler == before[number].sa_handler);
    }
    memset(&action, 0, sizeof action);
    action.sa_handler = note_signal;
    sigaction(SIGUSR1, &action, NULL);
    main_thread = pthread_self();
    is_over = false;
    pthread_t thread;
    pthread_create(&thread, NULL, send_signals, NULL);
    for (int round = 0; round < 200; round++) {
        char name[32];
        snprintf(name, sizeof name, "round %d", round);
        coffer_item *item = added(keychain, name, "kim", name);
        CHECK(has_secret(keychain, item, name));
        coffer_item_free(item);
    }
    OK(coffer_vault_compact(vault, NULL, NULL, NULL, &error));
    is_over = true;
    pthread_join(thread, NULL);
    CHECK(signals_seen > 10 && signals_elsewhere == 0);
    signal(SIGUSR1, SIG_DFL);
    coffer_watch_free(watch);
    coffer_keychain_free(keychain);
    coffer_vault_free(vault);
}

static void nothing_is_printed(void)
{
    int ends[2], saved = dup(2);
    CHECK(pipe(ends) == 0);
    fflush(stderr);
    dup2(ends[1], 2);
    coffer_options *options = options_with(NULL);
    coffer_keychain *keychain = NULL;
    coffer_options_set(options, COFFER_OPTION_VAULT, coffer_string("/proc/nowhere/v.coffer"), NULL);
    coffer_status opened = coffer_keychain_open(options, NULL, &keychain, NULL);
    coffer_item *item = login("mail", "kim");
    coffer_status saved_item = coffer_keychain_save(keychain, item, coffer_string("x"), NULL, NULL);
    coffer_item_free(item);
    coffer_keychain_free(keychain);
    coffer_options_free(options);
    dup2(saved, 2);
    close(ends[1]);
    char byte;
    CHECK(read(ends[0], &byte, 1) == 0);
    CHECK(opened == COFFER_OK && saved_item != COFFER_OK);
    close(ends[0]);
    close(saved);
}

/* ---- Running ---- */

#define TEST(name) {#name, name}

static const struct {
    const char *name;
    void (*run)(void);
} tests[] = {
    TEST(an_item_comes_back_with_its_attributes_and_secret),
    TEST(an_item_without_a_secret_differs_from_one_with_an_empty_secret),
    TEST(a_password_is_one_call),
    TEST(errors_carry_a_kind_and_the_number_of_apple),
    TEST(null_handles_are_freed_and_asked_without_harm),
    TEST(an_update_changes_what_was_set_and_nothing_else),
    TEST(save_adds_or_changes),
    TEST(the_other_classes_have_their_attributes),
    TEST(a_synchronizable_item_is_found_only_when_asked_for),
    TEST(an_access_control_keeps_its_conditions),
    TEST(the_user_is_asked_for_what_an_item_demands),
    TEST(values_stay_until_the_item_is_freed),
    TEST(a_transaction_is_kept_or_abandoned_as_a_whole),
    TEST(history_shows_restores_and_undoes),
    TEST(a_locked_vault_says_so),
    TEST(each_rung_of_the_ladder_opens_a_vault),
    TEST(a_key_file_protects_a_vault_and_bad_options_are_refused),
    TEST(maintenance_reports_progress_and_can_be_cancelled),
    TEST(damage_is_reported_and_not_taken_for_absence),
    TEST(an_erased_item_is_gone_with_its_past),
    TEST(keys_are_changed),
    TEST(unlocked_keys_can_be_left_for_others),
    TEST(copies_are_merged_and_a_merge_is_undone),
    TEST(a_grant_opens_its_groups_until_it_is_revoked),
    TEST(declared_groups_limit_a_keychain),
    TEST(the_default_keychain_makes_its_vault_when_something_is_stored),
    TEST(a_watch_notices_changes),
    TEST(of_many_threads_one_refreshes_a_secret),
    TEST(threads_share_handles),
    TEST(a_forked_child_is_told_to_open_the_vault_again),
    TEST(signals_of_the_host_interrupt_nothing_and_reach_no_thread_of_the_library),
    TEST(nothing_is_printed),
};

int main(int count, char **arguments)
{
    int run = 0;
    for (size_t index = 0; index < sizeof tests / sizeof tests[0]; index++) {
        if (count > 1 && (strcmp(arguments[1], tests[index].name) == 0) == (count > 2)) continue;
        strcpy(directory, "/tmp/coffer-tests-XXXXXX");
        CHECK(mkdtemp(directory) != NULL);
        fprintf(stderr, "%s\n", tests[index].name);
        tests[index].run();
        char command[64];
        snprintf(command, sizeof command, "rm -rf %s 2>/dev/null", directory);
        /* A thread of the library may write an index until its vault is gone. */
        for (int attempt = 1; system(command) != 0; attempt++) CHECK(attempt < 100);
        run++;
    }
    CHECK(run > 0);
    printf("%d tests passed\n", run);
    return 0;
}
