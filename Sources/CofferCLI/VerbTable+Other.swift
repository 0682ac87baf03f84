extension VerbTable {
    /// Verbs about the command itself.
    static let otherVerbs: [Verb] = [.version, .help]
}
