/// All verbs, in the order of the help.
///
/// Help, manual and completions are generated from it.
package enum VerbTable {
    /// The names of all verbs.
    package static var names: [String] { verbs.map(\.name) }

    /// The first word of the verbs of macOS, and the name of a link to the program that has only them.
    static let security = "security"

    static let verbs: [Verb] = [
        .browse, .set, .get, .show, .list, .find, .edit, .remove, .generate, .otp,
        .importFile, .exportItems,
        .history, .undo, .restore, .purge,
        .initialize, .unlock, .lock, .passwd, .slotAdd, .slotList, .slotRemove, .grantIssue, .grantList,
        .grantRevoke, .grantKey, .compact, .salvage,
        .merge, .sync, .clone, .backup, .conflicts, .mergeDriver,
        .fleetInit, .fleetJoin, .fleetStatus, .fleetFollow, .fleetLeave,
        .exec, .swift, .gitCredential, .dockerCredential, .cargoCredential, .awsCredential, .kubectlCredential,
        .askpass,
        .info, .stats, .audit, .doctor, .inspect, .map, .verify, .watch, .entitlementsInit, .entitlementsAdd,
        .entitlementsCheck,
        .addGenericPassword, .findGenericPassword, .deleteGenericPassword, .addInternetPassword, .findInternetPassword,
        .deleteInternetPassword, .findCertificate, .findIdentity, .verifyCertificate, .dumpKeychain, .createKeychain,
        .deleteKeychain, .lockKeychain, .unlockKeychain, .setKeychainPassword, .showKeychainInfo, .listKeychains,
        .defaultKeychain, .error,
        .completions, .version, .help,
    ]

    /// The verbs that people use daily, which the help shows first.
    static let dailyVerbs: [Verb] = [
        .browse, .set, .get, .list, .find, .edit, .remove, .generate, .history, .undo, .initialize, .unlock, .sync,
        .backup, .exec, .doctor,
    ]

    /// The verb that the first one or two words name, or the first one after `security`, and how many name it.
    static func verb(of words: [String], ofSecurity: Bool = false) -> (verb: Verb, wordCount: Int)? {
        if !ofSecurity {
            for count in [2, 1] where words.count >= count {
                let name = words.prefix(count).joined(separator: " ")
                if let verb = (verbs + [.complete]).first(where: { $0.name == name }) { return (verb, count) }
            }
        }
        // Scripts still name these without the word `security`.
        let verbs = subcommands(of: security) + [.help]
        return verbs.first { $0.lastWord == words.first }.map { ($0, 1) }
    }

    /// The verbs whose first word is `word`, if it is not a verb itself: its subcommands.
    static func subcommands(of word: String) -> [Verb] {
        let own = verbs.filter { $0.name.hasPrefix(word + " ") }
        // These have the options of macOS too.
        return word == security ? own + [.importFile, .exportItems] : own
    }

    /// The name of the verb closest to `word`, if any is close.
    static func suggestion(for word: String) -> String? {
        if let other = otherWords[word] { return other }
        let names = verbs.map { $0.topic == .macOS ? $0.lastWord : $0.name }
        return word.nearest(in: names).flatMap { verb(of: [$0])?.verb.name }
    }

    /// What other programs call our verbs.
    private static let otherWords = [
        "add": "set", "insert": "set", "store": "set", "put": "set", "ls": "list", "delete": "rm", "remove": "rm",
        "del": "rm", "search": "find", "grep": "find", "copy": "get --clip", "totp": "otp", "tui": "browse",
        "log": "history",
    ]
}
