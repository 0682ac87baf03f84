extension VerbTable {
    /// Verbs that deal with items as they are.
    static let itemVerbs: [Verb] = [.set, .get, .show, .list, .remove, .generate]
}
