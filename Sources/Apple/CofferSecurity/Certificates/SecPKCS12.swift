internal import Coffer
internal import CofferBasics
internal import CofferCertificates
public import Foundation

/// Reads the identities in a PKCS #12 file.
///
/// Each private key with a certificate becomes a dictionary with its identity, chain, trust by the basic policy, label and
/// key identifier. Certificates that belong to no identity become one more, with a chain only.
///
/// - Parameters:
///   - pkcs12Data: The file.
///   - options: `kSecImportExportPassphrase`. With `kSecImportExportKeychain` set to anything except false, identities
///     and certificates are stored with the other options as attributes; what exists already is skipped.
///   - items: The destination of the array.
/// - Returns: 0, or the reason: `errSecAuthFailed` if the passphrase is wrong or the file was changed, `errSecDecode` for
///   any other content.
@discardableResult
public func SecPKCS12Import(
    _ pkcs12Data: CFData,
    _ options: CFDictionary,
    _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    let file: PKCS12
    switch Result(catching: { () throws(CertificateFileError) in
        var passphrase = Array((options[kSecImportExportPassphrase] as? String ?? "").utf8)
        defer { passphrase.wipe() }
        return try PKCS12(pkcs12Data.copiedBytes, passphrase: FilePassphrase(passphrase.span))
    }) {
    case .success(let content): file = content
    case .failure(let error):
        let status =
            switch error {
            case .wrongPassphrase: errSecAuthFailed
            case .malformed, .unsupported, .tooManyRounds, .passphraseNeeded, .formatCannotHold: errSecDecode
            case .library: errSecUnimplemented
            }
        return explained(status, "\(error)")
    }
    let imported = file.keys.map { ImportedIdentity($0, in: file) }
    let used = Set(imported.flatMap(\.chain))
    let others = file.certificates.map(\.certificate).filter { !used.contains($0) }.map { SecCertificate($0) }
    let request = ItemRequest(options)
    let isStored = ![nil, .null, false].contains(request["keychain"]) && request["memory"] != true
    if isStored {
        let objects: [AnyObject] = imported.map(\.identity) + imported.flatMap(\.issuers) + others
        for object in objects {
            let status = SecItemAdd(options.addition(of: object), nil)
            guard status == errSecSuccess || status == errSecDuplicateItem else { return status }
        }
    }
    var entries: [NSDictionary] = imported.map(\.dictionary)
    if !others.isEmpty { entries.append([kSecImportItemCertChain: others as NSArray]) }
    items.pointee = entries as NSArray
    return errSecSuccess
}

/// An identity of a file.
private struct ImportedIdentity {
    let identity: SecIdentity
    private let trust: SecTrust
    /// The chain, as far as it was found.
    let chain: [X509Certificate]
    private let bag: PKCS12.KeyBag

    init(_ bag: PKCS12.KeyBag, in file: PKCS12) {
        self.bag = bag
        let certificate = SecCertificate(bag.certificate)
        identity = SecIdentity(certificate, SecKey(bag.key))
        let others = file.certificates.map(\.certificate).filter { $0 != bag.certificate }
        trust = SecTrust([certificate] + others.map { SecCertificate($0) }, [.basic])
        chain = (try? trust.result.get())?.chain ?? [bag.certificate]
    }

    /// The certificates of the chain that are in the file, without that of the identity.
    var issuers: [SecCertificate] {
        trust.certificates.dropFirst().filter { chain.contains($0.certificate) }
    }

    var dictionary: NSDictionary {
        let dictionary = NSMutableDictionary()
        dictionary[kSecImportItemIdentity] = identity
        dictionary[kSecImportItemTrust] = trust
        dictionary[kSecImportItemCertChain] = chain.map { SecCertificate($0) } as NSArray
        let label = bag.friendlyName ?? bag.certificate.subjectSummary
        if let label { dictionary[kSecImportItemLabel] = label as NSString }
        if let identifier = bag.keyIdentifier { dictionary[kSecImportItemKeyID] = Data(identifier) as NSData }
        return dictionary
    }
}

extension NSDictionary {
    /// The options of an import as the attributes of an object to store.
    fileprivate func addition(of object: AnyObject) -> NSDictionary {
        let attributes = NSMutableDictionary()
        attributes.setAttributes(of: self)
        attributes.removeObjects(forKeys: [
            kSecImportExportPassphrase, kSecImportToMemoryOnly, kSecImportExportKeychain, kSecImportExportAccess,
        ])
        attributes[kSecValueRef] = object
        return attributes
    }
}
