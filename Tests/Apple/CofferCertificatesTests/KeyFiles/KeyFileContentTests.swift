import CofferCertificates
import Foundation
import TestSupport
import Testing

private let passphrase = FilePassphrase(Array("pässword".utf8).span)

/// A file of `Fixtures/pkcs12`.
func keyFixture(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: Repository.root.appending(path: "Fixtures/pkcs12/\(name)")))
}

@Suite("Files of keys") struct KeyFileContentTests {
    private func read(_ name: String, _ passphrase: FilePassphrase? = nil) throws(CertificateFileError)
        -> KeyFileContent
    {
        guard let bytes = try? keyFixture(name) else { throw .malformed }
        return try KeyFileContent(bytes, passphrase: passphrase)
    }

    @Test(arguments: [
        ("rsa_pkcs8.pem", KeyKind.rsa(bitCount: 2048)), ("rsa_pkcs1.pem", .rsa(bitCount: 2048)),
        ("p256_pkcs8.pem", .ellipticCurve(.p256)), ("p256_sec1.pem", .ellipticCurve(.p256)),
        ("p521_encrypted.pem", .ellipticCurve(.p521)), ("ed25519_pkcs8.pem", .ed25519),
        ("p256_public.pem", .ellipticCurve(.p256)),
    ])
    func `a key in each form, as text and as bytes`(name: String, kind: KeyKind) throws {
        let text = try keyFixture(name)
        for bytes in [text, try #require(PEM.parts(of: text).first).content] {
            let file = try KeyFileContent(bytes, passphrase: passphrase)
            let key = try #require(file.keys.first?.key)
            #expect(file.keys.count == 1 && file.certificates.isEmpty)
            #expect(key.kind == kind)
            #expect(key.isPrivate == !name.contains("public"))
        }
    }

    @Test func `both forms of a key are the same key`() throws {
        for (one, other) in [("rsa_pkcs8.pem", "rsa_pkcs1.pem"), ("p256_pkcs8.pem", "p256_sec1.pem")] {
            #expect(try read(one).keys.first?.key == read(other).keys.first?.key)
        }
        #expect(try read("p256_public.pem").keys.first?.key == read("p256_sec1.pem").keys.first?.key.publicKey)
    }

    @Test func `a text with a key and certificates has all of them, in their order`() throws {
        let file = try read("bundle.pem")
        #expect(file.keys.count == 1)
        #expect(file.certificates.map(\.certificate.subjectSummary) == ["Root", "Intermediate"])
        let key = try #require(file.keys.first?.key)
        #expect(AsymmetricKey(of: file.certificates[0].certificate) == (try? key.publicKey))
    }

    @Test func `a PKCS 12 file has keys and certificates with their names`() throws {
        let file = try read("openssl_chain.p12", passphrase)
        #expect(file.keys.map(\.name) == ["chain"])
        #expect(file.certificates.count == 2)
    }

    @Test(arguments: ["p521_encrypted.pem", "openssl.p12"]) func `a wrong or missing passphrase`(name: String) throws {
        let wrong = FilePassphrase(Array("password".utf8).span)
        #expect(throws: CertificateFileError.wrongPassphrase) { try read(name, wrong) }
        #expect(throws: CertificateFileError.passphraseNeeded) { try read(name) }
    }

    @Test func `what cannot be read has a reason`() throws {
        #expect(throws: CertificateFileError.unsupported) { try read("rsa_traditional_encrypted.pem", passphrase) }
        #expect(throws: CertificateFileError.malformed) { try KeyFileContent([], passphrase: passphrase) }
        #expect(throws: CertificateFileError.malformed) {
            try KeyFileContent(Array("text".utf8), passphrase: passphrase)
        }
        let empty = Array("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n".utf8)
        #expect(throws: CertificateFileError.malformed) { try KeyFileContent(empty, passphrase: passphrase) }
        #expect(CertificateFileError.wrongPassphrase.description == "the passphrase is wrong, or the file is damaged")
    }

    @Test func `more work than is done for a file is refused at once`() throws {
        // PBES2 with PBKDF2 of 10,000,001 rounds, around nothing.
        let file: [UInt8] = [
            0x30, 0x28, 0x30, 0x24, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0D, 0x30, 0x17, 0x30, 0x15, 6, 9,
            0x2A,
            0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 5, 0x0C, 0x30, 8, 4, 0, 2, 4, 0, 0x98, 0x96, 0x81, 4, 0,
        ]
        #expect(throws: CertificateFileError.tooManyRounds) { try KeyFileContent(file, passphrase: passphrase) }
    }

    // A part takes a hundred bytes and could ask for ten million rounds: a file of 4 MiB kept a program busy for hours.
    @Test func `the parts of a file share its rounds`() throws {
        // A code of one round, around a key of 10,000,000.
        #expect(throws: CertificateFileError.tooManyRounds) { try read("openssl_rounds.p12", passphrase) }
        // A key of 2,048 rounds, then one of 9,997,953: one more than are left.
        let first = try #require(PEM.parts(of: keyFixture("p521_encrypted.pem")).first).content
        var second = first
        let count = try #require(first.indices.first { first[$0...].starts(with: [2, 2, 8, 0]) })
        second.replaceSubrange(count..<count + 4, with: [2, 4, 0, 0x98, 0x8E, 0x81])
        // The lengths of the structures around it, each of which has two bytes more.
        for offset in [3, 5, 18, 20, 33] { second[offset] += 2 }
        let text = [first, second].map {
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\n\(Data($0).base64EncodedString())\n-----END ENCRYPTED PRIVATE KEY-----\n"
        }
        #expect(throws: CertificateFileError.tooManyRounds) {
            try KeyFileContent(Array(text.joined().utf8), passphrase: passphrase)
        }
    }
}

@Suite("Base64 in text") struct PEMTests {
    private func content(_ text: String) -> [UInt8]? {
        PEM.parts(of: Array("-----BEGIN X-----\n\(text)\n-----END X-----".utf8)).first?.content
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
        ("Zm9vYmFy", "foobar"), ("Zm9v\r\nYmFy", "foobar"), ("Zm 9v\tYmFy ", "foobar"),
    ])
    func `the examples of the standard`(text: String, expected: String) {
        #expect(content(text) == Array(expected.utf8))
    }

    @Test(arguments: ["Z", "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Zm9v=", "Z=g=", "Zm9v!", "Zm9vYg==Zg=="])
    func `other text is not a part`(text: String) {
        #expect(content(text) == nil)
    }

    @Test func `text around parts is ignored, and so are parts that do not end`() {
        let text = "x\n-----BEGIN A-----\nZg==\n-----END A-----\ny\n-----BEGIN B-----\nh: v\n\nZm8=\n-----END B-----\n"
        let parts = PEM.parts(
            of: Array((text + "-----BEGIN C-----\nZg==\n-----BEGIN D-----\nZg==\n-----END E-----").utf8)
        )
        #expect(parts.map(\.label) == ["A", "B"])
        #expect(parts.map(\.headers) == [[], ["h: v"]])
    }
}
