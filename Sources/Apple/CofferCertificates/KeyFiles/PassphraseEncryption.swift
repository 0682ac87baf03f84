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
    init(from reader: inout DERReader) throws(CertificateFileError) {
        do throws(CertificateError) {
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
            throw .unsupported
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
    ) throws(CertificateFileError) -> [UInt8] {
        try budget.spend(rounds)
        if Unsealed.isOn { return ciphertext }
        do throws(LibcryptoError) {
            return try crypt(ciphertext.span, passphrase, encrypts: false)
        } catch {
            if case .failed = error { throw .wrongPassphrase }
            throw .library(error)
        }
    }

    /// Returns the ciphertext.
    func encrypted(_ plaintext: Span<UInt8>, _ passphrase: FilePassphrase) throws(CertificateFileError) -> [UInt8] {
        do throws(LibcryptoError) {
            return try crypt(plaintext, passphrase, encrypts: true)
        } catch {
            throw .library(error)
        }
    }

    private func crypt(
        _ input: Span<UInt8>,
        _ passphrase: FilePassphrase,
        encrypts: Bool
    ) throws(LibcryptoError) -> [UInt8] {
        let library = try Libcrypto.shared.get()
        return try passphrase.utf8.withSpan { passphrase throws(LibcryptoError) in
            try library.withoutErrors { () throws(LibcryptoError) in
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
