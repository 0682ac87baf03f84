internal import VaultFormat
internal import VaultStore

/// What a search found, and whether it met what is damaged.
///
/// What is damaged is left out. Where it is all there is, nobody may take it for absent: the error says what is wrong.
struct SearchOutcome<Element> {
    private(set) var found: [Element] = []
    private var damage: StoreError?

    /// Adds what `read` makes of an item, unless that is damaged.
    mutating func add(_ read: () throws(StoreError) -> Element) throws(KeychainError) {
        do throws(StoreError) {
            found.append(try read())
        } catch {
            guard error.isDamageOfAnItem else { throw KeychainError(error) }
            leaveOut(error)
        }
    }

    /// Notes that something was left out because it is damaged.
    mutating func leaveOut(_ error: StoreError) { if damage == nil { damage = error } }

    /// Whether nothing was left out.
    var isWhole: Bool { damage == nil }

    /// What was found; throws if that is nothing.
    func elements() throws(KeychainError) -> [Element] {
        guard try !list().isEmpty else { throw .itemNotFound }
        return found
    }

    /// What was found, which may be nothing; throws if that is because of damage.
    func list() throws(KeychainError) -> [Element] {
        if found.isEmpty, let damage { throw KeychainError(damage) }
        return found
    }
}

extension SearchOutcome: Sendable where Element: Sendable {}

extension StoreError {
    /// Whether who read the attributes or the data of one item has found them damaged, and others may be whole.
    var isDamageOfAnItem: Bool {
        switch self {
        // The machine failed, not the item.
        case .invalidItem(_, .cipher): false
        case .invalidItem, .vault(.snapshotFailure, _): true
        default: false
        }
    }
}
