import Foundation
import Security
import TestSupport
import Testing

/// `Spec/keychain-behavior.md`, section 13, with the files of `Fixtures/pkcs12`.
@Suite("PKCS 12 files", .ownKeychain) struct PKCS12Tests {
    private static let passphrase = "pässword"

    private func file(_ name: String) throws -> Data {
        try Data(contentsOf: Repository.root.appending(path: "Fixtures/pkcs12/\(name).p12"))
    }

    /// The status of an import, and the dictionaries if it succeeded.
    private func read(
        _ data: Data,
        _ passphrase: String? = passphrase,
        _ options: [CFString: Any] = [:]
    ) -> (status: OSStatus, items: [[String: Any]]) {
        var options = options
        options[kSecImportExportPassphrase] = passphrase
        var items: CFArray?
        let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
        #expect((items == nil) == (status != 0))
        return (status, items as? [[String: Any]] ?? [])
    }

    private func identity(_ item: [String: Any]) throws -> (certificate: SecCertificate, key: SecKey) {
        let identity = try #require(item["identity"] as? SecIdentity)
        var (certificate, key) = (SecCertificate?.none, SecKey?.none)
        #expect(SecIdentityCopyCertificate(identity, &certificate) == 0)
        #expect(SecIdentityCopyPrivateKey(identity, &key) == 0)
        return (try #require(certificate), try #require(key))
    }

    /// Files with one identity: of openssl in its present and its older forms, and of Python.
    @Test(
        arguments: [
            ("openssl", "my identity", "RSA leaf", "RSA 2048"), ("openssl_legacy", "old", "RSA leaf", "RSA 2048"),
            ("openssl_3des", nil, "P-256 leaf", "P256"), ("openssl_rc4", nil, "P-256 leaf", "P256"),
            ("openssl_plain", nil, "P-256 leaf", "P256"), ("openssl_sha512", nil, "P-256 leaf", "P256"),
            ("python", "ключ 🔑", "P-521 leaf", "P521"), ("python_ed25519", "ed", "Ed25519 leaf", nil),
        ] as [(String, String?, String, String?)]
    )
    func `an identity of another program`(name: String, label: String?, summary: String, keyName: String?) throws {
        let (status, items) = read(try file(name))
        #expect(status == 0)
        let item = try #require(items.first)
        #expect(items.count == 1)
        let (certificate, key) = try identity(item)
        #expect(SecCertificateCopySubjectSummary(certificate) as String? == summary)
        #expect(item["label"] as? String == label ?? summary)
        if let keyName { #expect(try key == KeyVectors.key(keyName).secKey(kSecAttrKeyClassPrivate)) }
        #expect(SecKeyCopyPublicKey(key) == SecCertificateCopyKey(certificate))
        #expect(item["chain"] as? [SecCertificate] == [certificate])
        #expect(item["trust"] is SecTrust)
    }

    @Test(arguments: ["keytool", "keytool_legacy"]) func `several identities of Java`(name: String) throws {
        let (status, items) = read(try file(name), "password")
        #expect(status == 0)
        #expect(Set(items.compactMap { $0["label"] as? String }) == ["first", "second"])
        for item in items {
            let (certificate, key) = try identity(item)
            #expect(SecCertificateCopySubjectSummary(certificate) as String? == item["label"] as? String)
            #expect(SecKeyCopyPublicKey(key) == SecCertificateCopyKey(certificate))
            #expect((item["keyid"] as? Data)?.isEmpty == false)
        }
    }

    @Test func `certificates that belong to no identity are a chain of their own`() throws {
        let root = try certificateFixture("chain_root")
        let intermediate = try certificateFixture("chain_intermediate")
        let (status, items) = read(try file("openssl_chain"))
        #expect(status == 0)
        #expect(try identity(try #require(items.first)).certificate == root)
        #expect(items.count == 2)
        #expect(items.last?["chain"] as? [SecCertificate] == [intermediate])
        #expect(items.last?["identity"] == nil)
        let certificates = read(try file("python_certificates"))
        #expect(certificates.status == 0)
        #expect(Set(certificates.items.first?["chain"] as? [SecCertificate] ?? []) == [root, intermediate])
    }

    @Test(arguments: ["openssl_empty", "python_empty"]) func `an empty passphrase in both forms`(name: String) throws {
        #expect(read(try file(name), "").status == 0)
        #expect(read(try file(name), nil).status == 0)
        #expect(read(try file(name), "x").status == errSecAuthFailed)
    }

    @Test(arguments: ["openssl", "openssl_legacy", "python", "openssl_plain"])
    func `a wrong passphrase: errSecAuthFailed`(name: String) throws {
        for passphrase in ["Pässword", "", nil, "pässword ", "pa\u{308}ssword"] as [String?] {
            #expect(read(try file(name), passphrase).status == errSecAuthFailed)
        }
    }

    @Test func `a file without a code, or something else: errSecDecode`() throws {
        let file = try file("openssl")
        for data in [
            try self.file("openssl_no_code"), Data(), Data("x".utf8), file.dropLast(), Data(sampleCertificate),
        ] {
            #expect(read(data).status == errSecDecode)
        }
    }

    @Test func `a changed byte anywhere is a status`() throws {
        for name in ["openssl_plain", "openssl_3des"] {
            let file = try file(name)
            for index in file.indices {
                var changed = file
                changed[index] ^= 0x41
                let status = read(changed).status
                #expect(status == errSecAuthFailed || status == errSecDecode, "\(name) \(index)")
            }
        }
    }

    @Test func `identities are stored if the program says so, once`() throws {
        #expect(read(try file("openssl_chain")).status == 0)
        #expect(Call.find(.idnt()) == errSecItemNotFound)
        let options: [CFString: Any] = [kSecImportExportKeychain: true, kSecAttrLabel: "imported"]
        for _ in 0..<2 { #expect(read(try file("openssl_chain"), Self.passphrase, options).status == 0) }
        #expect(try Call.count(.idnt([kSecAttrLabel: "imported"])) == 1)
        #expect(try Call.count(.cert([kSecAttrLabel: "imported"])) == 2)
        #expect(try Call.count(.keys()) == 1)
        let found = try #require(try Call.found(.idnt([kSecReturnRef: true])))
        let items = read(try file("openssl_chain")).items
        #expect(items.first?["identity"] as? SecIdentity == found as? SecIdentity)
    }

    /// Code that gets an identity adds it itself; if the import had stored it, the addition would be a duplicate.
    @Test(
        arguments: [
            ["nleg": true], ["keychain": false], ["keychain": .null], ["keychain": true, "memory": true],
        ] as [[String: CallValue]]
    )
    func `options that do not name a keychain store nothing`(options: [String: CallValue]) throws {
        let options = Dictionary(uniqueKeysWithValues: options.map { ($0 as CFString, $1.object) })
        let (status, items) = read(try file("openssl_chain"), Self.passphrase, options)
        #expect(status == 0)
        let identity = try #require(items.first?["identity"])
        #expect(Call.add([kSecValueRef: identity]) == 0)
        #expect(try Call.count(.cert()) == 1)
    }
}
