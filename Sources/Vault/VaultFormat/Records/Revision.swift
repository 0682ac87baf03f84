internal import CofferBasics
package import VaultCrypto

/// One state of one item.
package struct Revision: Hashable, Sendable {
    package var item: ItemID
    /// 1 or more, less than 2^63; a later revision of the item has a greater number, or the greatest there is.
    package var number: UInt64
    /// Eight random bytes that tell revisions with the same number on two machines apart.
    package var salt: UInt64

    package init(item: ItemID, number: UInt64, salt: UInt64) {
        self.item = item
        self.number = number
        self.salt = salt
    }

    /// The first revision of a new item.
    package init(newItemWith random: some RandomSource) {
        let bytes = random.bytes(24)
        let salt: UInt64 = bytes.span.littleEndian(at: 16)
        self.init(item: ItemID(bytes.span), number: 1, salt: max(salt, 1))
    }

    /// A revision with a fresh salt.
    package init(item: ItemID, number: UInt64, random: some RandomSource) {
        // Zero stands for no revision.
        let salt: UInt64 = random.bytes(8).span.littleEndian(at: 0)
        self.init(item: item, number: number, salt: max(salt, 1))
    }

    /// The revision that a change of this one makes, section 18.5; a skipped number shows that this one had ended.
    package func next(skipping isEnded: Bool = false, random: some RandomSource) -> Revision {
        Revision(item: item, number: min(number + (isEnded ? 2 : 1), Limits.revision - 1), random: random)
    }

    /// Section 8.1: whether a revision, by number and salt, is shown rather than another one of the same item.
    package static func isGreater(
        _ one: (number: UInt64, salt: UInt64),
        than other: (number: UInt64, salt: UInt64)
    ) -> Bool {
        // Salts are compared as bytes, of which the first is the lowest of the number.
        (one.number, one.salt.byteSwapped) > (other.number, other.salt.byteSwapped)
    }

    /// Whether the revision comes before `other`, one of the same item, where revisions are in order.
    package func precedes(_ other: Revision) -> Bool {
        Self.isGreater((other.number, other.salt), than: (number, salt))
    }

    static let byteCount = 32

    package var bytes: [UInt8] { [UInt8](byteCount: Self.byteCount) { append(to: &$0) } }

    /// Appends the 32 bytes.
    func append(to output: inout OutputSpan<UInt8>) {
        item.append(to: &output)
        output.append(littleEndian: number)
        output.append(littleEndian: salt)
    }

    init(from reader: inout ByteReader) throws(Fault) {
        item = try reader.readIdentifier()
        let start = reader.offset
        number = try reader.read()
        guard number > 0, number < Limits.revision else { throw Fault(.badValue, at: start) }
        salt = try reader.read()
    }

    /// The associated data that binds a box to the vault, the revision and the part of the item.
    func associatedData(_ part: ItemPart, _ vault: VaultID) -> InlineArray<68, UInt8> {
        InlineArray { output in
            Label.item.append(to: &output)
            vault.append(to: &output)
            append(to: &output)
            output.append(littleEndian: part.number)
        }
    }

    /// Apple's `sha1` attribute: 20 bytes that change with each revision and reveal nothing.
    package func sha1(vault: VaultID) -> [UInt8] {
        Label.sha1.hash(20, vault.bytes + bytes)
    }
}
