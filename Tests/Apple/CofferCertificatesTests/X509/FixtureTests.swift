import CofferCertificates
import Foundation
import TestSupport
import Testing

/// What other programs read in a certificate of `Fixtures/x509`.
struct Expectation: Decodable, Sendable {
    struct Extension: Decodable {
        let identifier: String
        let isCritical: Bool
        let value: [Int]
    }

    struct Name: Decodable, Equatable {
        let kind: String
        let content: String
    }

    struct Basic: Decodable {
        let isAuthority: Bool
        let pathLength: Int?
    }

    struct Authority: Decodable {
        let keyIdentifier: String
        let serialNumber: Int?
    }

    struct Values: Decodable {
        let basicConstraints: Basic?
        let keyUsage: UInt16?
        let extendedKeyUsage: [String]?
        let subjectAlternativeNames: [Name]?
        let subjectKeyIdentifier: String?
        let authorityKeyIdentifier: Authority?
        let permitted: [Name]?
        let excluded: [Name]?
    }

    let tbs: [Int]
    let signature: [Int]
    let signatureAlgorithm: String
    let signedAlgorithm: String
    let version: Int
    let serialNumber: [Int]
    let issuer: [Int]
    let subject: [Int]
    let notValidBefore: Int64
    let notValidAfter: Int64
    let publicKeyInfo: [Int]
    let key: String
    let keyKind: String?
    let extensions: [Extension]
    let issuerAttributes: [[String]]
    let subjectAttributes: [[String]]
    let normalizedIssuer: String
    let normalizedSubject: String
    /// Nil if the other program rejects the certificate.
    let values: Values?
}

/// A certificate of `Fixtures/x509`.
struct Fixture: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let expectation: Expectation

    static func all() throws -> [Fixture] {
        let base = Repository.root.appending(path: "Fixtures/x509")
        let list = try Data(contentsOf: base.appending(path: "expected.json"))
        return try JSONDecoder().decode([String: Expectation].self, from: list).sorted { $0.key < $1.key }.map { one in
            let bytes = try [UInt8](Data(contentsOf: base.appending(path: "\(one.key).der")))
            return Fixture(testDescription: one.key, bytes: bytes, expectation: one.value)
        }
    }
}

@Suite("Certificates that other programs read") struct FixtureTests {
    @Test func `every file has expected values`() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Repository.root.appending(path: "Fixtures/x509").path
        )
        let files = names.filter { $0.hasSuffix(".der") }.map { String($0.dropLast(4)) }
        #expect(try files.sorted() == Fixture.all().map(\.testDescription))
        #expect(files.count > 30)
    }

    @Test(arguments: try Fixture.all())
    func `the fields match those that OpenSSL reads`(fixture: Fixture) throws {
        let certificate = try X509Certificate(parsing: fixture.bytes)
        let expected = fixture.expectation
        #expect(certificate.bytes == fixture.bytes)
        #expect(certificate.tbsRange.bounds == expected.tbs)
        #expect(certificate.signature.bounds == expected.signature)
        #expect(Array(certificate.signatureAlgorithm.algorithm.content).hexadecimal == expected.signatureAlgorithm)
        #expect(Array(certificate.signedAlgorithm.algorithm.content).hexadecimal == expected.signedAlgorithm)
        #expect(certificate.version == expected.version)
        #expect(certificate.serialNumber.bounds == expected.serialNumber)
        #expect(certificate.issuer.bounds == expected.issuer)
        #expect(certificate.subject.bounds == expected.subject)
        #expect(certificate.notValidBefore == expected.notValidBefore)
        #expect(certificate.notValidAfter == expected.notValidAfter)
    }

    @Test(arguments: try Fixture.all())
    func `the key matches the one that other programs read`(fixture: Fixture) throws {
        let certificate = try X509Certificate(parsing: fixture.bytes)
        let expected = fixture.expectation
        #expect(certificate.publicKey.range.bounds == expected.publicKeyInfo)
        #expect(certificate.hexadecimal(certificate.publicKey.key) == expected.key)
        let kind: String? =
            switch certificate.publicKey.kind {
            case .rsa: "rsa"
            case .ellipticCurve(let curve): "\(curve)"
            case .ed25519: "ed25519"
            case .ed448: "ed448"
            case nil: nil
            }
        #expect(kind == expected.keyKind)
    }

    @Test(arguments: try Fixture.all())
    func `the names match those that OpenSSL reads`(fixture: Fixture) throws {
        let certificate = try X509Certificate(parsing: fixture.bytes)
        let expected = fixture.expectation
        let issuer = try #require(certificate.issuerName)
        let subject = try #require(certificate.subjectName)
        #expect(issuer.attributes.map(\.text) == expected.issuerAttributes.map { $0[1] })
        #expect(subject.attributes.map(\.text) == expected.subjectAttributes.map { $0[1] })
        #expect(subject.attributes.map(\.type) == expected.subjectAttributes.map { OID(dotted: $0[0]) })
        #expect(subject.attributes.map(\.type.description) == expected.subjectAttributes.map { $0[0] })
        #expect(issuer.normalized.hexadecimal == expected.normalizedIssuer)
        #expect(subject.normalized.hexadecimal == expected.normalizedSubject)
    }

    @Test(arguments: try Fixture.all())
    func `the extensions match those that other programs read`(fixture: Fixture) throws {
        let certificate = try X509Certificate(parsing: fixture.bytes)
        let expected = fixture.expectation
        #expect(
            certificate.extensions.map { Array($0.identifier.content).hexadecimal }
                == expected.extensions.map(\.identifier)
        )
        #expect(certificate.extensions.map(\.isCritical) == expected.extensions.map(\.isCritical))
        #expect(certificate.extensions.map(\.value.bounds) == expected.extensions.map(\.value))
        guard let values = expected.values else { return }
        #expect(!certificate.extensions.contains { $0.isMalformed })
        #expect(certificate.basicConstraints?.isAuthority == values.basicConstraints?.isAuthority)
        #expect(certificate.basicConstraints?.pathLength == values.basicConstraints?.pathLength)
        #expect(certificate.keyUsage?.rawValue == values.keyUsage)
        #expect(certificate.extendedKeyUsage == values.extendedKeyUsage?.map(OID.init(dotted:)))
        #expect(certificate.subjectAlternativeNames.map(certificate.names) == values.subjectAlternativeNames)
        #expect(certificate.subjectKeyIdentifier.map(certificate.hexadecimal) == values.subjectKeyIdentifier)
        #expect((certificate.nameConstraints?.permitted).map(certificate.names) == values.permitted)
        #expect((certificate.nameConstraints?.excluded).map(certificate.names) == values.excluded)
        let authority = certificate.authorityKeyIdentifier
        #expect((authority?.keyIdentifier).map(certificate.hexadecimal) == values.authorityKeyIdentifier?.keyIdentifier)
        let serialNumber = (authority?.serialNumber).map { certificate.bytes[$0].reduce(0) { $0 << 8 | Int($1) } }
        #expect(serialNumber == values.authorityKeyIdentifier?.serialNumber)
    }
}

extension X509Certificate {
    fileprivate func hexadecimal(_ range: Range<Int>) -> String { Array(bytes[range]).hexadecimal }

    fileprivate func names(_ names: [GeneralName]) -> [Expectation.Name] {
        names.map { Expectation.Name(kind: "\($0.kind)", content: hexadecimal($0.content)) }
    }
}

extension Range<Int> {
    fileprivate var bounds: [Int] { [lowerBound, upperBound] }
}

extension OID {
    fileprivate init(dotted text: String) {
        self.init(text.split(separator: ".").compactMap { Int($0) })
    }
}
