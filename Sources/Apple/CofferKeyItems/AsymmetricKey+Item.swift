package import Coffer
package import CofferCertificates

// Keys as items of a keychain.
extension AsymmetricKey {
    /// Reads the key of an item; nil if the item does not describe a public or private key of a known type, or its
    /// data is no such key.
    package convenience init?(_ data: Span<UInt8>, itemAttributes attributes: [String: ItemValue]) {
        guard let type = attributes["type"]?.number.flatMap(KeyType.init(appleNumber:)),
            let isPrivate = attributes["kcls"]?.number.flatMap(Self.isPrivate)
        else { return nil }
        try? self.init(type, isPrivate: isPrivate, data)
    }

    /// Whether the number of a key class is that of private keys; nil for symmetric keys and unknown classes.
    package static func isPrivate(_ keyClass: Int64) -> Bool? {
        switch keyClass {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// The attributes that follow from the key itself.
    ///
    /// Without OpenSSL's library, they lack the application label.
    package var itemAttributes: [String: ItemValue] {
        let size = Int64(kind.bitCount)
        let isCurve = kind.type == .ellipticCurve
        var attributes: [String: ItemValue] = [
            "kcls": .integer(isPrivate ? 1 : 0), "type": .integer(kind.type.rawValue),
            "bsiz": .integer(size), "esiz": .integer(size),
            "perm": true, "priv": true, "modi": true, "extr": true,
            "sens": false, "asen": false, "next": false, "snrc": false, "vyrc": false,
            "encr": .bool(!isPrivate), "vrfy": .bool(!isPrivate), "wrap": .bool(!isPrivate),
            "decr": .bool(isPrivate || kind.type == .rsa), "sign": .bool(isPrivate), "unwp": .bool(isPrivate),
            "drve": .bool(isPrivate && isCurve),
        ]
        attributes["klbl"] = (try? publicKeyHash()).map { .data($0) }
        return attributes
    }
}

extension KeyType {
    /// The type with this number in Apple's attributes, which have two for keys on curves.
    package init?(appleNumber: Int64) { self.init(rawValue: appleNumber == 43 ? 73 : appleNumber) }
}

// Certificates as items of a keychain.
extension X509Certificate {
    /// The number of the encoding DER, `kSecAttrCertificateEncoding`.
    private static let encoding: Int64 = 3

    /// The attributes by which a keychain finds the certificate; nil if one of its names is malformed.
    package var itemAttributes: [String: ItemValue]? {
        guard let subjectName, let issuerName else { return nil }
        var attributes: [String: ItemValue] = [
            "ctyp": .integer(Int64(version)), "cenc": .integer(Self.encoding), "subj": .data(subjectName.normalized),
            "issr": .data(issuerName.normalized), "slnr": .data(Array(bytes[serialNumber])),
        ]
        if let subjectKeyIdentifier { attributes["skid"] = .data(Array(bytes[subjectKeyIdentifier])) }
        return attributes
    }

    /// The attributes of a new item, with the hash of the public key and a label; nil if a name is malformed.
    package func newItemAttributes() throws(LibcryptoError) -> [String: ItemValue]? {
        guard var attributes = itemAttributes else { return nil }
        attributes["pkhh"] = .data(try Libcrypto.shared.get().digest(.sha1, of: bytes.span.extracting(publicKey.key)))
        attributes["labl"] = subjectSummary.map(ItemValue.string)
        return attributes
    }
}
