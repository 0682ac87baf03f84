/*
 * coffer.h: keychains in encrypted vault files.
 *
 * The shared library exports the functions below and nothing else. It contains everything that it needs but the C
 * library. Functions are only ever added: a program that was linked with one version of libcoffer.so.1 runs with all
 * later ones.
 *
 * These rules apply to every function; the comments add only what differs.
 *
 * Errors      A function that can fail returns a coffer_status. If that is not COFFER_OK, nothing has changed, results
 *             are set to NULL or 0, and `*error` is set to an error with a message, which the caller frees. `error` may
 *             be NULL. NULL, or a value that is not documented, gives COFFER_INVALID where it is not allowed.
 * Ownership   Handles that a function returns through a pointer belong to the caller, who frees each with the `_free`
 *             function of its type; that accepts NULL. The library copies what it is given: text, data and options may
 *             change or go away once a function has returned. What one handle was made from may be freed before it.
 * Threads     Any thread may call any function with any handle. A handle must not be used while or after it is freed.
 *             Functions block until they are done. The library starts threads of its own, on which all signals are
 *             blocked, and installs no signal handlers.
 * Durability  When a function that changes a vault returns COFFER_OK, the change survives a crash or power failure.
 * Text        Text is UTF-8 and has a length. Text and data that the library returns are followed by a zero byte that
 *             is not part of the length, so that text can be printed; they may contain zero bytes.
 * Secrets     The library keeps secrets in memory that it wipes, and never writes them to a log or an error message.
 *             What the caller copies is up to the caller.
 * fork        After fork(), the child process must not use handles that it inherited, except to free them: most
 *             functions then return COFFER_MUST_BE_REOPENED. It can open the vault again.
 * Callbacks   A function of the program that the library calls must not use a vault or a keychain, except the one that a
 *             transaction is given; that gives COFFER_INVALID. A coffer_replacement may.
 * Output      The library does not print, and never ends the process; if memory runs out, the process ends.
 *
 * A first program:
 *
 *     coffer_secret *password = NULL;
 *     coffer_password_set(NULL, "mail", "kim", "hunter2", NULL);
 *     if (coffer_password_get(NULL, "mail", "kim", &password, NULL) == COFFER_OK)
 *         puts(coffer_secret_bytes(password).bytes);
 *     coffer_secret_free(password);
 */
#ifndef COFFER_H
#define COFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------------------------------------------------------
 * Values
 * --------------------------------------------------------------------------------------------------------------- */

/** Text or data. `bytes` may be NULL if `count` is 0. */
typedef struct coffer_bytes {
    const void *bytes;
    size_t count;
} coffer_bytes;

/** The kind of a value. */
typedef enum coffer_kind {
    COFFER_NONE = 0,           /**< No value; setting it removes an attribute. */
    COFFER_TEXT = 1,           /**< Text in `bytes`. */
    COFFER_DATA = 2,           /**< Data in `bytes`. */
    COFFER_INTEGER = 3,        /**< A whole number in `integer`. */
    COFFER_REAL = 4,           /**< Any other number in `real`. */
    COFFER_FLAG = 5,           /**< 0 or 1 in `integer`. */
    COFFER_DATE = 6,           /**< Seconds since the start of 1970, UTC, in `real`. */
    COFFER_ACCESS_CONTROL = 7, /**< An accessibility in `bytes`, and bits of Apple's flags in `integer`. */
} coffer_kind;

/** A value of an attribute. Fields that the kind does not name are 0. */
typedef struct coffer_value {
    coffer_kind kind;
    int64_t integer;
    double real;
    coffer_bytes bytes;
} coffer_value;

/** Returns text or data that ends with a zero byte, which is not part of it. */
static inline coffer_bytes coffer_string(const char *text)
{
    coffer_bytes bytes = {text, text ? strlen(text) : 0};
    return bytes;
}

/** Returns a value for text that ends with a zero byte. */
static inline coffer_value coffer_text(const char *text)
{
    coffer_value value = {COFFER_TEXT, 0, 0, {NULL, 0}};
    value.bytes = coffer_string(text);
    return value;
}

/** Returns a value for data. */
static inline coffer_value coffer_data(const void *bytes, size_t count)
{
    coffer_value value = {COFFER_DATA, 0, 0, {NULL, 0}};
    value.bytes.bytes = bytes;
    value.bytes.count = count;
    return value;
}

/** Returns a value for a whole number. */
static inline coffer_value coffer_integer(int64_t number)
{
    coffer_value value = {COFFER_INTEGER, 0, 0, {NULL, 0}};
    value.integer = number;
    return value;
}

/** Returns a value for a flag. */
static inline coffer_value coffer_flag(bool flag)
{
    coffer_value value = {COFFER_FLAG, 0, 0, {NULL, 0}};
    value.integer = flag ? 1 : 0;
    return value;
}

/** Returns a value for a date, in seconds since the start of 1970, UTC. */
static inline coffer_value coffer_date(double seconds)
{
    coffer_value value = {COFFER_DATE, 0, 0, {NULL, 0}};
    value.real = seconds;
    return value;
}

/** Returns the version of the library, such as "0.1.0", which is never freed. */
const char *coffer_version(void);

/* ------------------------------------------------------------------------------------------------------------------
 * Errors
 * --------------------------------------------------------------------------------------------------------------- */

/** Whether a function succeeded, or the kind of its error. */
typedef enum coffer_status {
    COFFER_OK = 0,
    COFFER_INVALID = 1,                /**< An argument is invalid; the message says which. */
    COFFER_NOT_FOUND = 2,              /**< No item matches, or the revision is no longer kept. */
    COFFER_DUPLICATE = 3,              /**< An item with the same primary key exists. */
    COFFER_LOCKED = 4,                 /**< An item that matches, or may match, is locked. */
    COFFER_AUTHENTICATION_REQUIRED = 5, /**< An item demands the user, who cannot be asked. */
    COFFER_AUTHENTICATION_FAILED = 6,  /**< The user was not authenticated. */
    COFFER_CANCELLED = 7,              /**< The user, or a callback of the caller, cancelled. */
    COFFER_NOT_ENTITLED = 8,           /**< The program may not use the group. */
    COFFER_NO_PASSPHRASE = 9,          /**< The accessibility requires a passphrase, and the vault has none. */
    COFFER_CHANGED = 10,               /**< The item was changed since the caller read it. */
    COFFER_NO_VAULT = 11,              /**< There is no vault at the path. */
    COFFER_FILE_EXISTS = 12,           /**< A file already exists at the path. */
    COFFER_NOT_A_VAULT = 13,           /**< The file is not a vault, or is empty. */
    COFFER_NEWER_VERSION = 14,         /**< The vault was made by a newer version. */
    COFFER_WRONG_SECRET = 15,          /**< The passphrase, key file or recovery code is wrong. */
    COFFER_GRANT_EXPIRED = 16,         /**< The grant that opens the vault has expired. */
    COFFER_SECRET_NEEDED = 17,         /**< The vault needs a secret that was not given. */
    COFFER_DEVICE_KEY_NEEDED = 18,     /**< The vault opens with the key of another machine. */
    COFFER_SECRET_UNAVAILABLE = 19,    /**< The source of a secret does not provide one. */
    COFFER_WEAK_SECRET = 20,           /**< A new passphrase or key file has almost no entropy. */
    COFFER_NOT_A_RECOVERY_CODE = 21,   /**< A text is not a recovery code. */
    COFFER_READ_ONLY = 22,             /**< The vault cannot be written. */
    COFFER_DISK_FULL = 23,             /**< The disk is full. */
    COFFER_INPUT_OUTPUT = 24,          /**< The system reports a disk error. */
    COFFER_BUSY = 25,                  /**< Waiting for another program timed out. */
    COFFER_ROLLED_BACK = 26,           /**< Changes that this machine has seen are missing from the vault. */
    COFFER_MUST_BE_REOPENED = 27,      /**< The keys were changed elsewhere, or the process was forked. */
    COFFER_FILE_REPLACED = 28,         /**< Another program replaced the file. */
    COFFER_TOO_LARGE = 29,             /**< The data is too large for a vault. */
    COFFER_DAMAGED = 30,               /**< The vault is damaged. */
    COFFER_DAMAGED_ITEM = 31,          /**< An item is damaged; the rest of the vault can be used. */
    COFFER_OUT_OF_MEMORY = 32,         /**< There is not enough memory, for example for a passphrase. */
    COFFER_UNAVAILABLE = 33,           /**< The vault cannot be used for another reason. */
} coffer_status;

/** Why a function failed. */
typedef struct coffer_error coffer_error;

/** Returns the kind of the error. */
coffer_status coffer_error_status(const coffer_error *error);

/** Returns the status code of Apple's keychain for the error, such as -25300. */
int32_t coffer_error_apple_status(const coffer_error *error);

/** Returns what happened and what to do, in one or more lines, until the error is freed. */
coffer_bytes coffer_error_message(const coffer_error *error);

void coffer_error_free(coffer_error *error);

/* ------------------------------------------------------------------------------------------------------------------
 * Secrets
 * --------------------------------------------------------------------------------------------------------------- */

/** Secret bytes, wiped when they are freed. */
typedef struct coffer_secret coffer_secret;

/** Returns a copy of the bytes. The caller wipes its own. */
coffer_secret *coffer_secret_create(coffer_bytes bytes);

/** Returns the bytes, until the secret is freed. */
coffer_bytes coffer_secret_bytes(const coffer_secret *secret);

void coffer_secret_free(coffer_secret *secret);

/* ------------------------------------------------------------------------------------------------------------------
 * Facts: what vaults report about themselves
 * --------------------------------------------------------------------------------------------------------------- */

/** Rows of named values. Each function that returns facts lists their names; later versions may add some. */
typedef struct coffer_facts coffer_facts;

/** Returns the number of rows. */
size_t coffer_facts_count(const coffer_facts *facts);

/** Returns a value of a row, or one of kind COFFER_NONE. Its bytes stay until the facts are freed. */
coffer_value coffer_facts_get(const coffer_facts *facts, size_t row, const char *name);

void coffer_facts_free(coffer_facts *facts);

/* ------------------------------------------------------------------------------------------------------------------
 * Options: what opens a vault, and how it is used
 * --------------------------------------------------------------------------------------------------------------- */

/** The name of an option. */
typedef enum coffer_option {
    /* What opens the vault, and protects a new one. Text or data: */
    COFFER_OPTION_PASSPHRASE = 1,         /**< The passphrase; kept in wiped memory. */
    COFFER_OPTION_PASSPHRASE_FILE = 2,    /**< The path of a file with the passphrase; opens only. */
    COFFER_OPTION_KEY_FILE = 3,           /**< The path of a key file; with a passphrase, both are needed. */
    COFFER_OPTION_RECOVERY_CODE = 4,      /**< A recovery code, as a person types it. */
    COFFER_OPTION_CREDENTIAL_FILE = 5,    /**< The path of the credential of a grant or a recipient; opens only. */

    /* The files of this machine, instead of those in the home directory. Text: */
    COFFER_OPTION_DEVICE_KEY_FILE = 6,    /**< The path of the device key; empty for none. */
    COFFER_OPTION_MEMORY_DIRECTORY = 7,   /**< A directory for what this machine remembers of vaults; empty for none. */
    COFFER_OPTION_VAULT = 8,              /**< The vault for coffer_keychain_open; its directory must exist. */

    /* Numbers: */
    COFFER_OPTION_PASSPHRASE_DESCRIPTOR = 32, /**< A descriptor from which the passphrase is read; opens only. */
    COFFER_OPTION_LOCK_TIMEOUT = 33,      /**< How long a change waits for other programs, in ms; 5000 by default. */
    COFFER_OPTION_PASSPHRASE_MEMORY = 34, /**< The memory that trying a new passphrase takes, in MiB: 64 to 1024. */
    COFFER_OPTION_PASSPHRASE_PASSES = 35, /**< The passes over that memory: 2 to 16. */

    /* Flags, with their defaults: */
    COFFER_OPTION_READ_ONLY = 64,         /**< 0: whether the vault is only read. */
    COFFER_OPTION_RUN_COMMANDS = 65,      /**< 0: whether COFFER_PASSPHRASE_COMMAND may be run. */
    COFFER_OPTION_KERNEL_KEYRING = 66,    /**< 1: whether keys that another process left there are used. */
    COFFER_OPTION_DISCARD_DAMAGED_END = 67, /**< 0: whether a damaged end of the file may be cut off. */
    COFFER_OPTION_ACCEPT_ROLLBACK = 68,   /**< 0: whether a vault is read that lacks changes seen before. */
    COFFER_OPTION_COMPACT_WHEN_DUE = 69,  /**< 1: whether the file is compacted in the background. */
    COFFER_OPTION_ALLOW_WEAK_SECRETS = 70, /**< 0: whether new secrets with almost no entropy are accepted. */
    COFFER_OPTION_INCLUDE_THIS_MACHINE = 71, /**< 1: whether this machine becomes a device of a new vault. */
} coffer_option;

/**
 * Options for opening, creating, unlocking and protecting vaults. Wherever a function takes options, NULL stands for
 * the defaults: the secrets are those that the environment provides (COFFER_PASSPHRASE_FILE and so on, the device key,
 * the kernel keyring), and the user is not asked.
 */
typedef struct coffer_options coffer_options;

/**
 * Asks the user for the passphrase of the vault at `path`, on the thread of the call that needs it. `attempt` counts
 * from 1 to 3. Returns a secret, which the library frees, or NULL if the user declines.
 */
typedef coffer_secret *(*coffer_prompt)(void *context, coffer_bytes path, int32_t attempt);

coffer_options *coffer_options_create(void);

/** Sets an option that is text or a secret. Of the ways to open a vault, the last one that was set is used. */
coffer_status coffer_options_set(coffer_options *options, coffer_option option, coffer_bytes value,
                                 coffer_error **error);

/** Sets an option that is a number or a flag. */
coffer_status coffer_options_set_number(coffer_options *options, coffer_option option, int64_t value,
                                        coffer_error **error);

/** Sets the function that asks for a passphrase if nothing else opens the vault; NULL for none. */
coffer_status coffer_options_set_prompt(coffer_options *options, coffer_prompt prompt, void *context,
                                        coffer_error **error);

void coffer_options_free(coffer_options *options);

/** Returns a new recovery code as text, to set as COFFER_OPTION_RECOVERY_CODE and to be written down. */
coffer_status coffer_recovery_code(coffer_secret **code, coffer_error **error);

/* ------------------------------------------------------------------------------------------------------------------
 * Vaults
 * --------------------------------------------------------------------------------------------------------------- */

/** An open vault. It stays open until the vault and all keychains and watches on it are freed. */
typedef struct coffer_vault coffer_vault;

/** The items of a vault that a program may use. */
typedef struct coffer_keychain coffer_keychain;

/**
 * Opens the vault at a path. If nothing unlocks it, but this machine is a device of it, it is opened locked: only
 * items whose accessibility allows it can be read then. `facts` of COFFER_FACTS_OPENING say what was tried.
 */
coffer_status coffer_vault_open(coffer_bytes path, const coffer_options *options, coffer_vault **vault,
                                coffer_error **error);

/** Creates a vault in a new file, and its directory if needed, protected by the secrets among the options. */
coffer_status coffer_vault_create(coffer_bytes path, const coffer_options *options, coffer_vault **vault,
                                  coffer_error **error);

/** Opens a copy of a vault that lies elsewhere, to merge it: it is neither changed nor remembered. */
coffer_status coffer_vault_open_copy(coffer_bytes path, const coffer_options *options, coffer_vault **vault,
                                     coffer_error **error);

/** Deletes the file of a vault, and what this machine remembers of it. Programs that have it open keep it. */
coffer_status coffer_vault_delete(coffer_bytes path, const coffer_options *options, coffer_error **error);

void coffer_vault_free(coffer_vault *vault);

/** Whether the vault is unlocked. */
bool coffer_vault_is_unlocked(const coffer_vault *vault);

/** Removes the keys of items that are protected while the vault is locked from memory. Does nothing for NULL. */
void coffer_vault_lock(coffer_vault *vault);

/** Unlocks the vault with the secrets among the options. */
coffer_status coffer_vault_unlock(coffer_vault *vault, const coffer_options *options, coffer_error **error);

/** Leaves the keys of the unlocked vault in the kernel keyring, for other processes of the user; at most a day. */
coffer_status coffer_vault_keep_unlocked(coffer_vault *vault, int64_t seconds, coffer_error **error);

/** Removes keys that coffer_vault_keep_unlocked left there. `had_keys` may be NULL. */
coffer_status coffer_vault_stop_keeping_unlocked(coffer_vault *vault, bool *had_keys, coffer_error **error);

/** What coffer_vault_facts returns. */
typedef enum coffer_vault_fact {
    /** One row: `id`, `path`, `groups` (of the grant that opened it, one in each line), `revisions` and `days` (of
     *  history that compaction keeps), `read_only` (why, as text). */
    COFFER_FACTS_VAULT = 0,
    /** A row for each source of secrets that was tried: `source`, `outcome`. */
    COFFER_FACTS_OPENING = 1,
    /** A row for each warning: `warning`. */
    COFFER_FACTS_WARNINGS = 2,
    /** A row for each way to open the vault: `id`, `kind`, `created`, `device`. The kinds are `passphrase`, `key_file`,
     *  `passphrase_and_key_file`, `recovery_code`, `device` and `recipient`. */
    COFFER_FACTS_SLOTS = 3,
    /** A row for each machine that is a device of the vault: `id`, `created`, `is_this_machine`. */
    COFFER_FACTS_DEVICES = 4,
    /** A row for each grant: `id`, `name`, `groups` (one in each line), `created`, `expiry`, `has_expired`. */
    COFFER_FACTS_GRANTS = 5,
} coffer_vault_fact;

/** Returns facts about an open vault. */
coffer_status coffer_vault_facts(const coffer_vault *vault, coffer_vault_fact which, coffer_facts **facts,
                                 coffer_error **error);

/* Maintenance */

/**
 * Tells how far a function has come, from time to time and on its thread; returns false to cancel it. Then the function
 * returns COFFER_CANCELLED, and nothing has changed. `total` is an estimate.
 */
typedef bool (*coffer_progress)(void *context, int64_t done, int64_t total);

/**
 * Reads the whole vault. `facts` has a row for each finding: `kind`, `offset`, `end`, `description`; none if
 * everything is as it should be. The first row also has `items`, the number of items.
 */
coffer_status coffer_vault_verify(coffer_vault *vault, coffer_progress progress, void *context, coffer_facts **facts,
                                  coffer_error **error);

/**
 * Rewrites the vault without what need not be kept. Others can read and write in the meantime. `facts` may be NULL, and
 * has one row: `bytes_before`, `bytes_after`, `dropped_revisions`, `carried_changes`.
 */
coffer_status coffer_vault_compact(coffer_vault *vault, coffer_progress progress, void *context, coffer_facts **facts,
                                   coffer_error **error);

/**
 * Sets how much of the past the vault keeps: past revisions of each item (10 in a new vault), and days (90); -1 for no
 * limit, both 0 for none.
 */
coffer_status coffer_vault_set_history(coffer_vault *vault, int64_t revisions, int64_t days, coffer_error **error);

/**
 * Undoes a merge or another change as a whole. `facts` may be NULL, and has one row: `restored`, `left_alone`, numbers
 * of items.
 */
coffer_status coffer_vault_undo(coffer_vault *vault, uint64_t change, coffer_facts **facts, coffer_error **error);

/**
 * Takes over what a copy of the vault has and this one lacks. The copy is not changed. `facts` may be NULL, and has one
 * row: `added`, `changed`, `deleted`, `conflicts`, `past_revisions`, `openings`, `locked_groups`, `has_other_keys`,
 * `change`, the number for coffer_vault_undo, `left_out`, the number of changes that are not taken over because access
 * was revoked since the copy with them was made, and `kept_path`, the former file of the vault if it had such changes.
 */
coffer_status coffer_vault_merge(coffer_vault *vault, const coffer_vault *copy, coffer_progress progress, void *context,
                                 coffer_facts **facts, coffer_error **error);

/** Returns what coffer_vault_merge would do, without doing it. */
coffer_status coffer_vault_merge_preview(const coffer_vault *vault, const coffer_vault *copy, coffer_facts **facts,
                                         coffer_error **error);

/* Keys */

/** Adds the secrets among the options as further ways to open the vault. */
coffer_status coffer_vault_add_secrets(coffer_vault *vault, const coffer_options *options, coffer_error **error);

/** Makes this machine a device of the vault. */
coffer_status coffer_vault_add_this_machine(coffer_vault *vault, coffer_error **error);

/** What coffer_vault_change_keys does besides. */
typedef enum coffer_key_change {
    COFFER_KEYS_REMOVE_DEVICE = 1,    /**< A device, named by its id, is removed together with its items. */
    COFFER_KEYS_REMOVE_RECIPIENT = 2, /**< The slot of a recipient, named by its id, is removed. */
    COFFER_KEYS_ACCEPT_LOSS = 3,      /**< The items of another device, named by its id, may be lost. */
} coffer_key_change;

/** One thing that coffer_vault_change_keys does besides. */
typedef struct coffer_key_change_option {
    coffer_key_change change;
    coffer_bytes id;
} coffer_key_change_option;

/**
 * Replaces all keys, so that only the secrets among the options open the vault. `facts` may be NULL, and has one row:
 * `resealed`, `carried` and `lost`, numbers of items, and `dropped_revisions`.
 */
coffer_status coffer_vault_change_keys(coffer_vault *vault, const coffer_options *options,
                                       const coffer_key_change_option *changes, size_t change_count,
                                       coffer_progress progress, void *context, coffer_facts **facts,
                                       coffer_error **error);

/* Grants */

/** Whom a grant is for, and what it opens. */
typedef struct coffer_grant {
    coffer_bytes name;          /**< A name that only owners see. */
    const coffer_bytes *groups; /**< The groups; items that name none go to the first one. */
    size_t group_count;
    double expiry;              /**< From when on it opens nothing, in seconds since 1970; 0 for never. */
} coffer_grant;

/** Issues a grant, and writes its credential to a new file that only its owner can read. */
coffer_status coffer_vault_issue_grant(coffer_vault *vault, const coffer_grant *grant, coffer_bytes credential_path,
                                       coffer_error **error);

/** Issues a grant on the request of its recipient. */
coffer_status coffer_vault_issue_requested_grant(coffer_vault *vault, const coffer_grant *grant, coffer_bytes request,
                                                 coffer_error **error);

/**
 * Creates a credential beside a copy of the vault, writes it to a new file, and returns the request that goes to an
 * owner, as text. It opens nothing before the owner has issued the grant.
 */
coffer_status coffer_grant_request(coffer_bytes vault_path, const coffer_options *options, coffer_bytes credential_path,
                                   coffer_secret **request, coffer_error **error);

/** Lets whoever made a request open the whole vault, as an owner. */
coffer_status coffer_vault_add_recipient(coffer_vault *vault, coffer_bytes request, coffer_error **error);

/** Revokes grants, given by their ids, and renews the keys that they held. `facts` as of coffer_vault_change_keys. */
coffer_status coffer_vault_revoke_grants(coffer_vault *vault, const coffer_bytes *ids, size_t id_count,
                                         coffer_progress progress, void *context, coffer_facts **facts,
                                         coffer_error **error);

/* Changes by any program */

/** Notices changes to a vault, from its creation on. */
typedef struct coffer_watch coffer_watch;

coffer_status coffer_vault_watch(coffer_vault *vault, coffer_watch **watch, coffer_error **error);

/**
 * Returns a descriptor that poll and select report as readable once the vault has changed. It belongs to the watch: do
 * not read from or close it.
 */
int coffer_watch_descriptor(const coffer_watch *watch);

/**
 * Waits for a change, for at most `timeout` milliseconds (-1: for ever), and sets `*has_changed`. Changes since the
 * last call count as one. Compare revisions to see which items changed. After COFFER_OK the descriptor is no longer
 * readable until the next change.
 */
coffer_status coffer_watch_next(coffer_watch *watch, int64_t timeout, bool *has_changed, coffer_error **error);

void coffer_watch_free(coffer_watch *watch);

/* ------------------------------------------------------------------------------------------------------------------
 * Keychains
 * --------------------------------------------------------------------------------------------------------------- */

/**
 * Whose items a keychain has. `application` names the program, and is "coffer" if it is empty. Without `groups`, items
 * belong to the group of that name, and the program may name any other. With `groups`, it may use only these; "*" among
 * them stands for all. A query without a group is about all of them. But in a vault that has, or ever had, a grant, whose
 * holder may have stored an item under any name, it is answered by the first group alone; if a grant opened the vault, by
 * the first one that has a match.
 */
typedef struct coffer_identity {
    coffer_bytes application;
    const coffer_bytes *groups;
    size_t group_count;
} coffer_identity;

/**
 * Returns the keychain of a program in a vault that is opened when needed: that of COFFER_OPTION_VAULT, else that of
 * COFFER_VAULT in the environment, else the user's default vault. It is created when something is first stored. This
 * keychain can be used after fork().
 */
coffer_status coffer_keychain_open(const coffer_options *options, const coffer_identity *identity,
                                   coffer_keychain **keychain, coffer_error **error);

/** Returns the keychain of a program in an open vault. */
coffer_status coffer_vault_keychain(coffer_vault *vault, const coffer_identity *identity, coffer_keychain **keychain,
                                    coffer_error **error);

/** Whether the keychain is open and unlocked; in a transaction, whether it was when that began. */
bool coffer_keychain_is_unlocked(const coffer_keychain *keychain);

/** Locks the vault of the keychain. Does nothing for NULL, or in a transaction. */
void coffer_keychain_lock(coffer_keychain *keychain);

/** Frees the keychain. Does nothing for NULL, or for the keychain that a transaction is given, in that transaction. */
void coffer_keychain_free(coffer_keychain *keychain);

/** What the access control of an item demands from the user. */
typedef enum coffer_demand {
    COFFER_DEMAND_PASSPHRASE = 1,   /**< A passphrase of the vault. */
    COFFER_DEMAND_PASSWORD = 2,     /**< The password of the item. */
    COFFER_DEMAND_NEW_PASSWORD = 3, /**< A new password of the item. */
} coffer_demand;

/**
 * Asks the user for what an item demands. `reason` is the rest of a sentence that begins with the name of the program;
 * `wrong_answers` is how often this question was answered wrongly. It runs on a thread of the library while the call
 * waits, for several calls at once. Returns a secret, which the library frees, or NULL if the user declines.
 */
typedef coffer_secret *(*coffer_host)(void *context, coffer_demand demand, coffer_bytes reason, int32_t wrong_answers);

/**
 * Sets the function that asks the user, for the whole process; NULL for none, as it is at first: then calls that need the
 * user fail with COFFER_AUTHENTICATION_REQUIRED.
 */
coffer_status coffer_set_host(coffer_host host, void *context, coffer_error **error);

/* ------------------------------------------------------------------------------------------------------------------
 * Items and queries
 * --------------------------------------------------------------------------------------------------------------- */

/** The class of an item. */
typedef enum coffer_class {
    COFFER_GENERIC_PASSWORD = 1,
    COFFER_INTERNET_PASSWORD = 2,
    COFFER_CERTIFICATE = 3,
    COFFER_KEY = 4,
} coffer_class;

/* Attributes, by Apple's names. All attributes of Apple's keychain can be used, not only these. */
#define COFFER_ACCESS_GROUP "agrp"
#define COFFER_ACCESSIBLE "pdmn"
#define COFFER_ACCESS_CONTROL_NAME "accc"
#define COFFER_ACCOUNT "acct"
#define COFFER_AUTHENTICATION_TYPE "atyp"
#define COFFER_COMMENT "icmt"
#define COFFER_CREATED "cdat"
#define COFFER_DESCRIPTION "desc"
#define COFFER_GENERIC "gena"
#define COFFER_IS_INVISIBLE "invi"
#define COFFER_LABEL "labl"
#define COFFER_MODIFIED "mdat"
#define COFFER_PATH "path"
#define COFFER_PORT "port"
#define COFFER_PROTOCOL "ptcl"
#define COFFER_SECURITY_DOMAIN "sdmn"
#define COFFER_SERVER "srvr"
#define COFFER_SERVICE "svce"
#define COFFER_SYNCHRONIZABLE "sync"
#define COFFER_TYPE "type"

/* What can be asked of a stored item besides. */
#define COFFER_REFERENCE "v_PersistentRef" /* data of 20 bytes that names the item for ever */
#define COFFER_REVISION "revision"         /* text that differs for each change of the item */
#define COFFER_HAS_SECRET "has_secret"     /* a flag; an empty secret is a secret */
#define COFFER_IS_CURRENT "is_current"     /* a flag: whether this is the current revision */
#define COFFER_IS_CONFLICT "is_conflict"   /* a flag: changed or added in another copy, and lost in the merge */
#define COFFER_IS_READABLE "is_readable"   /* a flag: whether the attributes are known, and not locked */
#define COFFER_WRITTEN "written"           /* a date: when a past revision was written */
#define COFFER_ENDED "ended"               /* a date: when a past revision was changed or deleted */

/* What a query can demand besides attributes. */
#define COFFER_HOST_OR_SUBDOMAIN "m_HostOrSubdomainOfHost" /* text: a host that the server equals or is a part of */

/* Values of COFFER_ACCESSIBLE. */
#define COFFER_WHEN_UNLOCKED "ak"
#define COFFER_AFTER_FIRST_UNLOCK "ck"
#define COFFER_ALWAYS "dk"
#define COFFER_WHEN_PASSCODE_SET_THIS_DEVICE_ONLY "akpu"
#define COFFER_WHEN_UNLOCKED_THIS_DEVICE_ONLY "aku"
#define COFFER_AFTER_FIRST_UNLOCK_THIS_DEVICE_ONLY "cku"
#define COFFER_ALWAYS_THIS_DEVICE_ONLY "dku"

/** The attributes of an item, without its secret: of a new one, a stored one, or a past revision. */
typedef struct coffer_item coffer_item;

/** Items that a function found. */
typedef struct coffer_items coffer_items;

/** Conditions that items must meet. */
typedef struct coffer_query coffer_query;

/** Returns an item without attributes; NULL if there is no such class. */
coffer_item *coffer_item_create(coffer_class item_class);

/** Returns a copy, which can be changed without changing the original; NULL for NULL. */
coffer_item *coffer_item_copy(const coffer_item *item);

/** Returns the class of the item; 0 for NULL. */
coffer_class coffer_item_class(const coffer_item *item);

/** Sets an attribute of this copy of the item, or removes it. Store it with one of the functions below. */
coffer_status coffer_item_set(coffer_item *item, const char *name, coffer_value value, coffer_error **error);

/** Returns an attribute, of kind COFFER_NONE if it has none of this name. Its bytes stay until the item is freed. */
coffer_value coffer_item_get(const coffer_item *item, const char *name);

/** Returns the name of the attribute at an index, in a fixed order; NULL if there are no more. */
const char *coffer_item_name(const coffer_item *item, size_t index);

void coffer_item_free(coffer_item *item);

/** Returns the number of items. */
size_t coffer_items_count(const coffer_items *items);

/** Returns an item of its own, which the caller frees; NULL if there are no more. */
coffer_item *coffer_items_at(const coffer_items *items, size_t index);

void coffer_items_free(coffer_items *items);

/** Returns a query for all items of a class that are not synchronizable; NULL if there is no such class. */
coffer_query *coffer_query_create(coffer_class item_class);

/** Adds a condition: an attribute must have a value. The text "syna" for COFFER_SYNCHRONIZABLE stands for both. */
coffer_status coffer_query_set(coffer_query *query, const char *name, coffer_value value, coffer_error **error);

void coffer_query_free(coffer_query *query);

/* ------------------------------------------------------------------------------------------------------------------
 * Reading
 * --------------------------------------------------------------------------------------------------------------- */

/** Returns the items that match, oldest first, at most `limit` (0: all); no items is not an error. */
coffer_status coffer_keychain_find(coffer_keychain *keychain, const coffer_query *query, size_t limit,
                                   coffer_items **items, coffer_error **error);

/** Returns the number of items that match. */
coffer_status coffer_keychain_count(coffer_keychain *keychain, const coffer_query *query, size_t *count,
                                    coffer_error **error);

/** Returns the item with a reference as it is now, or COFFER_NOT_FOUND. */
coffer_status coffer_keychain_item(coffer_keychain *keychain, coffer_bytes reference, coffer_item **item,
                                   coffer_error **error);

/** Returns the secret of a stored item, or of a past revision; sets `*secret` to NULL if it has none. */
coffer_status coffer_keychain_secret(coffer_keychain *keychain, const coffer_item *item, coffer_secret **secret,
                                     coffer_error **error);

/** Returns the secret of the oldest item that matches, or COFFER_NOT_FOUND; NULL if the item has none. */
coffer_status coffer_keychain_find_secret(coffer_keychain *keychain, const coffer_query *query, coffer_secret **secret,
                                          coffer_error **error);

/* ------------------------------------------------------------------------------------------------------------------
 * Passwords by service and account, in one call
 *
 * They are generic passwords, which `coffer get SERVICE ACCOUNT` prints. NULL as the keychain stands for the one that
 * coffer_keychain_open(NULL, NULL, ...) returns, which is opened for the call.
 * --------------------------------------------------------------------------------------------------------------- */

/**
 * Returns the password of an account, or COFFER_NOT_FOUND if it has none. If several items match, the oldest counts, and
 * of those with one name the newest.
 * `coffer_secret_bytes(*password).bytes` is a string of C, unless the password contains a zero byte.
 */
coffer_status coffer_password_get(coffer_keychain *keychain, const char *service, const char *account,
                                  coffer_secret **password, coffer_error **error);

/** Replaces the password that coffer_password_get returns, or adds one. The caller wipes its own copy. */
coffer_status coffer_password_set(coffer_keychain *keychain, const char *service, const char *account,
                                  const char *password, coffer_error **error);

/* ------------------------------------------------------------------------------------------------------------------
 * Changing
 *
 * `now` may be NULL, and is otherwise set to the item as it is stored then.
 * --------------------------------------------------------------------------------------------------------------- */

/** How an item is changed. */
typedef enum coffer_condition {
    COFFER_ALWAYS_CHANGE = 0,
    COFFER_IF_UNCHANGED = 1, /**< Only if the stored item has the revision that was read; else COFFER_CHANGED. */
} coffer_condition;

/** Adds an item, with a secret unless that is NULL. */
coffer_status coffer_keychain_add(coffer_keychain *keychain, const coffer_item *item, const coffer_bytes *secret,
                                  coffer_item **now, coffer_error **error);

/** Adds an item, or changes the secret and the attributes of the one with the same primary key. */
coffer_status coffer_keychain_save(coffer_keychain *keychain, const coffer_item *item, coffer_bytes secret,
                                   coffer_item **now, coffer_error **error);

/**
 * Changes a stored item: the attributes that were set since it was read, and its secret unless that is NULL. Other
 * attributes keep what others may have stored meanwhile.
 */
coffer_status coffer_keychain_update(coffer_keychain *keychain, const coffer_item *item, const coffer_bytes *secret,
                                     coffer_condition condition, coffer_item **now, coffer_error **error);

/** Removes the secret of a stored item, which then has none. */
coffer_status coffer_keychain_remove_secret(coffer_keychain *keychain, const coffer_item *item,
                                            coffer_condition condition, coffer_item **now, coffer_error **error);

/**
 * Deletes a stored item, even if it is locked. Its past can be read, and the item restored, for as long as the vault keeps
 * it: coffer_keychain_erase deletes it for good.
 */
coffer_status coffer_keychain_delete(coffer_keychain *keychain, const coffer_item *item, coffer_condition condition,
                                     coffer_error **error);

/**
 * Deletes a stored item for good, with its past, and writes the vault anew, which only its owner can do. Earlier copies
 * of the file still have the item, and a merge with one brings its past back.
 */
coffer_status coffer_keychain_erase(coffer_keychain *keychain, const coffer_item *item, coffer_error **error);

/** Deletes all items that match, and returns their number unless `count` is NULL. */
coffer_status coffer_keychain_delete_all(coffer_keychain *keychain, const coffer_query *query, size_t *count,
                                         coffer_error **error);

/**
 * Makes several changes with `keychain`, which is only lent: it need not be freed, and must not be used after the
 * function returns. Returns whether the changes are to be kept. The function must return: no exception and no longjmp()
 * may leave it, or any other function that the library calls.
 */
typedef bool (*coffer_transaction)(void *context, coffer_keychain *keychain);

/**
 * Calls `transaction` on this thread, and makes its changes durable together, or abandons them and returns
 * COFFER_CANCELLED. It sees its own changes at once. Other writers wait meanwhile. A function that fails in it changes
 * nothing; the transaction can go on. A keychain of coffer_keychain_open may abandon a transaction and call
 * `transaction` again, if it first has to open its vault again.
 */
coffer_status coffer_keychain_transaction(coffer_keychain *keychain, coffer_transaction transaction, void *context,
                                          coffer_error **error);

/**
 * Returns a new secret in exchange for an old one, which stays until the function returns; the library frees the new
 * one. Returns NULL to keep the old one; then coffer_keychain_refresh returns COFFER_CANCELLED.
 */
typedef coffer_secret *(*coffer_replacement)(void *context, coffer_bytes old);

/**
 * Returns the secret of an item, after replacing it if it is older than `age` seconds. Of all threads and processes of
 * the machine that find it too old, one calls its function; the others wait, for at most `timeout` seconds.
 */
coffer_status coffer_keychain_refresh(coffer_keychain *keychain, const coffer_item *item, double age, double timeout,
                                      coffer_replacement replacement, void *context, coffer_secret **secret,
                                      coffer_error **error);

/* ------------------------------------------------------------------------------------------------------------------
 * History
 * --------------------------------------------------------------------------------------------------------------- */

/** Returns the known revisions of an item, newest first, even if it is deleted. `is_complete` may be NULL. */
coffer_status coffer_keychain_history(coffer_keychain *keychain, const coffer_item *item, coffer_items **revisions,
                                      bool *is_complete, coffer_error **error);

/** Returns the items that matched at a time in the past, in seconds since 1970. `is_complete` may be NULL. */
coffer_status coffer_keychain_find_at(coffer_keychain *keychain, const coffer_query *query, double date,
                                      coffer_items **items, bool *is_complete, coffer_error **error);

/** Returns the last revisions of deleted items that matched. */
coffer_status coffer_keychain_find_deleted(coffer_keychain *keychain, const coffer_query *query, coffer_items **items,
                                           coffer_error **error);

/** Returns the current revisions of the items of a class that have conflicts; their history shows these. */
coffer_status coffer_keychain_conflicts(coffer_keychain *keychain, coffer_class item_class, coffer_items **items,
                                        coffer_error **error);

/** Sets the date from which the history is complete, in seconds since 1970; 0 if nothing was ever dropped. */
coffer_status coffer_keychain_history_start(coffer_keychain *keychain, double *date, coffer_error **error);

/** Restores a past revision, by a new change. */
coffer_status coffer_keychain_restore(coffer_keychain *keychain, const coffer_item *past, coffer_item **now,
                                      coffer_error **error);

/** Undoes the last change of an item, or its deletion, by a new change. */
coffer_status coffer_keychain_undo(coffer_keychain *keychain, const coffer_item *item, coffer_condition condition,
                                   coffer_item **now, coffer_error **error);

/** Ends a conflict by keeping this revision, the current one or a conflict; an item that is not kept is deleted. */
coffer_status coffer_keychain_resolve(coffer_keychain *keychain, const coffer_item *kept, coffer_item **now,
                                      coffer_error **error);

#ifdef __cplusplus
}
#endif

#endif
