/// All verbs, in the order of the help.
///
/// Help, manual and completions are generated from it.
package enum VerbTable {
    /// The names of all verbs.
    package static var names: [String] { verbs.map(\.name) }

    /// The names that verbs had, each with the name of the verb.
    package static var formerCalls: [(former: String, now: String)] { formerNames.map { ($0.name, $0.verb.name) } }

    /// The first word of the verbs of macOS, and the name of a link to the program that has only them.
    static let security = "security"

    static let verbs: [Verb] = [
        .browse, .set, .get, .show, .open, .list, .find, .edit, .move, .remove, .generate, .otp,
        .importFile, .exportItems,
        .history, .undo, .purge,
        .initialize, .unlock, .lock, .passwd, .keyAdd, .keyList, .keyRemove, .grantIssue, .grantList,
        .grantRevoke, .grantKey, .compact, .salvage,
        .sync, .backup, .conflicts,
        .fleetInit, .fleetJoin, .fleetStatus, .fleetFollow, .fleetLeave,
        .exec, .inject, .swift, .gitHelper, .dockerHelper, .cargoHelper, .awsHelper, .kubectlHelper, .askpassHelper,
        .mergeHelper,
        .status, .doctor, .verify, .audit, .entitlements,
        .addGenericPassword, .findGenericPassword, .deleteGenericPassword, .addInternetPassword, .findInternetPassword,
        .deleteInternetPassword, .findCertificate, .findIdentity, .verifyCertificate, .dumpKeychain, .createKeychain,
        .deleteKeychain, .lockKeychain, .unlockKeychain, .setKeychainPassword, .showKeychainInfo, .listKeychains,
        .defaultKeychain, .error,
        .completions, .help,
    ]

    /// A name that a verb had: scripts use it, and neither help nor completion offers it.
    struct FormerName: Sendable {
        let name: String
        let verb: Verb
        /// The operands that the verb took under this name, if it takes others now.
        var operands: [Verb.Operand]?
        /// The options with which the verb does what it did under this name.
        var options: [Option] = []

        /// What is to be written now.
        var call: String { (["coffer", verb.name] + options.map { $0.names[0] }).joined(separator: " ") }
    }

    static let formerNames: [FormerName] = [
        FormerName(name: "info", verb: .status, options: [.details]),
        FormerName(name: "stats", verb: .status, options: [.space]),
        FormerName(name: "inspect", verb: .status, options: [.withoutKey]),
        FormerName(name: "map", verb: .status, options: [.map]),
        FormerName(name: "watch", verb: .list, options: [.watch]),
        FormerName(name: "restore", verb: .undo),
        FormerName(name: "merge", verb: .sync, options: [.take]),
        FormerName(name: "clone", verb: .sync, options: [.first]),
        FormerName(name: "merge-driver", verb: .mergeHelper),
        FormerName(name: "slot add", verb: .keyAdd),
        FormerName(name: "slot list", verb: .keyList),
        FormerName(name: "slot remove", verb: .keyRemove),
        FormerName(name: "git-credential", verb: .gitHelper),
        FormerName(name: "docker-credential", verb: .dockerHelper),
        FormerName(name: "cargo-credential", verb: .cargoHelper),
        FormerName(name: "aws-credential", verb: .awsHelper),
        FormerName(name: "kubectl-credential", verb: .kubectlHelper),
        FormerName(name: "askpass", verb: .askpassHelper),
        FormerName(name: "entitlements init", verb: .entitlements, options: [.newEntitlements]),
        FormerName(
            name: "entitlements add",
            verb: .entitlements,
            operands: [Verb.Operand(name: "GROUP", presence: .needed), Verb.Operand(name: "GROUP", presence: .rest)],
            options: [.addedGroup]
        ),
        FormerName(
            name: "entitlements check",
            verb: .entitlements,
            operands: [Verb.Operand(name: "FILE", presence: .needed)]
        ),
        FormerName(name: "version", verb: .help, options: [.version]),
    ]

    /// What the verbs with the same first word do, which the help lists as one.
    static let families = [
        "key": "Add, list or remove what opens a vault: passphrases, codes, machines",
        "grant": "Let a program use some groups of a vault",
        "fleet": "Share a vault with other machines",
        "helper": "Answer git, docker, cargo, AWS programs, kubectl, ssh and sudo",
        security: "Do what this verb of macOS security(1) does",
    ]

    /// A verb, what it was called if that is no longer its name, and how many words name it.
    typealias Named = (verb: Verb, formerName: FormerName?, wordCount: Int)

    /// The verb that the first one or two words name, or the first one after `security`.
    static func named(_ words: [String], ofSecurity: Bool = false) -> Named? {
        if !ofSecurity {
            for count in [2, 1] where words.count >= count {
                let name = words.prefix(count).joined(separator: " ")
                if let verb = (verbs + [.complete]).first(where: { $0.name == name }) { return (verb, nil, count) }
                if let former = formerNames.first(where: { $0.name == name }) { return (former.verb, former, count) }
            }
        }
        // Scripts still name these without the word `security`.
        let verbs = subcommands(of: security) + [.help]
        guard let verb = verbs.first(where: { $0.lastWord == words.first }) else { return nil }
        return (verb, nil, 1)
    }

    /// The verbs whose first word is `word`, if it is not a verb itself: its subcommands.
    static func subcommands(of word: String) -> [Verb] {
        var own = verbs.filter { $0.name.hasPrefix(word + " ") }
        if own.isEmpty { own = formerNames.filter { $0.name.hasPrefix(word + " ") }.map(\.verb) }
        // These have the options of macOS too.
        return word == security ? own + [.importFile, .exportItems] : own
    }

    /// The name of the verb, or the first word of several, that is closest to `word`, if any is close.
    static func suggestion(for word: String, ofSecurity: Bool = false) -> String? {
        if let other = otherWords[word] { return other }
        let names = verbs.map { $0.topic == .macOS ? $0.lastWord : $0.name }
        let groups = ofSecurity ? [] : verbs.filter { $0.name != $0.lastWord }.map(\.firstWord)
        return word.nearest(in: names + groups).map { named([$0])?.verb.name ?? $0 }
    }

    /// What other programs call our verbs.
    private static let otherWords = [
        "add": "set", "insert": "set", "store": "set", "put": "set", "ls": "list", "delete": "rm", "remove": "rm",
        "del": "rm", "search": "find", "grep": "find", "copy": "get --clip", "totp": "otp", "tui": "browse",
        "log": "history",
    ]
}
