/*
 * coffer.hpp: the C interface of coffer.h for C++17, with owners and exceptions.
 *
 * Everything is in this header. Objects own their handles, can be moved but not copied, and follow the rules of
 * coffer.h about threads and durability. A function that fails throws coffer::error; what a callback throws reaches the
 * caller. An object that was moved from is empty, and using it is an error. What is not here is called through coffer.h
 * with `get()`, and checked with coffer::check.
 *
 *     auto keychain = coffer::keychain::open();
 *     auto login = keychain.save(coffer::item(COFFER_GENERIC_PASSWORD)
 *                                    .set(COFFER_SERVICE, "mail").set(COFFER_ACCOUNT, "kim"), "hunter2");
 *     coffer::secret secret = keychain.secret_of(login).value();
 */
#ifndef COFFER_HPP
#define COFFER_HPP

#include "coffer.h"

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coffer {

/** Why a function failed. */
class error : public std::runtime_error {
public:
    error(coffer_status status, std::int32_t apple_status, const std::string &message)
        : std::runtime_error(message), status_(status), apple_status_(apple_status)
    {
    }

    coffer_status status() const noexcept { return status_; }
    std::int32_t apple_status() const noexcept { return apple_status_; }

private:
    coffer_status status_;
    std::int32_t apple_status_;
};

inline std::string_view view(coffer_bytes bytes) noexcept
{
    return {static_cast<const char *>(bytes.bytes), bytes.count};
}

inline coffer_bytes bytes(std::string_view text) noexcept { return {text.data(), text.size()}; }

/** Calls `body` with a place for an error, and throws the error if there is one. */
template <typename Body> void check(Body body)
{
    coffer_error *reason = nullptr;
    if (body(&reason) == COFFER_OK) return;
    std::unique_ptr<coffer_error, void (*)(coffer_error *)> owner(reason, coffer_error_free);
    throw error(coffer_error_status(reason), coffer_error_apple_status(reason),
                std::string(view(coffer_error_message(reason))));
}

/** An owner of a handle. */
template <typename Handle, void (*Free)(Handle *)> class owner {
public:
    explicit owner(Handle *handle = nullptr) noexcept : handle_(handle) {}
    Handle *get() const noexcept { return handle_.get(); }
    /** Gives up the ownership of the handle. */
    Handle *release() noexcept { return handle_.release(); }
    explicit operator bool() const noexcept { return static_cast<bool>(handle_); }

private:
    struct deleter {
        void operator()(Handle *handle) const noexcept { Free(handle); }
    };
    std::unique_ptr<Handle, deleter> handle_;
};

/** Calls `body` with places for a handle and for an error, and returns the owner of the handle. */
template <typename Owner, typename Handle, typename Body> Owner made(Body body)
{
    Handle *handle = nullptr;
    check([&](coffer_error **reason) { return body(&handle, reason); });
    return Owner(handle);
}

/** A callback whose exception is kept until the library has returned, since none may pass through it. */
template <typename Function> struct callback {
    const Function &function;
    std::exception_ptr failure = nullptr;

    /** Calls `body` with the function, and returns false if it throws. */
    template <typename Body> bool run(Body body) noexcept
    {
        try {
            return body(function);
        } catch (...) {
            failure = std::current_exception();
            return false;
        }
    }

    /** Calls `body`, which calls the library with this; what the callback has thrown takes precedence over its error. */
    template <typename Body> auto during(Body body)
    {
        try {
            return body();
        } catch (const error &) {
            if (failure) std::rethrow_exception(failure);
            throw;
        }
    }
};

/** Secret bytes, wiped at the end. */
class secret : public owner<coffer_secret, coffer_secret_free> {
public:
    using owner::owner;
    explicit secret(std::string_view data) : owner(coffer_secret_create(bytes(data))) {}
    /** The bytes, as long as the secret lives. */
    std::string_view view() const noexcept { return coffer::view(coffer_secret_bytes(get())); }
};

/** Rows of named values. */
class facts : public owner<coffer_facts, coffer_facts_free> {
public:
    using owner::owner;
    std::size_t size() const noexcept { return coffer_facts_count(get()); }
    coffer_value get_value(const char *name, std::size_t row = 0) const noexcept
    {
        return coffer_facts_get(get(), row, name);
    }
    std::string_view text(const char *name, std::size_t row = 0) const noexcept
    {
        return coffer::view(get_value(name, row).bytes);
    }
};

/** What opens a vault, and how it is used. */
class options : public owner<coffer_options, coffer_options_free> {
public:
    options() : owner(coffer_options_create()) {}
    options &set(coffer_option option, std::string_view value)
    {
        check([&](coffer_error **reason) { return coffer_options_set(get(), option, bytes(value), reason); });
        return *this;
    }
    options &set(coffer_option option, std::int64_t value)
    {
        check([&](coffer_error **reason) { return coffer_options_set_number(get(), option, value, reason); });
        return *this;
    }
};

/** The attributes of an item. */
class item : public owner<coffer_item, coffer_item_free> {
public:
    using owner::owner;
    explicit item(coffer_class item_class) : owner(coffer_item_create(item_class)) {}
    item copy() const { return item(coffer_item_copy(get())); }
    item &&set(const char *name, coffer_value value) &&
    {
        static_cast<item &>(*this).set(name, value);
        return std::move(*this);
    }
    item &set(const char *name, coffer_value value) &
    {
        check([&](coffer_error **reason) { return coffer_item_set(get(), name, value, reason); });
        return *this;
    }
    item &&set(const char *name, std::string_view text) && { return std::move(*this).set(name, text_value(text)); }
    item &set(const char *name, std::string_view text) & { return set(name, text_value(text)); }
    coffer_value value(const char *name) const noexcept { return coffer_item_get(get(), name); }
    /** Text or data, as long as the item lives; empty if there is none. */
    std::string_view text(const char *name) const noexcept { return view(value(name).bytes); }

private:
    static coffer_value text_value(std::string_view text) noexcept { return {COFFER_TEXT, 0, 0, bytes(text)}; }
};

/** Conditions that items must meet. */
class query : public owner<coffer_query, coffer_query_free> {
public:
    explicit query(coffer_class item_class) : owner(coffer_query_create(item_class)) {}
    query &set(const char *name, coffer_value value)
    {
        check([&](coffer_error **reason) { return coffer_query_set(get(), name, value, reason); });
        return *this;
    }
    query &set(const char *name, std::string_view text) { return set(name, {COFFER_TEXT, 0, 0, bytes(text)}); }
};

/** The items of a vault that a program may use. */
class keychain : public owner<coffer_keychain, coffer_keychain_free> {
public:
    using owner::owner;

    /** The keychain in the user's vault, for a program with a name. */
    static keychain open(std::string_view application = "coffer", const options *with = nullptr)
    {
        coffer_identity identity = {bytes(application), nullptr, 0};
        return made<keychain, coffer_keychain>([&](coffer_keychain **result, coffer_error **reason) {
            return coffer_keychain_open(with ? with->get() : nullptr, &identity, result, reason);
        });
    }

    std::vector<item> find(const query &conditions, std::size_t limit = 0) const
    {
        using list = owner<coffer_items, coffer_items_free>;
        list found = made<list, coffer_items>([&](coffer_items **result, coffer_error **reason) {
            return coffer_keychain_find(get(), conditions.get(), limit, result, reason);
        });
        std::vector<item> items;
        items.reserve(coffer_items_count(found.get()));
        for (std::size_t index = 0; index < coffer_items_count(found.get()); index++)
            items.emplace_back(coffer_items_at(found.get(), index));
        return items;
    }

    /** The password of an account for a service; nothing if it has none. */
    std::optional<secret> password(const std::string &service, const std::string &account) const
    {
        try {
            return made<secret, coffer_secret>([&](coffer_secret **result, coffer_error **reason) {
                return coffer_password_get(held(), text(service), text(account), result, reason);
            });
        } catch (const error &reason) {
            if (reason.status() != COFFER_NOT_FOUND) throw;
            return std::nullopt;
        }
    }

    /** Replaces the password of an account for a service, or adds one. */
    void set_password(const std::string &service, const std::string &account, const std::string &password) const
    {
        check([&](coffer_error **reason) {
            return coffer_password_set(held(), text(service), text(account), text(password), reason);
        });
    }

    /** The secret of a stored item; nothing if it has none. */
    std::optional<secret> secret_of(const item &stored) const
    {
        secret found = made<secret, coffer_secret>([&](coffer_secret **result, coffer_error **reason) {
            return coffer_keychain_secret(get(), stored.get(), result, reason);
        });
        return found ? std::optional<secret>(std::move(found)) : std::nullopt;
    }

    item add(const item &added, std::string_view secret) const
    {
        coffer_bytes data = bytes(secret);
        return made<item, coffer_item>([&](coffer_item **now, coffer_error **reason) {
            return coffer_keychain_add(get(), added.get(), &data, now, reason);
        });
    }

    item save(const item &saved, std::string_view secret) const
    {
        return made<item, coffer_item>([&](coffer_item **now, coffer_error **reason) {
            return coffer_keychain_save(get(), saved.get(), bytes(secret), now, reason);
        });
    }

    item update(const item &changed, coffer_condition condition = COFFER_IF_UNCHANGED) const
    {
        return made<item, coffer_item>([&](coffer_item **now, coffer_error **reason) {
            return coffer_keychain_update(get(), changed.get(), nullptr, condition, now, reason);
        });
    }

    void remove(const item &stored, coffer_condition condition = COFFER_IF_UNCHANGED) const
    {
        check([&](coffer_error **reason) {
            return coffer_keychain_delete(get(), stored.get(), condition, reason);
        });
    }

    /** Makes the changes of `body` durable together, or none of them if it throws. */
    void transaction(const std::function<void(const keychain &)> &body) const
    {
        using change = callback<std::function<void(const keychain &)>>;
        change context = {body};
        context.during([&] {
            check([&](coffer_error **reason) {
                return coffer_keychain_transaction(
                    get(),
                    [](void *opaque, coffer_keychain *handle) {
                        keychain inside(handle);
                        bool is_kept = static_cast<change *>(opaque)->run([&](auto &function) {
                            function(inside);
                            return true;
                        });
                        inside.release();
                        return is_kept;
                    },
                    &context, reason);
            });
        });
    }

private:
    /** The text as a string of C, which a zero byte would end early. */
    static const char *text(const std::string &text)
    {
        if (text.find('\0') != text.npos) throw error(COFFER_INVALID, -50, "the text contains a zero byte");
        return text.c_str();
    }

    /** The handle where NULL would stand for the user's own keychain. */
    coffer_keychain *held() const
    {
        if (!*this) throw error(COFFER_INVALID, -50, "the keychain was moved elsewhere");
        return get();
    }
};

/** An open vault. */
class vault : public owner<coffer_vault, coffer_vault_free> {
public:
    using owner::owner;

    static vault open(std::string_view path, const options &with = options())
    {
        return made<vault, coffer_vault>([&](coffer_vault **result, coffer_error **reason) {
            return coffer_vault_open(bytes(path), with.get(), result, reason);
        });
    }

    static vault create(std::string_view path, const options &with = options())
    {
        return made<vault, coffer_vault>([&](coffer_vault **result, coffer_error **reason) {
            return coffer_vault_create(bytes(path), with.get(), result, reason);
        });
    }

    bool is_unlocked() const noexcept { return coffer_vault_is_unlocked(get()); }
    void lock() const noexcept { coffer_vault_lock(get()); }
    void unlock(const options &with) const
    {
        check([&](coffer_error **reason) { return coffer_vault_unlock(get(), with.get(), reason); });
    }

    coffer::keychain keychain(std::string_view application = "coffer") const
    {
        coffer_identity identity = {bytes(application), nullptr, 0};
        return made<coffer::keychain, coffer_keychain>([&](coffer_keychain **result, coffer_error **reason) {
            return coffer_vault_keychain(get(), &identity, result, reason);
        });
    }

    coffer::facts facts(coffer_vault_fact which) const
    {
        return made<coffer::facts, coffer_facts>([&](coffer_facts **result, coffer_error **reason) {
            return coffer_vault_facts(get(), which, result, reason);
        });
    }

    /** Compacts the vault; `progress` is told what is done and the total, and returns false to cancel. */
    coffer::facts compact(const std::function<bool(std::int64_t, std::int64_t)> &progress = nullptr) const
    {
        using report = callback<std::function<bool(std::int64_t, std::int64_t)>>;
        report context = {progress};
        return context.during([&] {
            return made<coffer::facts, coffer_facts>([&](coffer_facts **result, coffer_error **reason) {
                return coffer_vault_compact(
                    get(),
                    [](void *opaque, std::int64_t done, std::int64_t total) {
                        return static_cast<report *>(opaque)->run(
                            [&](auto &function) { return !function || function(done, total); });
                    },
                    &context, result, reason);
            });
        });
    }
};

} // namespace coffer

#endif
