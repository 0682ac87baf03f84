internal import CofferBasics

/// Section 3.6: a slot or a grant of a kind that this version does not know.
package struct UnknownWay: Equatable, Sendable {
    package enum Kind: Sendable {
        case slot
        case grant
    }

    package let type: UInt16
    package let kind: Kind
    /// The id of the slot or grant.
    package let id: SlotID
    package let created: Time
    /// The epoch of the user root in a slot; nil in a grant.
    let epoch: UInt32?
    let body: [UInt8]

    /// What an unknown type is for, if it is for one of these.
    private static func kind(of type: UInt16) -> Kind? {
        switch type {
        case 8...15: .slot
        case 33...47: .grant
        default: nil
        }
    }

    /// Returns nil if the type is for something else.
    init?(type: UInt16, body: inout ByteReader) throws(Fault) {
        guard let kind = Self.kind(of: type) else { return nil }
        (self.type, self.kind) = (type, kind)
        var fields = body
        id = try fields.readIdentifier()
        created = Time(microseconds: try fields.read())
        epoch = kind == .slot ? try fields.read() : nil
        self.body = try body.readBytes(body.remainingByteCount)
    }
}
