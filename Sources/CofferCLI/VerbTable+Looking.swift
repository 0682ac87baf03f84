extension VerbTable {
    /// Verbs that look into things.
    static let lookingVerbs: [Verb] = [.info, .stats, .inspect, .verify, .watch, .entitlementsCheck]
}
