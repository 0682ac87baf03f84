/*
 * Uses two copies of the library in one process, loaded with dlopen, on the same vault, and unloads and loads them.
 *
 *     copies VAULT LIBRARY OTHER
 */
#include "check.h"

#include <dlfcn.h>

struct copy {
    void *library;
    coffer_status (*open)(const coffer_options *, const coffer_identity *, coffer_keychain **, coffer_error **);
    coffer_status (*save)(coffer_keychain *, const coffer_item *, coffer_bytes, coffer_item **, coffer_error **);
    coffer_status (*find_secret)(coffer_keychain *, const coffer_query *, coffer_secret **, coffer_error **);
    coffer_status (*set_option)(coffer_options *, coffer_option, coffer_bytes, coffer_error **);
    coffer_status (*set)(coffer_item *, const char *, coffer_value, coffer_error **);
    coffer_status (*demand)(coffer_query *, const char *, coffer_value, coffer_error **);
    coffer_options *(*options)(void);
    coffer_item *(*item)(coffer_class);
    coffer_query *(*query)(coffer_class);
    coffer_bytes (*bytes)(const coffer_secret *);
    void (*free_options)(coffer_options *);
    void (*free_item)(coffer_item *);
    void (*free_query)(coffer_query *);
    void (*free_secret)(coffer_secret *);
    void (*free_keychain)(coffer_keychain *);
};

/* Finds a function; ISO C has no conversion from an object pointer. */
#define FIND(field, name)                                                                                              \
    do {                                                                                                               \
        void *found = dlsym(copy.library, name);                                                                       \
        CHECK(found != NULL);                                                                                          \
        memcpy(&copy.field, &found, sizeof found);                                                                     \
    } while (0)

static struct copy load(const char *path)
{
    struct copy copy;
    copy.library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!copy.library) fprintf(stderr, "%s\n", dlerror());
    CHECK(copy.library != NULL);
    FIND(open, "coffer_keychain_open");
    FIND(save, "coffer_keychain_save");
    FIND(find_secret, "coffer_keychain_find_secret");
    FIND(set_option, "coffer_options_set");
    FIND(set, "coffer_item_set");
    FIND(demand, "coffer_query_set");
    FIND(options, "coffer_options_create");
    FIND(item, "coffer_item_create");
    FIND(query, "coffer_query_create");
    FIND(bytes, "coffer_secret_bytes");
    FIND(free_options, "coffer_options_free");
    FIND(free_item, "coffer_item_free");
    FIND(free_query, "coffer_query_free");
    FIND(free_secret, "coffer_secret_free");
    FIND(free_keychain, "coffer_keychain_free");
    return copy;
}

static coffer_keychain *opened(struct copy copy, const char *vault)
{
    coffer_options *options = copy.options();
    coffer_keychain *keychain = NULL;
    CHECK(copy.set_option(options, COFFER_OPTION_VAULT, coffer_string(vault), NULL) == COFFER_OK);
    CHECK(copy.open(options, NULL, &keychain, NULL) == COFFER_OK);
    copy.free_options(options);
    return keychain;
}

static void save(struct copy copy, coffer_keychain *keychain, const char *secret)
{
    coffer_item *item = copy.item(COFFER_GENERIC_PASSWORD);
    CHECK(copy.set(item, COFFER_SERVICE, coffer_text("copies"), NULL) == COFFER_OK);
    CHECK(copy.save(keychain, item, coffer_string(secret), NULL, NULL) == COFFER_OK);
    copy.free_item(item);
}

static void expect(struct copy copy, coffer_keychain *keychain, const char *expected)
{
    coffer_query *query = copy.query(COFFER_GENERIC_PASSWORD);
    coffer_secret *secret = NULL;
    CHECK(copy.demand(query, COFFER_SERVICE, coffer_text("copies"), NULL) == COFFER_OK);
    CHECK(copy.find_secret(keychain, query, &secret, NULL) == COFFER_OK);
    CHECK(is(copy.bytes(secret), expected));
    copy.free_secret(secret);
    copy.free_query(query);
}

int main(int count, char **arguments)
{
    CHECK(count == 4);
    for (int round = 0; round < 5; round++) {
        struct copy one = load(arguments[2]), two = load(arguments[3]);
        CHECK(one.open != two.open);
        coffer_keychain *first = opened(one, arguments[1]), *second = opened(two, arguments[1]);
        save(one, first, "from the first");
        expect(two, second, "from the first");
        save(two, second, "from the second");
        expect(one, first, "from the second");
        one.free_keychain(first);
        CHECK(dlclose(one.library) == 0);
        expect(two, second, "from the second");
        two.free_keychain(second);
        CHECK(dlclose(two.library) == 0);
    }
    printf("two copies work beside each other\n");
    return 0;
}
