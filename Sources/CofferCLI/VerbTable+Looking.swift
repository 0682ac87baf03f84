extension VerbTable {
    /// Verbs that look into things.
    static let lookingVerbs: [Verb] = [.info, .inspect, .verify, .entitlementsCheck]
}
