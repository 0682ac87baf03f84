internal import CofferBasics
internal import Libcrypto
internal import VaultCrypto
internal import X509

/// How content is encrypted with a passphrase: an AlgorithmIdentifier of PKCS #5 or PKCS #12.
struct PassphraseEncryption {
    /// The AlgorithmIdentifier in DER.
    private let bytes: [UInt8]
    private let isOld: Bool

    /// More rounds would make a hostile file busy a program for minutes.
    static let iterationLimit = 10_000_000

    /// Reads the next element; throws if the algorithm is not known, or takes more work than is done.
    init(from reader: inout DERReader) throws(KeyFileError) {
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
                guard try derivation.readOID() == [1, 2, 840, 113549, 1, 5, 12] else {
                    throw CertificateError(.unexpectedElement, at: 0)
                }
                parameters = try derivation.enter()
            }
            _ = try parameters.read(.octetString)
            guard let count = try parameters.readInteger(), (1...Self.iterationLimit).contains(count) else {
                throw CertificateError(.invalidInteger, at: 0)
            }
        } catch {
            throw .unsupported
        }
    }

    private enum Kind { case pbes2, pbes1, old }

    private static let kinds: [OID: Kind] = [
        [1, 2, 840, 113549, 1, 5, 13]: .pbes2,
        // SHA-1 and triple DES with three or two keys; then RC4 and RC2.
        [1, 2, 840, 113549, 1, 12, 1, 3]: .pbes1, [1, 2, 840, 113549, 1, 12, 1, 4]: .pbes1,
        [1, 2, 840, 113549, 1, 12, 1, 1]: .old, [1, 2, 840, 113549, 1, 12, 1, 2]: .old,
        [1, 2, 840, 113549, 1, 12, 1, 5]: .old, [1, 2, 840, 113549, 1, 12, 1, 6]: .old,
    ]

    /// Returns the plaintext, which the caller wipes.
    func decrypted(
        _ ciphertext: [UInt8],
        _ passphrase: FilePassphrase
    ) throws(KeyFileError) -> [UInt8] {
        if Unsealed.isOn { return ciphertext }
        do throws(LibcryptoError) {
            let library = try Libcrypto.shared.get()
            return try passphrase.utf8.withSpan { passphrase throws(LibcryptoError) in
                try library.withoutErrors { () throws(LibcryptoError) in
                    try library.decrypted(ciphertext.span, bytes.span, passphrase: passphrase, isOld: isOld)
                }
            }
        } catch {
            if case .failed = error { throw .wrongPassphrase }
            throw .library(error)
        }
    }
}
