import CofferCertificates
import Foundation
import TestSupport
import Testing

@Suite("Changed files and keys") struct KeyMutationTests {
    private func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0...Int.random(in: 0...2, using: &generator) {
            guard let place = bytes.indices.randomElement(using: &generator) else { return bytes }
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] ^= 1 << Int.random(in: 0..<8, using: &generator)
            case 1: bytes[place] = [0, 1, 0x30, 0x7F, 0x80, 0x82, 0x84, 0xFF].randomElement(using: &generator) ?? 0
            case 2: bytes.removeSubrange(place...)
            case 3: bytes.remove(at: place)
            default: bytes.insert(bytes[place], at: place)
            }
        }
        return bytes
    }

    /// A file whose authentication code is right, whatever its content.
    private func file(_ content: [UInt8], _ library: Libcrypto) throws -> [UInt8] {
        func element(_ tag: DERTag, _ parts: [UInt8]...) -> [UInt8] {
            var bytes: [UInt8] = []
            bytes.append(tag, content: parts.flatMap { $0 })
            return bytes
        }
        let data: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
        let part = element(.sequence, data, element(.contextConstructed(0), element(.octetString, content)))
        let (passphrase, salt): ([UInt8], [UInt8]) = ([0, 0], [1])
        let code = try library.pkcs12Code(
            of: content.span,
            .sha1,
            passphrase: passphrase.span,
            salt: salt.span,
            iterationCount: 1
        )
        let digest = element(.sequence, [0x30, 7, 6, 5, 0x2B, 0x0E, 3, 2, 0x1A], element(.octetString, code))
        return element(.sequence, [2, 1, 3], part, element(.sequence, digest, [4, 1, 1]))
    }

    private let empty = FilePassphrase(Array("".utf8).span)

    /// The content of a file that is not encrypted.
    private func plainContent() throws -> [UInt8] {
        // Version, then type and content of a part.
        let whole = try keyFixture("openssl_plain.p12")
        var reader = DERReader(whole, in: whole.indices)
        var fields = try reader.enter()
        _ = try fields.readInteger()
        var part = try fields.enter()
        _ = try part.readOID()
        var inside = try part.enter(.contextConstructed(0))
        return Array(whole[try inside.read(.octetString).content])
    }

    /// For each key, `SecPKCS12Import` builds a chain from all certificates: the cost grew with the square of the size.
    @Test func `a file has at most 1,000 keys and certificates`() throws {
        let library = try Libcrypto.shared.get()
        let content = try plainContent()
        var reader = DERReader(content, in: content.indices)
        // A certificate and its key.
        let parts = Array(content[try reader.read(.sequence).content])
        func read(_ count: Int) throws -> PKCS12 {
            var list: [UInt8] = []
            list.append(.sequence, content: Array(repeatElement(parts, count: count).joined()))
            return try PKCS12(file(list, library), passphrase: empty)
        }
        let largest = try read(500)
        #expect(largest.keys.count == 500 && largest.certificates.count == 500)
        #expect(throws: CertificateFileError.unsupported) { try read(501) }
    }

    @Test(arguments: 0..<4) func `changed content of a PKCS 12 file is an error or is read`(seed: UInt64) throws {
        let library = try Libcrypto.shared.get()
        let content = try plainContent()
        #expect(try PKCS12(file(content, library), passphrase: empty).keys.count == 1)

        var generator = SeededGenerator(seed: seed)
        var readCount = 0
        for _ in 0..<2000 {
            let bytes = try file(changed(content, &generator), library)
            do throws(CertificateFileError) {
                let read = try PKCS12(bytes, passphrase: empty)
                for bag in read.keys { #expect(AsymmetricKey(of: bag.certificate) == (try? bag.key.publicKey)) }
                readCount += 1
            } catch {
                #expect(error == .malformed || error == .unsupported || error == .wrongPassphrase)
            }
        }
        // Most changes are in the certificate or the key.
        #expect((1..<1800).contains(readCount))
    }

    @Test(arguments: ["rsa_pkcs8", "rsa_pkcs1", "p256_pkcs8", "p256_sec1", "ed25519_pkcs8", "p256_public"])
    func `a changed key is an error, or another key`(name: String) throws {
        let content = try #require(PEM.parts(of: keyFixture("\(name).pem")).first).content
        let original = try #require(KeyFileContent(content, passphrase: nil).keys.first?.key)
        var generator = SeededGenerator(seed: 7)
        for count in 0..<2500 {
            let bytes = changed(content, &generator)
            guard let file = try? KeyFileContent(bytes, passphrase: nil), let key = file.keys.first?.key else {
                continue
            }
            // Numbers that do not fit together are an error or a wrong signature, never a crash.
            if key.isPrivate, key.kind.type == .rsa, count.isMultiple(of: 8) {
                _ = try? key.signature(
                    of: content.span,
                    SignatureAlgorithm(scheme: .rsaPSS, hash: .sha256, hashesInput: true)
                )
            }
            // A point and a number that fit together do not come about by chance.
            guard case .ellipticCurve = key.kind else { continue }
            #expect(key.publicBytes == original.publicBytes)
        }
    }
}
