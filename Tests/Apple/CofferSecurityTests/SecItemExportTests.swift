import Foundation
import Security
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 13, with files that openssl and Python wrote.
@Suite("Exporting and importing", .ownKeychain) struct SecItemExportTests {
    private static let passphrase = "pässword"

    private func file(_ name: String) throws -> Data {
        try Data(contentsOf: Repository.root.appending(path: "Fixtures/pkcs12/\(name)"))
    }

    /// The outcome of an import.
    private struct Imported {
        var status: OSStatus
        var format = SecExternalFormat.formatUnknown
        var type = SecExternalItemType.itemTypeUnknown
        var objects: [AnyObject] = []
    }

    private func read(_ data: Data, _ passphrase: Any? = nil) -> Imported {
        var imported = Imported(status: 0)
        var items: CFArray?
        var parameters = parameters(passphrase)
        imported.status = SecItemImport(
            data as CFData,
            "file.pem" as CFString,
            &imported.format,
            &imported.type,
            [],
            &parameters,
            nil,
            &items
        )
        #expect((items == nil) == (imported.status != 0))
        imported.objects = items?.map { $0 as AnyObject } ?? []
        return imported
    }

    private func parameters(_ passphrase: Any?) -> SecItemImportExportKeyParameters {
        var parameters = SecItemImportExportKeyParameters()
        parameters.version = UInt32(SEC_KEY_IMPORT_EXPORT_PARAMS_VERSION)
        parameters.passphrase = passphrase.map { Unmanaged.passRetained($0 as AnyObject) }
        return parameters
    }

    private func written(
        _ object: Any,
        _ format: SecExternalFormat,
        _ flags: SecItemImportExportFlags = [],
        _ passphrase: Any? = nil
    ) -> (status: OSStatus, data: Data?) {
        var data: CFData?
        var parameters = parameters(passphrase)
        let status = SecItemExport(object as AnyObject, format, flags, &parameters, &data)
        return (status, data.map { $0 as Data })
    }

    // MARK: - Importing

    @Test(
        arguments: [
            ("p256_sec1.pem", .formatOpenSSL, .itemTypePrivateKey),
            ("rsa_pkcs1.pem", .formatOpenSSL, .itemTypePrivateKey),
            ("p256_public.pem", .formatOpenSSL, .itemTypePublicKey),
            ("rsa_pkcs8.pem", .formatWrappedPKCS8, .itemTypePrivateKey),
            ("p521_encrypted.pem", .formatWrappedPKCS8, .itemTypePrivateKey),
        ] as [(String, SecExternalFormat, SecExternalItemType)]
    )
    func `the format and type of a key are found`(
        name: String,
        format: SecExternalFormat,
        type: SecExternalItemType
    ) throws {
        for passphrase in [Self.passphrase, Data(Self.passphrase.utf8)] as [Any] {
            let imported = read(try file(name), passphrase)
            #expect(imported.status == 0 && imported.format == format && imported.type == type)
            #expect(imported.objects.count == 1 && imported.objects[0] is SecKey)
        }
    }

    @Test func `a certificate, and a text with several objects`() throws {
        let bundle = read(try file("bundle.pem"))
        #expect(bundle.format == .formatPEMSequence && bundle.type == .itemTypeAggregate)
        // The key belongs to the root.
        #expect(bundle.objects.map { $0 is SecIdentity } == [true, false])
        let certificate = try #require(bundle.objects[1] as? SecCertificate)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Intermediate")
        let single = read(SecCertificateCopyData(certificate) as Data)
        #expect(single.format == .formatX509Cert && single.type == .itemTypeCertificate)
        #expect(single.objects as? [SecCertificate] == [certificate])
    }

    @Test func `the identity of a PKCS 12 file`() throws {
        let imported = read(try file("openssl_chain.p12"), Self.passphrase)
        #expect(imported.status == 0 && imported.format == .formatPKCS12 && imported.type == .itemTypeAggregate)
        #expect(imported.objects.map { $0 is SecIdentity } == [true, false])
        #expect(imported.objects[1] is SecCertificate)
    }

    @Test func `an import has a reason for its failure`() throws {
        #expect(read(try file("openssl.p12"), "wrong").status == errSecPkcs12VerifyFailure)
        #expect(read(try file("p521_encrypted.pem"), "wrong").status == errSecPkcs12VerifyFailure)
        #expect(read(try file("openssl.p12")).status == errSecPassphraseRequired)
        #expect(read(try file("p521_encrypted.pem")).status == errSecPassphraseRequired)
        #expect(read(Data("text".utf8)).status == errSecUnknownFormat)
        #expect(read(Data()).status == errSecUnknownFormat)
        #expect(read(try file("rsa_traditional_encrypted.pem"), Self.passphrase).status == errSecUnsupportedFormat)
        // All destinations may be left out.
        let data = try file("p256_sec1.pem") as CFData
        #expect(SecItemImport(data, nil, nil, nil, [], nil, nil, nil) == 0)
    }

    // MARK: - Exporting

    @Test(arguments: [
        ("rsa_pkcs8.pem", SecExternalFormat.formatOpenSSL, "rsa_pkcs1.pem"),
        ("rsa_pkcs8.pem", .formatBSAFE, "rsa_pkcs1.pem"),
        ("rsa_pkcs8.pem", .formatPEMSequence, "rsa_pkcs8.pem"), ("p256_pkcs8.pem", .formatUnknown, "p256_sec1.pem"),
        ("p256_public.pem", .formatUnknown, "p256_public.pem"),
    ])
    func `a key is written as other programs write it`(name: String, format: SecExternalFormat, expected: String) throws
    {
        let key = try #require(read(try file(name)).objects.first)
        let text = written(key, format, .pemArmour)
        #expect(text.status == 0)
        #expect(text.data == (try file(expected)))
        let bytes = try #require(written(key, format).data)
        #expect((bytes.first == 0x30) == (format != .formatPEMSequence))
        #expect(read(bytes).objects.first as? SecKey == key as? SecKey)
    }

    @Test func `an identity is written with a passphrase, and read again`() throws {
        let imported = read(try file("openssl_chain.p12"), Self.passphrase).objects
        for format in [SecExternalFormat.formatUnknown, .formatPKCS12] {
            #expect(written(imported[0], format).status == errSecPassphraseRequired)
            let data = try #require(written(imported, format, [], "new").data)
            let again = read(data, "new")
            #expect(again.format == .formatPKCS12)
            #expect(again.objects.first as? SecIdentity == imported.first as? SecIdentity)
            #expect(again.objects.last as? SecCertificate == imported.last as? SecCertificate)
        }
    }

    @Test func `several objects are written as text`() throws {
        let objects = read(try file("bundle.pem")).objects
        let data = try #require(written(objects, .formatPEMSequence).data)
        #expect(read(data).objects.first as? SecIdentity == objects.first as? SecIdentity)
        #expect(written([objects[1], objects[1]], .formatX509Cert).status == errSecUnsupportedFormat)
        #expect(
            String(decoding: try #require(written([objects[1], objects[1]], .formatUnknown).data), as: UTF8.self)
                .components(separatedBy: "BEGIN CERTIFICATE").count == 3
        )
    }

    @Test func `private keys are encrypted with a passphrase`() throws {
        let key = try #require(read(try file("p256_sec1.pem")).objects.first)
        #expect(written(key, .formatWrappedPKCS8).status == errSecPassphraseRequired)
        for format in [SecExternalFormat.formatWrappedPKCS8, .formatPEMSequence] {
            let data = try #require(written(key, format, [], Data("new".utf8)).data)
            #expect(read(data).status == errSecPassphraseRequired)
            #expect(read(data, "new").objects.first as? SecKey == key as? SecKey)
        }
        // No format ignores it.
        #expect(written(key, .formatOpenSSL, [], "new").status == errSecUnsupportedFormat)
    }

    @Test func `an export has a reason for its failure`() throws {
        let key = try #require(read(try file("p256_sec1.pem")).objects.first)
        for format in [SecExternalFormat.formatSSH, .formatPKCS7, .formatRawKey, .formatX509Cert, .formatBSAFE] {
            #expect(written(key, format).status == errSecUnsupportedFormat)
        }
        #expect(written("text", .formatUnknown).status == errSecParam)
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false],
        ]
        let enclaveKey = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
        #expect(written(enclaveKey, .formatUnknown).status == errSecKeyIsSensitive)
        #expect(written([key, enclaveKey], .formatPEMSequence).status == errSecKeyIsSensitive)
        #expect(written(try #require(SecKeyCopyPublicKey(enclaveKey)), .formatUnknown).status == 0)
    }

    @Test func `an identity whose key is not extractable is not written`() throws {
        var (certificate, ownKey) = (SecCertificate?.none, SecKey?.none)
        let identity = try #require(read(try file("openssl.p12"), Self.passphrase).objects.first as? SecIdentity)
        #expect(
            SecIdentityCopyCertificate(identity, &certificate) == 0 && SecIdentityCopyPrivateKey(identity, &ownKey) == 0
        )
        let (leaf, key) = (try #require(certificate), try #require(ownKey))
        #expect(SecItemAdd([kSecValueRef: leaf] as CFDictionary, nil) == 0)
        #expect(SecItemAdd([kSecValueRef: key, kSecAttrIsExtractable: false] as CFDictionary, nil) == 0)
        var found: CFTypeRef?
        #expect(SecItemCopyMatching([kSecClass: kSecClassIdentity, kSecReturnRef: true] as CFDictionary, &found) == 0)
        #expect(written(try #require(found), .formatPKCS12, [], "new").status == errSecKeyIsSensitive)
        #expect(written(identity, .formatPKCS12, [], "new").status == 0)
    }
}
