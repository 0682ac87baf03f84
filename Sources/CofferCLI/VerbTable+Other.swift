extension VerbTable {
    /// Verbs about the command itself.
    static let otherVerbs: [Verb] = [.completions, .version, .help]
}
