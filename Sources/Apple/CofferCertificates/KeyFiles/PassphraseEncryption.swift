internal import CofferBasics
internal import VaultCrypto

/// How content is encrypted with a passphrase: an AlgorithmIdentifier of PKCS #5 or PKCS #12.
struct PassphraseEncryption {
    /// The AlgorithmIdentifier in DER.
    let bytes: [UInt8]
    private let isOld: Bool
    private let rounds: Int

    /// How many rounds new files take: what other programs read within a second.
    static let iterationCount = 100_000

    /// A new one, with its own salt: AES-256-CBC, with a key by PBKDF2 with HMAC-SHA256.
    init() {
        let derivation = [UInt8](
            .sequence,
            [UInt8](.octetString, Self.randomBytes(16)),
            [UInt8](integer: Self.iterationCount),
            [UInt8](.sequence, [UInt8](identifier: .hmacWithSHA256), [UInt8](.null))
        )
        bytes = [UInt8](
            .sequence,
            [UInt8](identifier: .pbes2),
            [UInt8](
                .sequence,
                [UInt8](.sequence, [UInt8](identifier: .pbkdf2), derivation),
                [UInt8](.sequence, [UInt8](identifier: .aes256CBC), [UInt8](.octetString, Self.randomBytes(16)))
            )
        )
        (isOld, rounds) = (false, Self.iterationCount)
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Reads the next element; throws if the algorithm is not known.
    init(from reader: inout DERReader) throws {
        do {
            let element = try reader.read(.sequence)
            bytes = Array(reader.bytes[element.range])
            var fields = DERReader(reader.bytes, in: element.content)
            let algorithm = try fields.readOID()
            guard let kind = Self.kinds[algorithm] else { throw CertificateError(.unexpectedElement, at: 0) }
            isOld = kind == .old
            var parameters = try fields.enter()
            if kind == .pbes2 {
                var derivation = try parameters.enter()
                guard try derivation.readOID() == .pbkdf2 else {
                    throw CertificateError(.unexpectedElement, at: 0)
                }
                parameters = try derivation.enter()
            }
            _ = try parameters.read(.octetString)
            guard let count = try parameters.readInteger(), count > 0 else {
                throw CertificateError(.invalidInteger, at: 0)
            }
            rounds = count
        } catch {
            throw CertificateFileError.unsupported
        }
    }

    private enum Kind { case pbes2, pbes1, old }

    private static let kinds: [OID: Kind] = [
        .pbes2: .pbes2,
        // SHA-1 and triple DES with three or two keys; then RC4 and RC2.
        [1, 2, 840, 113549, 1, 12, 1, 3]: .pbes1, [1, 2, 840, 113549, 1, 12, 1, 4]: .pbes1,
        [1, 2, 840, 113549, 1, 12, 1, 1]: .old, [1, 2, 840, 113549, 1, 12, 1, 2]: .old,
        [1, 2, 840, 113549, 1, 12, 1, 5]: .old, [1, 2, 840, 113549, 1, 12, 1, 6]: .old,
    ]

    /// Returns the plaintext, which the caller wipes.
    func decrypted(
        _ ciphertext: [UInt8],
        _ passphrase: FilePassphrase,
        _ budget: inout DerivationRounds
    ) throws -> [UInt8] {
        try budget.spend(rounds)
        if Unsealed.isOn { return ciphertext }
        do {
            return try crypt(ciphertext.span, passphrase, encrypts: false)
        } catch LibcryptoError.failed {
            throw CertificateFileError.wrongPassphrase
        }
    }

    /// Returns the ciphertext.
    func encrypted(_ plaintext: Span<UInt8>, _ passphrase: FilePassphrase) throws -> [UInt8] {
        try crypt(plaintext, passphrase, encrypts: true)
    }

    private func crypt(_ input: Span<UInt8>, _ passphrase: FilePassphrase, encrypts: Bool) throws -> [UInt8] {
        let library = try Libcrypto.shared.get()
        return try passphrase.utf8.withSpan { passphrase in
            try library.withoutErrors {
                try library.crypt(input, bytes.span, passphrase: passphrase, encrypts: encrypts, isOld: isOld)
            }
        }
    }
}

extension OID {
    fileprivate static let pbes2: OID = [1, 2, 840, 113549, 1, 5, 13]
    fileprivate static let pbkdf2: OID = [1, 2, 840, 113549, 1, 5, 12]
    fileprivate static let hmacWithSHA256: OID = [1, 2, 840, 113549, 2, 9]
    fileprivate static let aes256CBC: OID = [2, 16, 840, 1, 101, 3, 4, 1, 42]
}

/// How many more rounds of key derivation are done for a file.
///
/// All parts of a file share them: a part takes a hundred bytes, and may ask for millions of rounds.
struct DerivationRounds {
    private var left = 10_000_000

    /// Takes the rounds of a derivation that is about to be made.
    mutating func spend(_ count: Int) throws {
        guard count <= left else { throw CertificateFileError.tooManyRounds }
        left -= count
    }
}

/// The passphrase of a file, in the forms that its algorithms need.
package final class FilePassphrase: Sendable {
    /// UTF-8, followed by a NUL; empty if there is no passphrase.
    let utf8: SecretBuffer
    /// UTF-16, highest byte first, followed by two zeros; empty if there is no passphrase.
    let utf16: SecretBuffer

    /// Takes a passphrase in UTF-8, which may be empty.
    package init(_ bytes: Span<UInt8>) {
        var utf8 = SecretBuffer(byteCount: bytes.count + 1)
        utf8.withMutableSpan { $0.copy(from: bytes) }
        var unitCount = 0
        bytes.forEachUTF16 { _ in unitCount += 1 }
        var utf16 = SecretBuffer(byteCount: 2 * (unitCount + 1))
        utf16.withMutableSpan { utf16 in
            var offset = 0
            bytes.forEachUTF16 { unit in
                utf16[offset] = UInt8(unit >> 8)
                utf16[offset + 1] = UInt8(unit & 0xFF)
                offset += 2
            }
        }
        self.utf8 = utf8
        self.utf16 = utf16
    }

    /// No passphrase, which some programs use for an empty one.
    init() {
        utf8 = SecretBuffer(byteCount: 0)
        utf16 = SecretBuffer(byteCount: 0)
    }

    /// Whether the passphrase is empty.
    var isEmpty: Bool { utf8.byteCount <= 1 }
}

extension Span<UInt8> {
    /// Calls `body` with each unit of this UTF-8 in UTF-16.
    fileprivate func forEachUTF16(_ body: (UInt16) -> Void) {
        unsafe withUnsafeBufferPointer { bytes in
            let units = unsafe bytes.makeIterator()
            _ = unsafe transcode(units, from: UTF8.self, to: UTF16.self, stoppingOnError: false, into: body)
        }
    }
}
