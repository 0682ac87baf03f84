internal import CofferBasics

/// A private key in PKCS #8 (RFC 5958) for SSH.
struct PKCS8Key {
    /// The key in DER.
    let bytes: HeldSecret
    /// The name of its algorithm in SSH.
    let sshType: String

    /// Recognizes a key in DER or PEM; nil if it is something else, or of an algorithm that SSH does not have.
    init?(_ key: HeldSecret) {
        let bytes = key.withSpan(PrivateKeyPEM.decoded) ?? key
        guard let type = bytes.withSpan(Self.sshType) else { return nil }
        (self.bytes, sshType) = (bytes, type)
    }

    /// Object identifiers in DER, and the types of SSH.
    private static let types: [(identifier: [UInt8], type: String)] = [
        // 1.3.101.112
        ([0x06, 0x03, 0x2B, 0x65, 0x70], "ssh-ed25519"),
        // 1.2.840.113549.1.1.1
        ([0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01], "ssh-rsa"),
        // 1.2.840.10045.2.1 with the curves 1.2.840.10045.3.1.7, 1.3.132.0.34 and 1.3.132.0.35
        (ellipticCurve + [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07], "ecdsa-sha2-nistp256"),
        (ellipticCurve + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x22], "ecdsa-sha2-nistp384"),
        (ellipticCurve + [0x06, 0x05, 0x2B, 0x81, 0x04, 0x00, 0x23], "ecdsa-sha2-nistp521"),
    ]
    private static let ellipticCurve: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

    /// The type of a key: a sequence that fills the bytes, a version, and a sequence that begins with the algorithm.
    private static func sshType(_ bytes: Span<UInt8>) -> String? {
        guard let start = content(of: bytes, at: 0, upTo: bytes.count), bytes.has([0x02, 0x01], at: start),
            let algorithm = content(of: bytes, at: start + 3, upTo: nil)
        else { return nil }
        return types.first { bytes.has($0.identifier, at: algorithm) }?.type
    }

    /// Where the content of the sequence at `offset` begins; nil if there is none, or it does not reach to `end`.
    private static func content(of bytes: Span<UInt8>, at offset: Int, upTo end: Int?) -> Int? {
        guard offset + 2 <= bytes.count, bytes[offset] == 0x30 else { return nil }
        let first = Int(bytes[offset + 1])
        let lengthByteCount = first < 0x80 ? 0 : first - 0x80
        let start = offset + 2 + lengthByteCount
        guard lengthByteCount <= 4, start <= bytes.count else { return nil }
        let length = (offset + 2..<start).reduce(first < 0x80 ? first : 0) { $0 << 8 | Int(bytes[$1]) }
        guard length <= bytes.count - start, end.map({ start + length == $0 }) ?? true else { return nil }
        return start
    }
}
