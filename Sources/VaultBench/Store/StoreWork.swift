import Foundation

/// One kind of work, repeated on a vault that persists, for use with a profiler.
struct StoreWork {
    enum Kind: String, CaseIterable {
        /// Creates the vault that the other kinds work on, and compacts it.
        case fill
        case add
        case addMany = "add-many"
        case lookup
        case open
        case compact
        case rotate
    }

    private let kind: Kind
    private let place: StorePlace
    private let itemCount: Int

    /// Takes `KIND DIRECTORY ITEMS`; the directory must exist.
    init?(arguments: [String]) {
        guard arguments.count == 3, let kind = Kind(rawValue: arguments[0]), let itemCount = Int(arguments[2]),
            itemCount > 0
        else { return nil }
        self.kind = kind
        place = StorePlace(directory: arguments[1])
        self.itemCount = itemCount
    }

    func run() throws {
        switch kind {
        case .fill:
            let subject = try CofferSubject(creatingIn: place)
            try subject.load(0..<itemCount)
            try subject.compact()
        case .add: try add(3000, itemsPerTransaction: 1)
        case .addMany: try add(40_000, itemsPerTransaction: 1000)
        case .lookup:
            let subject = try CofferSubject(openingIn: place)
            let keys = try (0..<20_000).map { _ in try PreparedItem(.random(in: 0..<itemCount)) }
            for _ in 0..<20 { for key in keys { _ = try subject.secretByteCount(of: key) } }
        case .open:
            let key = try PreparedItem(.random(in: 0..<itemCount))
            for _ in 0..<100 { _ = try CofferSubject(openingIn: place).secretByteCount(of: key) }
        case .compact:
            let subject = try CofferSubject(openingIn: place)
            for _ in 0..<5 { try subject.compact() }
        case .rotate: try CofferSubject(openingIn: place).rotate()
        }
    }

    /// Adds items that are new in every run.
    private func add(_ count: Int, itemsPerTransaction: Int) throws {
        let subject = try CofferSubject(openingIn: place)
        let first = Int.random(in: 1_000_000..<1_000_000_000)
        let items = try (first..<first + count).map(PreparedItem.init)
        for start in stride(from: 0, to: count, by: itemsPerTransaction) {
            try subject.add(items[start..<start + itemsPerTransaction], isDurable: true)
        }
    }
}
