internal import Coffer
internal import CofferBasics
internal import CofferKeyItems
internal import CofferCertificates
public import Foundation

/// Creates a key from its bytes.
///
/// - Parameters:
///   - keyData: PKCS #1 for RSA, or a SubjectPublicKeyInfo with a public RSA key; for a curve the uncompressed point,
///     followed in a private key by the private number; 32 bytes for Ed25519 and X25519.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`; others are ignored.
///   - error: The destination of the error.
/// - Returns: The key; nil if the bytes are no key of this type, or the halves of a key on a curve do not fit.
public func SecKeyCreateWithData(
    _ keyData: CFData,
    _ attributes: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    var request = ItemRequest(attributes)
    // The attributes of a private key contain its bytes.
    defer { request.wipe() }
    guard request["tkid"] == nil else {
        error.report(over: .status(errSecParam, "Keys of a token cannot be created from data"))
        return nil
    }
    guard let type = request["type"]?.canonicalNumber.flatMap(KeyType.init(appleNumber:)),
        let keyClass = request["kcls"]?.canonicalNumber
    else {
        error.report(over: .status(errSecParam, "Creating a key needs a known kSecAttrKeyType and kSecAttrKeyClass"))
        return nil
    }
    guard keyClass != 2 else {
        error.report(over: .status(errSecUnimplemented, "Symmetric keys cannot be created from data"))
        return nil
    }
    return error.reporting("Creating a key from data") {
        guard let isPrivate = AsymmetricKey.isPrivate(keyClass) else { throw KeyError.invalidKey }
        let key = try keyData.copiedBytes.wipedAfter { bytes in
            try AsymmetricKey(type, isPrivate: isPrivate, bytes.span)
        }
        try key.validate()
        return SecKey(key)
    }
}

/// Creates a private key, and stores it and its public half if `parameters` say so.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType`, `kSecAttrKeySizeInBits`, and attributes for both halves, which
///     `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs` change for one of them. A half is stored in the default keychain
///     if its `kSecAttrIsPermanent` is true.
///   - error: The destination of the error, also if a half cannot be stored.
/// - Returns: The private key, or nil.
public func SecKeyCreateRandomKey(
    _ parameters: CFDictionary,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
    let request = ItemRequest(parameters)
    let isInEnclave = request["tkid"] == .string(kSecAttrTokenIDSecureEnclave as String)
    let size = request["bsiz"]?.canonicalNumber
    guard let type = request["type"]?.canonicalNumber.flatMap(KeyType.init(appleNumber:)),
        request["tkid"] == nil || isInEnclave && type == .ellipticCurve && size == 256
    else {
        error.report(over: .status(errSecParam, "No key can be created with this kSecAttrKeyType and kSecAttrTokenID"))
        return nil
    }
    let made = error.reporting("Creating a key") {
        try AsymmetricKey(random: type, bitCount: Int(clamping: size ?? 0))
    }
    guard let made else { return nil }
    let privateAttributes = parameters.attributes(for: kSecPrivateKeyAttrs)
    let privateRequest = ItemRequest(privateAttributes)
    let key = SecKey(
        made,
        attributes: isInEnclave ? SecKey.enclaveAttributes : [:],
        usageControl: privateRequest.usageControl,
        authenticating: privateRequest.authentication
    )
    let halves = [
        (key: SecKeyCopyPublicKey(key), attributes: parameters.attributes(for: kSecPublicKeyAttrs)),
        (key: key, attributes: privateAttributes),
    ]
    for half in halves {
        let isPermanent = ItemRequest(half.attributes)["perm"]
        guard isPermanent == true || isInEnclave && isPermanent == nil && half.key == key else { continue }
        half.attributes[kSecValueRef] = half.key
        let status = SecItemAdd(half.attributes, nil)
        guard status == errSecSuccess else {
            error.report(over: .status(status, "The key cannot be stored"))
            return nil
        }
    }
    return key
}

/// Creates a key pair like `SecKeyCreateRandomKey`, and writes both halves; returns the code of its error.
@discardableResult
public func SecKeyGeneratePair(
    _ parameters: CFDictionary,
    _ publicKey: UnsafeMutablePointer<SecKey?>?,
    _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
    var error: Unmanaged<CFError>?
    guard let key = SecKeyCreateRandomKey(parameters, &error) else {
        return error.map { OSStatus($0.takeRetainedValue().code) } ?? errSecParam
    }
    publicKey?.pointee = SecKeyCopyPublicKey(key)
    privateKey?.pointee = key
    return errSecSuccess
}

extension SecKey {
    /// The attributes of a key that would be in a Secure Enclave: it is in the vault, and cannot be read.
    fileprivate static let enclaveAttributes: [String: ItemValue] = [
        "tkid": .string(kSecAttrTokenIDSecureEnclave as String), "extr": false,
    ]
}

extension ItemRequest {
    /// The access control of a private key that may only be used.
    fileprivate var usageControl: AccessControl? {
        guard case .accessControl(let control)? = self["accc"],
            control.conditions?.contains(.privateKeyUsage) ?? false
        else { return nil }
        return control
    }
}

extension NSDictionary {
    /// The attributes for one half of a key pair: its own, and those for both.
    fileprivate func attributes(for half: CFString) -> NSMutableDictionary {
        let attributes = NSMutableDictionary()
        attributes.setAttributes(of: self)
        attributes.setAttributes(of: self[half] as? NSDictionary)
        attributes.removeObjects(forKeys: [
            kSecPrivateKeyAttrs, kSecPublicKeyAttrs, kSecAttrKeyType, kSecAttrKeySizeInBits, kSecAttrTokenID,
        ])
        return attributes
    }
}

extension ItemValue {
    /// The number, or the number that a string writes in the shortest form.
    fileprivate var canonicalNumber: Int64? {
        guard case .string(let digits) = self else {
            if case .integer(let number) = self { return number }
            return nil
        }
        return Int64(digits).flatMap { String($0) == digits ? $0 : nil }
    }
}
