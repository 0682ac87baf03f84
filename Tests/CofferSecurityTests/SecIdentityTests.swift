import Coffer
import Foundation
import Security
import Testing

@Suite("Identities") struct SecIdentityTests {
    /// An identity from the keychain.
    private func identity(_ changes: [String: ItemValue] = [:], data: [UInt8]? = [4, 5, 6]) -> SecIdentity? {
        let attributes = privateKeyAttributes.merging(["issr": .data([9]), "certdata": .data(sampleCertificate)]) { $1 }
        return SecIdentity(
            ItemReference(itemClass: .identity, attributes: attributes.merging(changes) { $1 }, data: data)
        )
    }

    @Test func `an identity has a certificate and a key`() throws {
        let identity = try #require(self.identity())
        var certificate: SecCertificate?
        #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
        #expect(certificate == sampleSecCertificate())
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
        let attributes = try #require(key.flatMap(SecKeyCopyAttributes) as? [String: Any])
        #expect(attributes["kcls"] as? String == "1")
        #expect(attributes["klbl"] as? Data == Data([1, 2, 3]))
        #expect(key.flatMap { SecKeyCopyExternalRepresentation($0, nil) } as Data? == Data([4, 5, 6]))
    }

    @Test func `attributes that may belong to either half appear in neither`() throws {
        let identity = try #require(self.identity())
        var certificate: SecCertificate?
        var key: SecKey?
        SecIdentityCopyCertificate(identity, &certificate)
        SecIdentityCopyPrivateKey(identity, &key)
        #expect(Set(try #require(certificate?.attributes).keys) == ["issr", "cdat", "accc"])
        #expect(Set(try #require(key?.attributes).keys) == ["kcls", "type", "bsiz", "esiz", "klbl", "sign", "perm"])
    }

    @Test(arguments: [["certdata": .data([1])], ["certdata": .null]] as [[String: ItemValue]])
    func `an identity with an invalid certificate: errSecInvalidItemRef`(changes: [String: ItemValue]) throws {
        var certificate: SecCertificate?
        #expect(SecIdentityCopyCertificate(try #require(identity(changes)), &certificate) == errSecInvalidItemRef)
        #expect(certificate == nil)
    }

    @Test(arguments: [["kcls": 0], ["kcls": 7], ["type": .null]] as [[String: ItemValue]])
    func `an identity without a private key: errSecInvalidItemRef`(changes: [String: ItemValue]) throws {
        var key: SecKey?
        #expect(SecIdentityCopyPrivateKey(try #require(identity(changes)), &key) == errSecInvalidItemRef)
        #expect(key == nil)
    }

    @Test func `identities with the same attributes and bytes are equal, also in sets`() {
        #expect(identity() == identity())
        #expect(identity() != identity(["labl": "other"]))
        #expect(identity() != identity(data: []))
        #expect(identity(data: nil) == nil)
        #expect(identity()?.isEqual("identity") == false)
        #expect(Set([identity(), identity(), identity(data: [])]).count == 2)
    }

    @Test func `PKCS 12 files are not supported`() {
        var items: CFArray? = ["unchanged"] as CFArray
        #expect(SecPKCS12Import(Data() as CFData, [:] as CFDictionary, &items) == errSecUnimplemented)
        #expect(items as? [String] == ["unchanged"])
    }
}
