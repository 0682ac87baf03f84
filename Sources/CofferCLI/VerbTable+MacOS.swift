extension VerbTable {
    /// Verbs that are called as in macOS `security`.
    static let macOSVerbs: [Verb] = []
}
