import CofferCertificates
import Foundation
import TestSupport
import Testing

private let passphrase = FilePassphrase(Array("pässword".utf8).span)

/// The expected files were written by Python's `cryptography`.
@Suite("Writing files of keys", .temporaryDirectory) struct KeyFileWritingTests {
    private func content(_ name: String) throws -> KeyFileContent {
        try KeyFileContent(keyFixture(name), passphrase: passphrase)
    }

    /// The text of the first part of a file.
    private func firstPart(of name: String) throws -> PEM { try #require(PEM.parts(of: keyFixture(name)).first) }

    @Test(arguments: [
        ("rsa_pkcs1.pem", KeyFileFormat.pkcs8, "rsa_pkcs8.pem"), ("rsa_pkcs8.pem", .openSSL, "rsa_pkcs1.pem"),
        ("rsa_pkcs8.pem", .pkcs1, "rsa_pkcs1.pem"), ("p256_sec1.pem", .pkcs8, "p256_pkcs8.pem"),
        ("p256_pkcs8.pem", .openSSL, "p256_sec1.pem"), ("p256_public.pem", .openSSL, "p256_public.pem"),
        ("ed25519_pkcs8.pem", .pkcs8, "ed25519_pkcs8.pem"), ("ed25519_pkcs8.pem", .openSSL, "ed25519_pkcs8.pem"),
    ])
    func `a key is written as other programs write it`(
        name: String,
        format: KeyFileFormat,
        expected: String
    ) throws {
        let content = try content(name)
        let part = try firstPart(of: expected)
        #expect(try content.written(as: format, isText: false, passphrase: nil) == part.content)
        #expect(try content.written(as: format, isText: true, passphrase: nil) == keyFixture(expected))
    }

    @Test func `a sequence has the certificates, and then the keys`() throws {
        let content = try content("bundle.pem")
        let parts = PEM.parts(of: try content.written(as: .pemSequence, isText: false, passphrase: nil))
        #expect(parts.map(\.label) == ["CERTIFICATE", "CERTIFICATE", "PRIVATE KEY"])
        #expect(parts[0].content == content.certificates[0].certificate.bytes)
        let certificate = try #require(content.certificates.first)
        var single = KeyFileContent()
        single.certificates = [certificate]
        #expect(try single.written(as: .x509, isText: false, passphrase: nil) == certificate.certificate.bytes)
    }

    @Test func `a format refuses what it cannot hold`() throws {
        let (both, key) = (try content("bundle.pem"), try content("p256_sec1.pem"))
        let publicKey = try content("p256_public.pem")
        for (content, format) in [
            (both, KeyFileFormat.x509), (both, .openSSL), (both, .pkcs8), (key, .x509), (key, .pkcs1),
            (publicKey, .pkcs8),
            (publicKey, .pkcs1), (publicKey, .pkcs12), (KeyFileContent(), .openSSL),
        ] {
            #expect(throws: CertificateFileError.formatCannotHold) {
                try content.written(as: format, isText: false, passphrase: nil)
            }
        }
        #expect(throws: CertificateFileError.passphraseNeeded) {
            try both.written(as: .pkcs12, isText: false, passphrase: nil)
        }
        // A passphrase is never ignored.
        for format in [KeyFileFormat.openSSL, .pkcs1] {
            #expect(throws: CertificateFileError.formatCannotHold) {
                try content("rsa_pkcs1.pem").written(as: format, isText: false, passphrase: passphrase)
            }
        }
    }

    @Test(arguments: ["rsa_pkcs8.pem", "p256_pkcs8.pem", "ed25519_pkcs8.pem"])
    func `openssl decrypts an encrypted key`(name: String) throws {
        for format in [KeyFileFormat.pkcs8, .pemSequence] {
            let file = try content(name).written(as: format, isText: true, passphrase: passphrase)
            #expect(PEM.parts(of: file).map(\.label) == ["ENCRYPTED PRIVATE KEY"])
            #expect(try openssl("pkcs8", file) == keyFixture(name))
            #expect(try openssl("pkcs8", file, password: "wrong") == nil)
        }
    }

    @Test func `openssl reads a PKCS 12 file`() throws {
        for name in ["openssl.p12", "openssl_chain.p12", "python_ed25519.p12"] {
            let content = try content(name)
            let file = try content.written(as: .pkcs12, isText: false, passphrase: passphrase)
            let text = try #require(try openssl("pkcs12", file))
            let parts = PEM.parts(of: text)
            let read = try KeyFileContent(text, passphrase: nil)
            #expect(read.keys.map(\.key) == content.keys.map(\.key))
            #expect(read.certificates.map(\.certificate) == content.certificates.map(\.certificate))
            #expect(parts.count == content.keys.count + content.certificates.count)
            #expect(try openssl("pkcs12", file, password: "wrong") == nil)
            // Which certificate belongs to the key.
            let own = try KeyFileContent(openssl("pkcs12", file, "-clcerts", "-nokeys") ?? [], passphrase: nil)
            #expect(own.certificates.map(\.certificate) == [content.certificates[0].certificate])
            for name in content.keys.compactMap(\.name) {
                #expect(String(decoding: text, as: UTF8.self).contains("friendlyName: \(name)\n"))
            }
        }
    }

    @Test func `a PKCS 12 file may have a key without a certificate`() throws {
        var content = try content("openssl_chain.p12")
        content.certificates.removeFirst()
        content.keys += try self.content("rsa_pkcs8.pem").keys
        let file = try content.written(as: .pkcs12, isText: false, passphrase: passphrase)
        let read = try KeyFileContent(openssl("pkcs12", file) ?? [], passphrase: nil)
        #expect(read.keys.map(\.key) == content.keys.map(\.key))
        let again = try KeyFileContent(file, passphrase: passphrase)
        #expect(again.keys.map(\.key) == content.keys.map(\.key))
        #expect(again.certificates.map(\.certificate) == content.certificates.map(\.certificate))
    }

    @Test func `each file has a salt of its own`() throws {
        let content = try content("openssl.p12")
        let files = try (0..<2).map { _ in try content.written(as: .pkcs12, isText: false, passphrase: passphrase) }
        #expect(files[0] != files[1])
        let again = try KeyFileContent(files[0], passphrase: passphrase)
        #expect(again.keys.map(\.key) == content.keys.map(\.key) && again.keys.map(\.name) == content.keys.map(\.name))
        #expect(again.certificates.map(\.certificate) == content.certificates.map(\.certificate))
    }

    /// The output of a command of openssl for a file; nil if it fails.
    private func openssl(
        _ command: String,
        _ file: [UInt8],
        _ options: String...,
        password: String = "pässword"
    ) throws -> [UInt8]? {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl", command] + options + ["-passin", "pass:\(password)"]
        if command == "pkcs12" { process.arguments?.append("-nodes") }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(file))
        try input.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? [UInt8](bytes) : nil
    }
}
