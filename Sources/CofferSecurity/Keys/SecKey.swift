package import Coffer
public import Foundation

/// A key, which comes from an item of the keychain.
///
/// It tells its attributes and its bytes. This version of Coffer has no cryptography for keys: everything that would
/// make one, or use one, fails with `errSecUnimplemented`.
///
/// Two of the same attributes and bytes are equal.
public final class SecKey: NSObject, @unchecked Sendable {
    /// What the item says of the key.
    package let attributes: [String: ItemValue]
    let bytes: [UInt8]
    let kind: KeyKind

    /// The key that an item of the keychain is; nil if the item has no data to make it of, or does not say what key
    /// that is.
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

    /// Whether `object` is a key of the same attributes and bytes.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        return other.bytes == bytes && other.attributes == attributes
    }

    /// The same number for the same bytes.
    public override var hash: Int { bytes.hashValue }
}

extension SecKey: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secKey.rawValue }
}

/// The number of the type `SecKey`.
public func SecKeyGetTypeID() -> CFTypeID { CFTypeNumber.secKey.rawValue }
