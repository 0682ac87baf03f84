/// One state of one item.
package struct Revision: Hashable, Sendable {
    package var item: ItemID
    /// 1 or more, less than 2^63; a later revision of the item has a greater number.
    package var number: UInt64
    /// Eight random bytes, so that equal numbers on two machines differ.
    package var salt: UInt64

    package init(item: ItemID, number: UInt64, salt: UInt64) {
        self.item = item
        self.number = number
        self.salt = salt
    }

    static let byteCount = 32

    package var bytes: [UInt8] {
        var bytes = item.bytes
        bytes.append(littleEndian: number)
        bytes.append(littleEndian: salt)
        return bytes
    }

    init(from reader: inout ByteReader) throws(LocatedFault) {
        item = try reader.readIdentifier()
        let start = reader.offset
        number = try reader.read()
        guard number > 0, number < Limits.revision else { throw LocatedFault(.badValue, at: start) }
        salt = try reader.read()
    }

    /// What binds a box of the item to its place.
    func associatedData(part: ItemPart, vault: VaultID) -> [UInt8] {
        var data = Label.item.bytes + vault.bytes + bytes
        data.append(littleEndian: part.rawValue)
        return data
    }

    /// Apple's `sha1` attribute: 20 bytes that change with each revision and tell nothing.
    package func sha1<Suite: CipherSuite>(vault: VaultID, suite: Suite) -> [UInt8] {
        suite.hash(20, key: nil, label: .sha1, vault.bytes + bytes)
    }
}

/// The three boxes of an item.
package enum ItemPart: UInt32, Sendable {
    case match = 1
    case metadata = 2
    case secret = 3
}
