extension VerbTable {
    /// Verbs that look into things.
    static let lookingVerbs: [Verb] = [.info, .stats, .doctor, .inspect, .verify, .watch, .entitlementsCheck]
}
