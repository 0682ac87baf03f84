/// All verbs, in the order of the help.
///
/// Help, manual and completions are made from it.
package enum VerbTable {
    /// The names of all verbs.
    package static var names: [String] { verbs.map(\.name) }

    static let verbs =
        itemVerbs + pastVerbs + vaultVerbs + lookingVerbs + runningVerbs + macOSVerbs + otherVerbs

    /// The verb that the first words name, and how many words that are.
    static func verb(of words: [String]) -> (verb: Verb, wordCount: Int)? {
        for count in [2, 1] where words.count >= count {
            let name = words.prefix(count).joined(separator: " ")
            if let verb = verbs.first(where: { $0.name == name }) { return (verb, count) }
        }
        return nil
    }

    /// The verb whose name is nearest to `word`, if any is near.
    static func suggestion(for word: String) -> String? {
        word.nearest(in: verbs.map(\.name))
    }
}

extension VerbTable {
    /// Verbs that deal with items as they are.
    private static let itemVerbs: [Verb] = [.set, .get, .show, .list, .remove, .generate]

    /// Verbs that deal with what items were.
    private static let pastVerbs: [Verb] = [.history, .undo, .restore, .purge]

    /// Verbs that deal with vaults and what opens them.
    private static let vaultVerbs: [Verb] = [
        .initialize, .unlock, .lock, .passwd, .slotAdd, .slotList, .slotRemove, .compact, .salvage,
    ]

    /// Verbs that look into things.
    private static let lookingVerbs: [Verb] = [.info, .stats, .doctor, .inspect, .verify, .watch, .entitlementsCheck]

    /// Verbs that other programs run, or that run other programs.
    private static let runningVerbs: [Verb] = [.exec, .gitCredential, .dockerCredential, .askpass]

    /// Verbs that are called as in macOS `security`.
    private static let macOSVerbs: [Verb] = [
        .addGenericPassword, .findGenericPassword, .deleteGenericPassword, .addInternetPassword, .findInternetPassword,
        .deleteInternetPassword, .dumpKeychain, .createKeychain, .deleteKeychain, .lockKeychain, .unlockKeychain,
        .setKeychainPassword, .showKeychainInfo, .listKeychains, .defaultKeychain, .error,
    ]

    /// Verbs about the command itself.
    private static let otherVerbs: [Verb] = [.completions, .version, .help]
}
