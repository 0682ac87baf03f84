internal import VaultFormat
internal import VaultStore

/// What a search found, and whether it came across damaged items.
///
/// Damaged items are left out. If there are no others, the damage is thrown, so that they are not taken for missing.
struct SearchOutcome<Element> {
    private(set) var found: [Element] = []
    private var damage: StoreError?

    /// Adds the result of `read` for an item, unless the item is damaged.
    mutating func add(_ read: () throws -> Element) throws {
        do {
            found.append(try read())
        } catch let error as StoreError where error.isDamageOfAnItem {
            leaveOut(error)
        }
    }

    /// Records that an item was left out because it is damaged.
    mutating func leaveOut(_ error: StoreError) { if damage == nil { damage = error } }

    /// Whether nothing was left out.
    var isComplete: Bool { damage == nil }

    /// Returns what was found; throws if that is nothing.
    func elements() throws -> [Element] {
        guard try !list().isEmpty else { throw KeychainError.itemNotFound }
        return found
    }

    /// Returns what was found, which may be nothing; throws if anything was left out.
    func all() throws -> [Element] {
        if let damage { throw damage }
        return found
    }

    /// Returns what was found, which may be nothing; throws if that is because of damage.
    func list() throws -> [Element] {
        if found.isEmpty, let damage { throw damage }
        return found
    }
}

extension SearchOutcome: Sendable where Element: Sendable {}

extension StoreError {
    /// Whether the attributes or the data of one item are damaged, while other items may be intact.
    var isDamageOfAnItem: Bool {
        switch self {
        // The machine failed, not the item.
        case .invalidItem(_, .cipher): false
        case .invalidItem, .vault(.snapshotFailure, _): true
        default: false
        }
    }

    /// Whether the item is intact, and its keys are not at hand.
    var isLocked: Bool { if case .locked = self { true } else { false } }

    /// Whether this one item is damaged, rather than a page, which affects more.
    var isDamageOfOneItem: Bool { if case .invalidItem = self { isDamageOfAnItem } else { false } }
}
