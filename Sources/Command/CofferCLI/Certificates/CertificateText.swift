internal import Coffer
internal import CofferBasics
internal import CofferCertificates

// How certificates are shown.
extension X509Certificate {
    /// The subject in one line.
    var subjectText: String { subjectName?.text ?? "0x\(Array(bytes[subject]).hexDigits)" }

    /// The issuer in one line.
    var issuerText: String { issuerName?.text ?? "0x\(Array(bytes[issuer]).hexDigits)" }

    /// The start of the validity.
    var start: KeychainDate { KeychainDate(secondsSinceReferenceDate: Double(notValidBefore)) }

    /// The end of the validity.
    var end: KeychainDate { KeychainDate(secondsSinceReferenceDate: Double(notValidAfter)) }

    /// The digest by which people compare certificates.
    func fingerprint(_ function: HashFunction) throws -> [UInt8] {
        let bytes = bytes
        do throws(LibcryptoError) {
            return try Libcrypto.shared.get().digest(function, of: bytes.span)
        } catch {
            throw CommandError(.library(error), of: "the hash of a certificate")
        }
    }

    /// The members of JSON output besides those of the item.
    var members: [(key: String, value: JSON)] {
        [
            ("subject", .string(subjectText)), ("issuer", .string(issuerText)),
            ("serialNumber", .string(Array(bytes[serialNumber]).hexDigits)),
            ("validFrom", JSON(start)), ("validUntil", JSON(end)),
            ("sha256", (try? fingerprint(.sha256)).map { .string($0.hexDigits) } ?? .null),
        ]
    }
}

extension CommandRun {
    /// Adds what a certificate says.
    func add(_ certificate: X509Certificate, to facts: inout FactList) {
        facts.add("subject", certificate.subjectText)
        facts.add("issuer", certificate.issuerText)
        facts.add("serial number", Array(certificate.bytes[certificate.serialNumber]).hexDigits)
        facts.add("valid from", shown(certificate.start))
        facts.add("valid until", shown(certificate.end))
        // Without alternative names, the DNS names are those that the subject has.
        let names =
            (certificate.subjectAlternativeNames == nil ? [] : certificate.dnsNames) + certificate.emailAddresses
        facts.add("names", names.isEmpty ? nil : names.joined(separator: ", "))
        facts.add("public key", AsymmetricKey(of: certificate).map { $0.kind.type.text(Int64($0.kind.bitCount)) })
        facts.add("SHA-256", (try? certificate.fingerprint(.sha256))?.hexDigits)
    }
}

extension KeyType {
    /// The type and size of a key: `RSA 2048`.
    func text(_ bitCount: Int64) -> String {
        switch self {
        case .rsa: "RSA \(bitCount)"
        case .ellipticCurve: "EC \(bitCount)"
        case .ed25519: "Ed25519"
        case .x25519: "X25519"
        }
    }
}
