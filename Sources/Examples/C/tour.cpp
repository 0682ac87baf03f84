/*
 * A tour of the interface for C++.
 *
 *     c++ -std=c++17 tour.cpp $(pkg-config --cflags --libs coffer) -o tour && ./tour /tmp/tour.coffer
 */
#include <coffer.hpp>

#include <iostream>

int main(int count, char **arguments)
try {
    coffer::options options;
    options.set(COFFER_OPTION_PASSPHRASE, "a long passphrase");
    auto vault = coffer::vault::create(count > 1 ? arguments[1] : "tour.coffer", options);
    auto keychain = vault.keychain("com.example.mail");

    auto stored = keychain.save(
        coffer::item(COFFER_GENERIC_PASSWORD).set(COFFER_SERVICE, "mail").set(COFFER_ACCOUNT, "kim"), "hunter2");
    std::cout << stored.text(COFFER_ACCOUNT) << " has a secret of " << keychain.secret_of(stored)->view().size()
              << " bytes\n";
    auto now = keychain.update(stored.set(COFFER_LABEL, "Mail"));
    std::cout << "label: " << now.text(COFFER_LABEL) << '\n';

    auto add = [](const coffer::keychain &inside, std::string_view account) {
        inside.add(coffer::item(COFFER_GENERIC_PASSWORD).set(COFFER_SERVICE, "mail").set(COFFER_ACCOUNT, account), "x");
    };
    try {
        keychain.transaction([&](const coffer::keychain &inside) {
            add(inside, "lee");
            add(inside, "kim");
        });
    } catch (const coffer::error &error) {
        std::cout << "nothing was added: " << error.apple_status() << '\n';
    }
    coffer::query query(COFFER_GENERIC_PASSWORD);
    query.set(COFFER_SERVICE, "mail");
    std::cout << "items: " << keychain.find(query).size() << '\n';

    vault.lock();
    try {
        keychain.find(query);
    } catch (const coffer::error &error) {
        std::cout << (error.status() == COFFER_LOCKED ? "the vault is locked\n" : error.what());
    }
    vault.unlock(options);
    std::cout << "bytes: " << (vault.compact().get_value("bytes_after").integer > 0 ? "some" : "none") << '\n';
    keychain.remove(now);
    std::cout << "ways to open: " << vault.facts(COFFER_FACTS_SLOTS).size() << '\n';
    return 0;
} catch (const coffer::error &error) {
    std::cerr << "tour: " << error.what() << '\n';
    return 1;
}
