import CofferCertificates

// DER for tests, valid or not, written without the code under test.

/// An element with this tag, and the contents one after the other.
func element(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] { element(tag, contents) }

func element(_ tag: UInt8, _ contents: [[UInt8]]) -> [UInt8] {
    let content = joined(contents)
    return header(tag, content.count) + content
}

/// The tag and the length of an element.
func header(_ tag: UInt8, _ count: Int) -> [UInt8] {
    guard count >= 0x80 else { return [tag, UInt8(count)] }
    var digits: [UInt8] = []
    var rest = count
    while rest > 0 {
        digits.insert(UInt8(rest & 0xFF), at: 0)
        rest >>= 8
    }
    return [tag, 0x80 | UInt8(digits.count)] + digits
}

/// The contents one after the other; much faster than `flatMap` where nothing is optimized.
func joined(_ contents: [[UInt8]]) -> [UInt8] {
    var bytes: [UInt8] = []
    for content in contents { bytes += content }
    return bytes
}

/// The same bytes several times.
func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] { joined(Array(repeating: bytes, count: count)) }

func sequence(_ contents: [UInt8]...) -> [UInt8] { element(0x30, contents) }

func text(_ tag: UInt8, _ text: String) -> [UInt8] { element(tag, Array(text.utf8)) }

/// An object identifier, of numbers below 2²¹ with dots in between.
func oid(_ text: String) -> [UInt8] {
    let arcs = text.split(separator: ".").map { Int($0) ?? -1 }
    var content: [UInt8] = [UInt8(arcs[0] * 40 + arcs[1])]
    for arc in arcs[2...] {
        if arc >= 1 << 14 { content.append(0x80 | UInt8(arc >> 14)) }
        if arc >= 1 << 7 { content.append(0x80 | UInt8(arc >> 7 & 0x7F)) }
        content.append(UInt8(arc & 0x7F))
    }
    return element(0x06, content)
}

/// A relative name of one attribute.
func attribute(_ type: String, _ value: [UInt8]) -> [UInt8] { element(0x31, sequence(oid(type), value)) }

func extended(_ identifier: String, isCritical: Bool = true, _ value: [UInt8]) -> [UInt8] {
    sequence(oid(identifier), isCritical ? element(0x01, [0xFF]) : [], element(0x04, value))
}

/// The parts of a certificate; each can be replaced by anything.
struct CertificateSketch {
    var version = element(0xA0, element(0x02, [2]))
    var serialNumber = element(0x02, [1])
    var signedAlgorithm = sequence(oid("1.2.840.10045.4.3.2"))
    var issuer = sequence(attribute("2.5.4.3", text(0x0C, "Issuer")))
    var validity = sequence(text(0x17, "240101000000Z"), text(0x17, "250101000000Z"))
    var subject = sequence(attribute("2.5.4.3", text(0x0C, "Subject")))
    var publicKey = sequence(sequence(oid("1.3.101.112")), element(0x03, [0], Array(repeating: 7, count: 32)))
    var uniqueIdentifiers: [UInt8] = []
    var extensions: [UInt8] = []
    var signatureAlgorithm = sequence(oid("1.2.840.10045.4.3.2"))
    var signature = element(0x03, [0, 1, 2, 3])

    init() {}

    init(subject: [UInt8]..., alternativeNames: [[UInt8]] = []) {
        self.subject = element(0x30, subject)
        guard !alternativeNames.isEmpty else { return }
        self = with(extended("2.5.29.17", element(0x30, alternativeNames)))
    }

    /// The same with these extensions.
    func with(_ extensions: [UInt8]...) -> CertificateSketch {
        var sketch = self
        sketch.extensions = element(0xA3, element(0x30, extensions))
        return sketch
    }

    var bytes: [UInt8] {
        let signed = sequence(
            version,
            serialNumber,
            signedAlgorithm,
            issuer,
            validity,
            subject,
            publicKey,
            uniqueIdentifiers,
            extensions
        )
        return sequence(signed, signatureAlgorithm, signature)
    }

    func certificate() throws -> X509Certificate { try X509Certificate(parsing: bytes) }

    /// Why the certificate is rejected; nil if it is not.
    var fault: CertificateError.Fault? {
        do throws(CertificateError) {
            _ = try X509Certificate(parsing: bytes)
            return nil
        } catch {
            return error.fault
        }
    }
}
