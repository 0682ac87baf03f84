internal import CofferBasics
internal import CofferCertificates
public import Foundation

/// Writes certificates, keys and identities in a format that other programs read.
///
/// - Parameters:
///   - secItemOrArray: A certificate, a key or an identity, or an array of them.
///   - outputFormat: The format; if unknown, PKCS #12 for an identity, PEM for several objects, else that of OpenSSL.
///   - flags: Whether to write text.
///   - keyParams: The passphrase, with which private keys are encrypted in PKCS #8, in PEM and in PKCS #12.
///   - exportedData: The destination of the data.
/// - Returns: 0, or the reason: `errSecKeyIsSensitive` for a key that is not extractable, `errSecPassphraseRequired`,
///   `errSecUnsupportedFormat` if the format is not supported or cannot hold the objects, `errSecParam` for others.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef,
    _ outputFormat: SecExternalFormat,
    _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?,
    _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    let objects = (secItemOrArray as? NSArray)?.map { $0 as AnyObject } ?? [secItemOrArray]
    var content = KeyFileContent()
    var hasIdentity = false
    for object in objects {
        switch object {
        case let certificate as SecCertificate: content.append(certificate)
        case let key as SecKey:
            guard key.isExtractable else { return explained(errSecKeyIsSensitive, "the key is not extractable") }
            content.keys.append((key.key, nil))
        case let identity as SecIdentity:
            guard identity.privateKey.isExtractable else {
                return explained(errSecKeyIsSensitive, "the key of the identity is not extractable")
            }
            hasIdentity = true
            content.append(identity.certificate)
            content.keys.append((identity.privateKey.key, identity.certificate.certificate.subjectSummary))
        default: return explained(errSecParam, "only certificates, keys and identities can be exported")
        }
    }
    let format: KeyFileFormat
    switch outputFormat {
    case .formatUnknown: format = hasIdentity ? .pkcs12 : objects.count > 1 ? .pemSequence : .openSSL
    case .formatOpenSSL: format = .openSSL
    case .formatBSAFE: format = .pkcs1
    case .formatWrappedPKCS8: format = .pkcs8
    case .formatX509Cert: format = .x509
    case .formatPEMSequence: format = .pemSequence
    case .formatPKCS12: format = .pkcs12
    default: return explained(errSecUnsupportedFormat, "this format cannot be written")
    }
    let passphrase = keyParams?.pointee.filePassphrase
    guard format != .pkcs8 || passphrase != nil else {
        return explained(errSecPassphraseRequired, "wrapped PKCS #8 needs a passphrase in the parameters")
    }
    do throws(CertificateFileError) {
        let isText = flags.contains(.pemArmour)
        exportedData.pointee = try content.written(as: format, isText: isText, passphrase: passphrase)
            .wipedAfter { NSData(copying: $0.span) }
        return errSecSuccess
    } catch {
        return explained(OSStatus(error), "\(error)")
    }
}

/// Reads certificates and keys in PEM, DER or PKCS #12.
///
/// - Parameters:
///   - importedData: The data.
///   - fileNameOrExtension: Ignored, since the data says what it is.
///   - inputFormat: Gets the format that was found.
///   - itemType: Gets the type that was found.
///   - flags: Ignored.
///   - keyParams: The passphrase of data that is encrypted.
///   - importKeychain: Ignored, since there are no keychain files; nothing is stored.
///   - outItems: Gets the array of certificates, keys and identities.
/// - Returns: 0, or the reason: `errSecUnknownFormat`, `errSecPassphraseRequired`, `errSecPkcs12VerifyFailure` if the
///   passphrase is wrong, `errSecUnsupportedFormat`.
@discardableResult
public func SecItemImport(
    _ importedData: CFData,
    _ fileNameOrExtension: CFString?,
    _ inputFormat: UnsafeMutablePointer<SecExternalFormat>?,
    _ itemType: UnsafeMutablePointer<SecExternalItemType>?,
    _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?,
    _ importKeychain: SecKeychain?,
    _ outItems: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    let content: KeyFileContent
    do throws(CertificateFileError) {
        content = try importedData.copiedBytes.wipedAfter { bytes throws(CertificateFileError) in
            try KeyFileContent(bytes, passphrase: keyParams?.pointee.filePassphrase)
        }
    } catch {
        return explained(OSStatus(error), "\(error)")
    }
    var certificates = content.certificates.map { SecCertificate($0.certificate) }
    var objects: [AnyObject] = []
    for (key, _) in content.keys {
        let key = SecKey(key)
        let index = certificates.firstIndex { SecIdentityCreate(nil, $0, key) != nil }
        let identity = index.flatMap { SecIdentityCreate(nil, certificates.remove(at: $0), key) }
        objects.append(identity ?? key)
    }
    objects += certificates as [AnyObject]
    inputFormat?.pointee = content.format.externalFormat
    itemType?.pointee = content.itemType
    outItems?.pointee = objects as NSArray
    return errSecSuccess
}

extension KeyFileContent {
    fileprivate mutating func append(_ certificate: SecCertificate) {
        certificates.append((certificate.certificate, certificate.certificate.subjectSummary))
    }

    fileprivate var itemType: SecExternalItemType {
        guard format != .pkcs12, certificates.count + keys.count == 1 else { return .itemTypeAggregate }
        guard let key = keys.first?.key else { return .itemTypeCertificate }
        return key.isPrivate ? .itemTypePrivateKey : .itemTypePublicKey
    }
}

extension KeyFileFormat {
    fileprivate var externalFormat: SecExternalFormat {
        switch self {
        case .openSSL: .formatOpenSSL
        case .pkcs1: .formatBSAFE
        case .pkcs8: .formatWrappedPKCS8
        case .x509: .formatX509Cert
        case .pemSequence: .formatPEMSequence
        case .pkcs12: .formatPKCS12
        }
    }
}

extension SecItemImportExportKeyParameters {
    /// The passphrase, if there is one.
    fileprivate var filePassphrase: FilePassphrase? {
        switch passphrase?.takeUnretainedValue() {
        case let text as NSString: Array((text as String).utf8).wipedAfter { FilePassphrase($0.span) }
        case let data as NSData: data.copiedBytes.wipedAfter { FilePassphrase($0.span) }
        default: nil
        }
    }
}

extension OSStatus {
    fileprivate init(_ error: CertificateFileError) {
        self =
            switch error {
            case .wrongPassphrase: errSecPkcs12VerifyFailure
            case .passphraseNeeded: errSecPassphraseRequired
            case .malformed: errSecUnknownFormat
            case .unsupported, .tooManyRounds, .formatCannotHold: errSecUnsupportedFormat
            case .library: errSecUnimplemented
            }
    }
}
