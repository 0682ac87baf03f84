internal import Coffer
internal import CofferBasics

extension Passphrase {
    /// Whether the passphrase is empty.
    var isEmpty: Bool { withBytes { $0.isEmpty } }

    /// Whether `other` has the same bytes.
    func isSame(as other: Passphrase) -> Bool { withBytes { own in other.withBytes { own.isSame(as: $0) } } }
}

extension Keychain {
    /// A copy of an item's secret; nil if it has none.
    func heldSecret<Item: KeychainItem>(of reference: KeychainReference<Item>) throws -> HeldSecret? {
        try withSecret(of: reference) { bytes in HeldSecret(copying: bytes) }
    }

    /// Whether the item's secret equals `secret`.
    func hasSecret<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ secret: HeldSecret
    ) throws -> Bool {
        HeldSecret.areSame(try heldSecret(of: reference), secret)
    }
}
