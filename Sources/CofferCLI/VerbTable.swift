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
