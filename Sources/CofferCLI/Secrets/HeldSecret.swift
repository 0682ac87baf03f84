internal import Coffer
package import CofferBasics

/// A secret that can be part of other things.
package final class HeldSecret {
    package let bytes: SecretBuffer

    init(buffer: consuming SecretBuffer) {
        bytes = buffer
    }

    /// A secret with these bytes.
    package convenience init(copying bytes: Span<UInt8>) {
        self.init(buffer: SecretBuffer(copying: bytes))
    }

    /// Whether both are the same bytes, or both are none.
    static func areSame(_ one: HeldSecret?, _ other: HeldSecret?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return one.bytes.withSpan { one in other.bytes.withSpan { one.isSame(as: $0) } }
    }
}

/// A secret that is put together byte by byte.
final class GrowingSecret {
    private var buffer = SecretBuffer(byteCount: 256)
    private var byteCount = 0

    /// Adds a byte.
    func append(_ byte: UInt8) {
        if byteCount == buffer.byteCount { buffer.grow(to: byteCount * 4) }
        buffer.withMutableSpan { $0[byteCount] = byte }
        byteCount += 1
    }

    /// Adds bytes.
    func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    /// What there is.
    var held: HeldSecret { buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) } }
}

extension Passphrase {
    /// Whether there is nothing in it.
    var isEmpty: Bool { withBytes { $0.isEmpty } }

    /// Whether the other one has the same bytes.
    func isSame(as other: Passphrase) -> Bool { withBytes { own in other.withBytes { own.isSame(as: $0) } } }
}

extension Keychain {
    /// A copy of the secret of an item; nil if it has none.
    func heldSecret<Item: KeychainItem>(of reference: KeychainReference<Item>) throws -> HeldSecret? {
        try withSecret(of: reference) { bytes in HeldSecret(copying: bytes) }
    }

    /// Whether the secret of an item is this one.
    func hasSecret<Item: KeychainItem>(
        _ reference: KeychainReference<Item>,
        _ secret: HeldSecret
    ) throws -> Bool {
        HeldSecret.areSame(try heldSecret(of: reference), secret)
    }
}
