/// What an access control is evaluated for.
public enum LAAccessControlOperation: Int, Sendable {
    /// An item is added.
    case createItem
    /// An item is read or changed.
    case useItem
    /// A key is created.
    case createKey
    /// A private key signs.
    case useKeySign
    /// A private key decrypts.
    case useKeyDecrypt
    /// A private key agrees on a secret with another key.
    case useKeyKeyExchange
}
