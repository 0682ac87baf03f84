/// All verbs, in the order of the help.
///
/// Help, manual and completions are generated from it.
package enum VerbTable {
    /// The names of all verbs.
    package static var names: [String] { verbs.map(\.name) }

    static let verbs =
        itemVerbs + certificateVerbs + historyVerbs + vaultVerbs + fleetVerbs + inspectionVerbs + programVerbs
        + macOSVerbs
        + otherVerbs

    /// The verb that the first one or two words name, and how many words its name has.
    static func verb(of words: [String]) -> (verb: Verb, wordCount: Int)? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let verb = verbs.first(where: { $0.name == name }) { return (verb, count) }
        }
        return nil
    }

    /// The verbs whose first word is `word`, if it is not a verb itself: its subcommands.
    static func subcommands(of word: String) -> [Verb] { verbs.filter { $0.name.hasPrefix(word + " ") } }

    /// The name of the verb closest to `word`, if any is close.
    static func suggestion(for word: String) -> String? {
        otherWords[word] ?? word.nearest(in: verbs.map(\.name))
    }
}

extension VerbTable {
    /// What other programs call our verbs.
    private static let otherWords = [
        "add": "set", "insert": "set", "store": "set", "put": "set", "ls": "list", "delete": "rm", "remove": "rm",
        "del": "rm", "search": "find", "grep": "find", "copy": "get --clip", "totp": "otp", "tui": "browse",
        "log": "history",
    ]

    /// Verbs for items.
    private static let itemVerbs: [Verb] = [
        .browse, .set, .get, .show, .list, .find, .edit, .remove, .generate, .otp,
    ]

    /// Verbs for certificates and keys, with the options of macOS `security`.
    private static let certificateVerbs: [Verb] = [.importFile, .exportItems]

    /// Verbs for the history of items.
    private static let historyVerbs: [Verb] = [.history, .undo, .restore, .conflicts, .purge]

    /// Verbs for vaults and what opens them.
    private static let vaultVerbs: [Verb] = [
        .initialize, .unlock, .lock, .passwd, .slotAdd, .slotList, .slotRemove, .grantIssue, .grantList,
        .grantRevoke, .grantKey, .merge, .sync, .clone, .backup, .compact, .salvage,
    ]

    /// Verbs for vaults that machines share.
    private static let fleetVerbs: [Verb] = [.fleetInit, .fleetJoin, .fleetStatus, .fleetFollow, .fleetLeave]

    /// Verbs for inspection and diagnosis.
    private static let inspectionVerbs: [Verb] = [
        .info, .stats, .audit, .doctor, .inspect, .map, .verify, .watch, .entitlementsInit, .entitlementsAdd,
        .entitlementsCheck,
    ]

    /// Verbs that run other programs or are run by them.
    private static let programVerbs: [Verb] = [
        .exec, .swift, .gitCredential, .dockerCredential, .cargoCredential, .awsCredential, .kubectlCredential,
        .mergeDriver, .askpass,
    ]

    /// Verbs with the interface of macOS `security`.
    private static let macOSVerbs: [Verb] = [
        .addGenericPassword, .findGenericPassword, .deleteGenericPassword, .addInternetPassword, .findInternetPassword,
        .deleteInternetPassword, .findCertificate, .findIdentity, .verifyCertificate, .dumpKeychain, .createKeychain,
        .deleteKeychain, .lockKeychain, .unlockKeychain,
        .setKeychainPassword, .showKeychainInfo, .listKeychains, .defaultKeychain, .error,
    ]

    /// Verbs about the command itself.
    private static let otherVerbs: [Verb] = [.completions, .version, .help]
}
