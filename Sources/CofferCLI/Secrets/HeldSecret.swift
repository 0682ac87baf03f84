internal import Coffer
package import CofferBasics

/// A secret in wiped memory, as an object that other values can hold.
package final class HeldSecret {
    package let bytes: SecretBuffer

    init(buffer: consuming SecretBuffer) {
        bytes = buffer
    }

    /// Copies `bytes`.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(buffer: SecretBuffer(copying: bytes))
    }

    /// Whether both have the same bytes, or both are nil.
    static func areSame(_ one: HeldSecret?, _ other: HeldSecret?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.bytes.withSpan { one in other.bytes.withSpan { one.isSame(as: $0) } }
    }
}

/// A secret that is built byte by byte.
final class SecretBuilder {
    private var buffer = SecretBuffer(byteCount: 256)
    private var byteCount = 0

    /// Appends a byte.
    func append(_ byte: UInt8) {
        if byteCount == buffer.byteCount { buffer.grow(to: byteCount * 4) }
        buffer.withMutableSpan { $0[byteCount] = byte }
        byteCount += 1
    }

    /// Appends bytes.
    func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// The bytes so far.
    var held: HeldSecret { buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) } }
}

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
