import Foundation

// Lookups in compacted stores with random keys, after everything has been done once.
extension StoreBenchTurn {
    private static let keysPerTurn = 500
    private static let turns = 41

    func measureReading() throws {
        let coffer = try CofferSubject(openingIn: place)
        let lookup = "lookup by primary key, with secret"
        try measure(lookup, coffer, keys, aim: .times(1.25, of: .faster), panel: .lookup) { subject, key in
            try subject.secretByteCount(of: key) == StoreItem.secretByteCount
        }
        try measure("lookup by primary key, without secret", coffer, keys) { subject, key in try subject.contains(key) }
        let absent = "lookup of missing items"
        try measure(absent, coffer, absentKeys, aim: .times(1.5, of: .faster), panel: .absent) { subject, key in
            try !subject.contains(key)
        }
        let query = "query by service, 4 results"
        try measure(query, coffer, keys, aim: .times(1.25, of: .faster), panel: .service) { subject, key in
            try subject.count(ofService: key) == StoreItem.itemsPerService
        }
        let attributes = "lookup and all attributes"
        try measure(attributes, coffer, keys, aim: .times(1, of: .sqlite), panel: .attributes) { subject, key in
            try subject.attributeCount(of: key) >= 6
        }
    }

    /// Adds a line with the rate of `work` per second; `work` returns whether the answer is right.
    private func measure(
        _ name: String,
        _ coffer: CofferSubject,
        _ keys: [PreparedItem],
        aim: StoreTable.Aim? = nil,
        panel: StoreChart.Panel? = nil,
        _ work: @escaping (any StoreSubject, PreparedItem) throws -> Bool
    ) throws {
        var stores: [(any StoreSubject)?] = [coffer]
        stores += databases
        let subjects = stores.compactMap { $0 }
        // Prepares everything that is set up on first use, and fills the caches.
        for subject in subjects { for key in keys { try check(work(subject, key)) } }
        let medians = try Measurement.medians(
            of: subjects.map { subject in
                var next = 0
                return .init(name: subject.name, repetitions: Self.keysPerTurn) {
                    next = (next + 1) % keys.count
                    try check(work(subject, keys[next]))
                }
            },
            turns: Self.turns
        )
        var rest = medians[...]
        let columns = stores.map { store in store == nil ? nil : rest.popFirst().map { 1e9 / $0 } }
        table.add(name, columns, .perSecond, aims: aim.map { [$0] } ?? [], panel: panel)
    }

    private func check(_ isRight: Bool) throws {
        guard isRight else { throw CocoaError(.fileReadCorruptFile) }
    }
}
