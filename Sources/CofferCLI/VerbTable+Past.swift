extension VerbTable {
    /// Verbs that deal with what items were.
    static let pastVerbs: [Verb] = [.history, .undo, .restore, .purge]
}
