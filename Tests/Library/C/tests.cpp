// Tests of the C++ interface: what its objects do beyond those of C. The vault is in the current directory.
#include "../../../Sources/Library/CCoffer/coffer.hpp"

#include <cstdio>
#include <cstdlib>

static void require(bool is_met, int line)
{
    if (is_met) return;
    std::fprintf(stderr, "tests.cpp:%d: failed\n", line);
    std::exit(1);
}

#define CHECK(condition) require(condition, __LINE__)

// Runs `body` and returns the status that it throws.
template <typename Body> static coffer_status status_of(Body body)
{
    try {
        body();
        return COFFER_OK;
    } catch (const coffer::error &error) {
        return error.status();
    }
}

struct thrown {
};

// Runs `body` and returns whether it throws what a callback has thrown.
template <typename Body> static bool throws(Body body)
{
    try {
        body();
        return false;
    } catch (const thrown &) {
        return true;
    }
}

int main()
{
    coffer::options options;
    options.set(COFFER_OPTION_PASSPHRASE, "a long passphrase")
        .set(COFFER_OPTION_PASSPHRASE_MEMORY, 64)
        .set(COFFER_OPTION_PASSPHRASE_PASSES, 2)
        .set(COFFER_OPTION_KERNEL_KEYRING, 0);
    auto vault = coffer::vault::create("tests.coffer", options);
    auto keychain = vault.keychain();
    auto login = coffer::item(COFFER_GENERIC_PASSWORD).set(COFFER_SERVICE, "mail");
    auto stored = keychain.save(login, "one");

    // An exception of a callback reaches the caller, and the vault can be used afterwards.
    CHECK(throws([&] { vault.compact([](std::int64_t, std::int64_t) -> bool { throw thrown(); }); }));
    CHECK(throws([&] { keychain.transaction([](const coffer::keychain &) { throw thrown(); }); }));
    CHECK(status_of([&] { vault.compact([](std::int64_t, std::int64_t) { return false; }); }) == COFFER_CANCELLED);
    vault.compact();
    CHECK(keychain.secret_of(stored)->view() == "one");

    // A password in one call; an absent one is no error.
    CHECK(!keychain.password("web", "kim"));
    keychain.set_password("mail", "", "two");
    CHECK(keychain.password("mail", "")->view() == "two" && keychain.secret_of(stored)->view() == "two");
    CHECK(status_of([&] { keychain.set_password("mail", "", {"a\0b", 3}); }) == COFFER_INVALID);
    vault.lock();
    CHECK(status_of([&] { keychain.password("mail", ""); }) == COFFER_LOCKED);
    vault.unlock(options);

    // An object that was moved from is empty, and using it is an error.
    auto moved = std::move(login);
    CHECK(moved && !login && login.text(COFFER_SERVICE).empty());
    CHECK(status_of([&] { login.set(COFFER_ACCOUNT, "kim"); }) == COFFER_INVALID);
    CHECK(status_of([&] { keychain.save(login, "two"); }) == COFFER_INVALID);
    CHECK(!login.copy());
    coffer::query query(COFFER_GENERIC_PASSWORD);
    auto other_query = std::move(query);
    CHECK(status_of([&] { keychain.find(query); }) == COFFER_INVALID);
    CHECK(keychain.find(other_query).size() == 1);
    auto other = std::move(keychain);
    CHECK(status_of([&] { keychain.find(other_query); }) == COFFER_INVALID);
    CHECK(status_of([&] { keychain.password("mail", ""); }) == COFFER_INVALID);

    // Moving an object to itself keeps it.
    auto &same = other;
    other = std::move(same);
    CHECK(other.find(other_query).size() == 1);
    return 0;
}
