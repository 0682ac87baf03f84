extension VerbTable {
    /// Verbs that other programs run, or that run other programs.
    static let runningVerbs: [Verb] = [.exec, .gitCredential, .dockerCredential, .askpass]
}
