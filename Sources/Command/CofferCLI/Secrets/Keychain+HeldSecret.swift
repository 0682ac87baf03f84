internal import Coffer
internal import CofferBasics

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
        try heldSecret(of: reference) == secret
    }
}
