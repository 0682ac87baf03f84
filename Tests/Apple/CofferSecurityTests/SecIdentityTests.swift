import Coffer
import Foundation
import Security
import Testing

@Suite("Identities") struct SecIdentityTests {
    /// An identity from the keychain.
    private func identity(_ changes: [String: ItemValue] = [:], data: [UInt8]? = samplePrivateKey) -> SecIdentity? {
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
        #expect(key.flatMap { SecKeyCopyExternalRepresentation($0, nil) } as Data? == Data(samplePrivateKey))
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

    @Test(
        arguments: [["certdata": .data([1])], ["certdata": .null], ["kcls": 0], ["kcls": 7], ["type": .null]]
            as [[String: ItemValue]]
    )
    func `without a certificate or a private key there is no identity`(changes: [String: ItemValue]) {
        #expect(identity(changes) == nil)
    }

    @Test func `identities with equal certificates and keys are equal, also in sets`() {
        #expect(identity() == identity())
        #expect(identity() == identity(["labl": "other"]))
        #expect(identity() != identity(["certdata": .data(otherCertificate)]))
        #expect(identity(data: nil) == nil)
        #expect(identity()?.isEqual("identity") == false)
        #expect(Set([identity(), identity(), identity(["certdata": .data(otherCertificate)])]).count == 2)
    }

    @Test func `a certificate and the private half of its key make an identity`() throws {
        let key = try #require(
            SecKeyCreateRandomKey(
                [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeySizeInBits: 256] as CFDictionary,
                nil
            )
        )
        let certificate = try #require(sampleSecCertificate())
        #expect(SecIdentityCreate(nil, certificate, key) == nil)
    }
}
