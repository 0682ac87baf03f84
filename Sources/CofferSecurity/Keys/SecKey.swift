internal import AsymmetricKeys
package import Coffer
internal import CofferBasics
public import Foundation
internal import Libcrypto

/// A public or private key.
///
/// Keys of the same kind with the same bytes are equal, whatever their attributes in a keychain.
public final class SecKey: NSObject, @unchecked Sendable {
    let key: AsymmetricKey
    /// The attributes of the item; for a new key only those that do not follow from the key itself.
    package let attributes: [String: ItemValue]
    /// Whether the key is that of an item.
    let isFromKeychain: Bool

    /// Creates the key of a keychain item; nil if the item does not describe a public or private key of a known type,
    /// or its data is no such key.
    package convenience init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        self.init(bytes, attributes: reference.attributes)
    }

    convenience init?(_ bytes: [UInt8], attributes: [String: ItemValue]) {
        guard let type = attributes["type"]?.number.flatMap(KeyType.init(appleNumber:)),
            let isPrivate = attributes["kcls"]?.number.flatMap(SecKey.isPrivate),
            let key = try? AsymmetricKey(type, isPrivate: isPrivate, bytes.span)
        else { return nil }
        self.init(key, attributes: attributes, isFromKeychain: true)
    }

    init(_ key: AsymmetricKey, attributes: [String: ItemValue] = [:], isFromKeychain: Bool = false) {
        self.key = key
        self.attributes = attributes
        self.isFromKeychain = isFromKeychain
    }

    /// Whether `object` is the same key.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecKey)?.key == key }

    /// A hash of the public half.
    public override var hash: Int { key.hashValue }
}

extension SecKey: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secKey.rawValue }
}

/// Returns the type identifier of `SecKey`.
public func SecKeyGetTypeID() -> CFTypeID { CFTypeNumber.secKey.rawValue }

extension KeyType {
    /// The type with this number in Apple's attributes, which have two for keys on curves.
    init?(appleNumber: Int64) { self.init(rawValue: appleNumber == 43 ? 73 : appleNumber) }
}

extension SecKey {
    /// Whether the number of a key class is that of private keys; nil for symmetric keys and unknown classes.
    static func isPrivate(_ keyClass: Int64) -> Bool? {
        switch keyClass {
        case 0: false
        case 1: true
        default: nil
        }
    }

    /// Whether the bytes of the key may be read.
    var isExtractable: Bool { attributes["extr"]?.number != 0 }

    /// The attributes that follow from the key itself.
    ///
    /// Without OpenSSL's library, it lacks the application label.
    var ownAttributes: [String: ItemValue] {
        let size = Int64(key.kind.bitCount)
        let isRSA = key.kind.type == .rsa
        let isCurve = key.kind.type == .ellipticCurve
        var attributes: [String: ItemValue] = [
            "kcls": .integer(key.isPrivate ? 1 : 0), "type": .integer(key.kind.type.rawValue),
            "bsiz": .integer(size), "esiz": .integer(size),
            "perm": true, "priv": true, "modi": true, "extr": true,
            "sens": false, "asen": false, "next": false, "snrc": false, "vyrc": false,
            "encr": .bool(!key.isPrivate), "vrfy": .bool(!key.isPrivate), "wrap": .bool(!key.isPrivate),
            "decr": .bool(key.isPrivate || isRSA), "sign": .bool(key.isPrivate), "unwp": .bool(key.isPrivate),
            "drve": .bool(key.isPrivate && isCurve),
        ]
        attributes["klbl"] = (try? key.publicKeyHash()).map { .data($0) }
        return attributes
    }
}
