package import Coffer
public import Foundation

/// A key from an item in the keychain.
///
/// Its attributes and bytes can be read. This version of Coffer has no cryptography for keys: every function that
/// creates or uses one fails with `errSecUnimplemented`.
///
/// Keys with the same attributes and bytes are equal.
public final class SecKey: NSObject, @unchecked Sendable {
    /// The attributes of the item.
    package let attributes: [String: ItemValue]
    let bytes: [UInt8]
    let kind: KeyKind

    /// Creates the key of a keychain item; nil if the item has no data, or if its attributes do not describe a public
    /// or private key of a known type.
    package convenience init?(_ reference: ItemReference) {
        guard let bytes = reference.data else { return nil }
        self.init(attributes: reference.attributes, bytes: bytes)
    }

    init?(attributes: [String: ItemValue], bytes: [UInt8]) {
        guard let kind = KeyKind(attributes) else { return nil }
        self.attributes = attributes
        self.bytes = bytes
        self.kind = kind
    }

    /// Whether `object` is a key with the same attributes and bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return other.bytes == bytes && other.attributes == attributes
    }

    /// A hash of the bytes.
    public override var hash: Int { bytes.hashValue }
}

extension SecKey: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secKey.rawValue }
}

/// Returns the type identifier of `SecKey`.
public func SecKeyGetTypeID() -> CFTypeID { CFTypeNumber.secKey.rawValue }
