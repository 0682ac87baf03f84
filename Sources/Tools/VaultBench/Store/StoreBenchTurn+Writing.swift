import Foundation

// Adding to compacted stores, which meanwhile grow by the same items.
extension StoreBenchTurn {
    /// The batches of a turn, and the turns.
    private static let itemsPerBatch = 50
    private static let batches = 24
    private static let itemsPerTransaction = 1000
    private static let transactions = 9
    /// The number of items added in total.
    static let addedItemCount = 2 + 2 * itemsPerBatch * batches + itemsPerTransaction * transactions
    /// Beyond the numbers of existing items and of those whose lookup fails.
    private static let newNumbers = 10_000_000..<1_000_000_000

    mutating func measureWriting() throws {
        let coffer = try CofferSubject(openingIn: place)
        try measureDurableAdds(coffer)
        try measureRelaxedAdds(coffer)
        try measureTransactions(coffer)
        coffer.finish()
    }

    private func subjects(_ coffer: CofferSubject) -> [(any StoreSubject)?] {
        var subjects: [(any StoreSubject)?] = [coffer]
        subjects += databases
        return subjects
    }

    /// Returns items that do not exist yet, with random numbers, so that their keys fall between existing ones.
    private mutating func newItems(_ count: Int) throws -> [PreparedItem] {
        var items: [PreparedItem] = []
        while items.count < count {
            let number = Int.random(in: Self.newNumbers)
            if addedNumbers.insert(number).inserted { items.append(try PreparedItem(number)) }
        }
        return items
    }

    private mutating func measureDurableAdds(_ coffer: CofferSubject) throws {
        let count = Self.itemsPerBatch * Self.batches
        let first = try newItems(2)
        // Prepares everything that is set up on first use; the second frame has no keys and shows the size of one item.
        for store in subjects(coffer) { for index in 0..<2 { try store?.add(first[index...index], isDurable: true) } }
        let frameByteCount = try coffer.lastFrameByteCount()
        let reserved = try RawFile(
            path: "\(place.directory)/reserved",
            byteCount: frameByteCount,
            reservedByteCount: count * frameByteCount
        )
        let growing = try RawFile(path: "\(place.directory)/growing", byteCount: frameByteCount, reservedByteCount: 0)

        let items = try newItems(count)
        var measured: [Measurement.Subject] = [
            .init(name: "into zeros", repetitions: Self.itemsPerBatch) { try reserved.append() },
            .init(name: "growing", repetitions: Self.itemsPerBatch) { try growing.append() },
        ]
        let stores = subjects(coffer)
        for store in stores.compactMap({ $0 }) { measured.append(adding(items, to: store, isDurable: true)) }
        let medians = try Measurement.mediansOfEach(of: measured, turns: Self.batches)
        let columns = columns(medians[2...], stores)
        // If an append takes milliseconds, it hides everything else: the disk is slow, or the machine is busy.
        let isTelling = medians[0] < 1e6
        table.add(
            "durable add of one item",
            columns.map { $0.map { $0 / 1000 } },
            .microseconds,
            aims: isTelling ? [.times(1, of: .faster)] : [],
            panel: .durableAdd
        )
        table.chart.add(.durableAdd, StoreChart.rawAppend, itemCount: itemCount, medians[0] / 1000)
        table.add("  raw append of \(frameByteCount) bytes into zeros", [medians[0] / 1000], .microseconds)
        table.add("  raw append of \(frameByteCount) bytes, file grows", [medians[1] / 1000], .microseconds)
        table.add(
            "  time of the store beyond the append into zeros",
            columns.map { $0.map { ($0 - medians[0]) / 1000 } },
            .microseconds
        )
        table.add(
            "  share of the raw append into zeros\(isTelling ? "" : " (append too slow)")",
            columns.map { $0.map { medians[0] / $0 } },
            .percent,
            aims: isTelling ? [.atLeast(0.85)] : []
        )
        table.add("  share of the raw append, file grows", columns.map { $0.map { medians[1] / $0 } }, .percent)
    }

    private mutating func measureRelaxedAdds(_ coffer: CofferSubject) throws {
        let items = try newItems(Self.itemsPerBatch * Self.batches)
        let stores = subjects(coffer)
        let measured = stores.compactMap { $0 }.map { adding(items, to: $0, isDurable: false) }
        let medians = try Measurement.mediansOfEach(of: measured, turns: Self.batches)
        table.add("relaxed adds of one item", columns(medians[...], stores).map { $0.map { 1e9 / $0 } }, .perSecond)
    }

    private mutating func measureTransactions(_ coffer: CofferSubject) throws {
        let size = Self.itemsPerTransaction
        let items = try newItems(size * Self.transactions)
        let stores = subjects(coffer)
        let measured = stores.compactMap { $0 }.map { store in
            var next = 0
            return Measurement.Subject(name: store.name, repetitions: 1) {
                defer { next += size }
                try store.add(items[next..<next + size], isDurable: true)
            }
        }
        let medians = try Measurement.medians(of: measured, turns: Self.transactions)
        let columns = columns(medians[...], stores).map { $0.map { 1e9 * Double(size) / $0 } }
        // SQLite may be faster with a small table.
        let aims: [StoreTable.Aim] = [.times(3, of: .sqlcipher)] + (itemCount >= 10_000 ? [.times(1, of: .sqlite)] : [])
        table.add("adds in durable transactions of 1,000", columns, .perSecond, aims: aims, panel: .transactions)
    }

    /// Adds items one after another, each in its own transaction.
    private func adding(
        _ items: [PreparedItem],
        to store: any StoreSubject,
        isDurable: Bool
    ) -> Measurement.Subject {
        var next = 0
        return .init(name: store.name, repetitions: Self.itemsPerBatch) {
            defer { next += 1 }
            try store.add(items[next...next], isDurable: isDurable)
        }
    }

    /// Returns the medians of the available stores, each in its column.
    private func columns(_ medians: ArraySlice<Double>, _ stores: [(any StoreSubject)?]) -> [Double?] {
        var medians = medians
        return stores.map { $0 == nil ? nil : medians.popFirst() }
    }
}

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
