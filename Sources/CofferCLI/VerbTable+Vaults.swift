extension VerbTable {
    /// Verbs that deal with vaults and what opens them.
    static let vaultVerbs: [Verb] = [
        .initialize, .unlock, .lock, .passwd, .slotAdd, .slotList, .slotRemove, .compact, .salvage,
    ]
}
