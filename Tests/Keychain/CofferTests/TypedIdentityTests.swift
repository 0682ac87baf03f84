import Coffer
import TestSupport
import Testing

@Suite("Identities as values", .temporaryDirectory) struct TypedIdentityTests {
    private let sample: KeychainSample
    private var keychain: Keychain { sample.keychain }

    init() throws {
        sample = try KeychainSample()
    }

    private func certificate(_ name: String, of hash: [UInt8]) throws -> Stored<Certificate> {
        var certificate = Certificate(issuer: [0x30, 0x00], serialNumber: Array(name.utf8))
        certificate.label = name
        certificate.publicKeyHash = hash
        return try keychain.add(certificate, secret: "certificate of \(name)")
    }

    private func key(_ hash: [UInt8], _ keyClass: CryptographicKey.KeyClass = .private) throws -> Stored<
        CryptographicKey
    > {
        var key = CryptographicKey(keyClass)
        key.applicationLabel = hash
        key.isPrivate = true
        return try keychain.add(key, secret: "key")
    }

    @Test func `a certificate and the key with its public key hash form an identity`() throws {
        let (certificate, key) = (try certificate("a", of: [1]), try key([1]))
        _ = try self.certificate("b", of: [2])
        let identities = try keychain.identities()
        #expect(identities == [Identity(certificate: certificate, key: key)])
        #expect(try keychain.secretText(of: key.reference) == "key")
    }

    @Test func `conditions apply to the certificate`() throws {
        let (a, b, key) = (try certificate("a", of: [1]), try certificate("b", of: [1]), try key([1]))
        #expect(try keychain.identities(where: .label("b")).map(\.certificate) == [b])
        #expect(try keychain.identities().map(\.certificate) == [a, b])
        #expect(try keychain.identities(limit: 1).map(\.key) == [key])
        #expect(try keychain.identities(where: .label("c")) == [])
    }

    @Test func `a public key does not form an identity`() throws {
        _ = (try certificate("a", of: [1]), try key([1], .public))
        #expect(try keychain.identities() == [])
    }

    @Test func `a locked key that may belong to an identity is not reported as missing`() throws {
        _ = (try certificate("a", of: [1]), try key([1]))
        sample.keychain.lock()
        #expect(throws: KeychainError.locked) { try keychain.identities() }
    }
}
