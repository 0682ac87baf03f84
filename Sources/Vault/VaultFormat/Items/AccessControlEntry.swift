package import KeyedArchive
internal import VaultCrypto

/// Section 9.4: the access control of an item.
package struct AccessControlEntry: Equatable, Sendable {
    /// The bits of `SecAccessControlCreateFlags`.
    package let flags: UInt32
    /// A hash of the biometry that was enrolled when the flag for that was set.
    package let enrolled: [UInt8]?

    private static let enrolledByteCount = 32
    private static let biometryCurrentSet: UInt32 = 1 << 3
    private static let applicationPassword: UInt32 = 1 << 31

    /// Creates an access control; nil if only one of hash and flag is there, or the hash does not have 32 bytes.
    package init?(flags: UInt32, enrolled: [UInt8]? = nil) {
        guard (enrolled != nil) == (flags & Self.biometryCurrentSet != 0),
            enrolled.map({ $0.count == Self.enrolledByteCount }) ?? true
        else { return nil }
        self.flags = flags
        self.enrolled = enrolled
    }

    /// Reads an access control; nil if it is invalid.
    package init?(_ value: ArchiveValue) {
        guard case .integer(let number)? = value["flags"], let flags = UInt32(exactly: number) else { return nil }
        var enrolled: [UInt8]?
        if let value = value["enrolled"] {
            guard let data = value.data else { return nil }
            enrolled = Array(data)
        }
        self.init(flags: flags, enrolled: enrolled)
    }

    /// The value in an archive.
    package var archived: ArchiveValue {
        var fields: [(key: ArchiveValue, value: ArchiveValue)] = [("flags", .integer(Int128(flags)))]
        if let enrolled { fields.append(("enrolled", .data(enrolled))) }
        return .dictionary(CanonicalDictionary(fields) ?? CanonicalDictionary())
    }

    /// The hash of enrolled biometry, which a host describes by bytes that change with it.
    package static func hash(ofEnrolled state: [UInt8]) -> [UInt8] { Label.enrolled.hash(32, state) }

    /// How many fields it has.
    var fieldCount: Int { enrolled == nil ? 1 : 2 }

    /// Whether the data of the item is sealed with an application password.
    package var hasApplicationPassword: Bool { flags & Self.applicationPassword != 0 }
}

extension ItemAttributes {
    /// Throws unless data of this form belongs to an item with these attributes.
    package func check(_ form: SecretForm?) throws(Fault) {
        let hasPassword = accessControl?.hasApplicationPassword ?? false
        guard hasPassword == (form == .applicationPassword) else { throw Fault(.badValue) }
    }
}
