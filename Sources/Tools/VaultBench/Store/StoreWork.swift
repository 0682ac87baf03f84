import Foundation
import VaultStore

/// One kind of work, repeated on a vault that persists, for a profiler or to count its instructions.
struct StoreWork {
    enum Kind: String, CaseIterable {
        /// Creates the vault that the other kinds work on, and compacts it.
        case fill
        case add
        case addMany = "add-many"
        case lookup
        case absent
        case attributes
        case open
        /// Writes the index of the log.
        case index
        case compact
        case rotate

        /// How often the work is repeated, unless the arguments say otherwise.
        var usualCount: Int {
            switch self {
            case .fill, .index, .rotate: 1
            case .add: 3000
            case .addMany: 40
            case .lookup, .absent, .attributes: 400_000
            case .open: 100
            case .compact: 5
            }
        }
    }

    private static let itemsPerTransaction = 1000

    private let kind: Kind
    private let place: StorePlace
    private let itemCount: Int
    private let count: Int

    /// Takes `KIND DIRECTORY ITEMS [COUNT]`; the directory must exist.
    init?(arguments: [String]) {
        guard 3...4 ~= arguments.count, let kind = Kind(rawValue: arguments[0]), let itemCount = Int(arguments[2]),
            let count = arguments.count == 4 ? Int(arguments[3]) : kind.usualCount, itemCount > 0, count >= 0
        else { return nil }
        self.kind = kind
        place = StorePlace(directory: arguments[1])
        self.itemCount = itemCount
        self.count = count
    }

    func run() throws {
        switch kind {
        case .fill:
            let subject = try CofferSubject(creatingIn: place, indexing: .never)
            try subject.load(0..<itemCount)
            try subject.compact()
        case .add: try add(itemsPerTransaction: 1)
        case .addMany: try add(itemsPerTransaction: Self.itemsPerTransaction)
        case .lookup: try repeatWithKeys(from: 0) { subject, key in _ = try subject.secretByteCount(of: key) }
        // Beyond the items that `add` adds.
        case .absent: try repeatWithKeys(from: 1_000_000_000) { subject, key in _ = try subject.contains(key) }
        case .attributes: try repeatWithKeys(from: 0) { subject, key in _ = try subject.attributeCount(of: key) }
        case .open:
            let key = try PreparedItem(itemCount / 2)
            for _ in 0..<count { _ = try subject.secretByteCount(of: key) }
        case .index: try subject.finish()
        case .compact:
            let subject = try subject
            for _ in 0..<count { try subject.compact() }
        case .rotate: try subject.rotate()
        }
    }

    /// The vault, opened anew; its log is indexed only on request, so that the same work takes the same instructions.
    private var subject: CofferSubject {
        get throws { try CofferSubject(openingIn: place, indexing: .never) }
    }

    /// Adds items that are new in every run, `count` times as many as a transaction has.
    private func add(itemsPerTransaction: Int) throws {
        let subject = try subject
        // Numbers of the same length, so that the items of all runs have the same size.
        let first = Int.random(in: 400_000_000..<900_000_000)
        let addedCount = count * itemsPerTransaction
        // The same number for a small and a larger count, so that their difference is the cost of adding alone.
        let items = try (0..<max(itemCount, addedCount)).map { try PreparedItem(first + $0) }
        for start in stride(from: 0, to: addedCount, by: itemsPerTransaction) {
            try subject.add(items[start..<start + itemsPerTransaction], isDurable: true)
        }
    }

    /// Calls `body` with the items whose numbers start at `first`, as many as the vault has, in mixed order.
    private func repeatWithKeys(from first: Int, _ body: (CofferSubject, PreparedItem) throws -> Void) throws {
        let subject = try subject
        // A prime number as the distance reaches all items.
        let keys = try (0..<min(itemCount, 20_000)).map { try PreparedItem(first + $0 * 7919 % itemCount) }
        for index in 0..<count { try body(subject, keys[index % keys.count]) }
    }
}
