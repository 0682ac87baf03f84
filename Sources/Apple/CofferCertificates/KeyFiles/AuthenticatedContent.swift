internal import CofferBasics
internal import VaultCrypto

/// The outer structure of a PKCS #12 file: content, and its authentication code.
struct AuthenticatedContent {
    /// The file.
    let bytes: [UInt8]
    /// The content, which the code is about.
    let content: Range<Int>
    private let code: Range<Int>
    private let salt: Range<Int>
    private let iterationCount: Int
    private let function: HashFunction

    private static let functions: [OID: HashFunction] = [
        [1, 3, 14, 3, 2, 26]: .sha1, [2, 16, 840, 1, 101, 3, 4, 2, 4]: .sha224,
        .sha256: .sha256, [2, 16, 840, 1, 101, 3, 4, 2, 2]: .sha384,
        [2, 16, 840, 1, 101, 3, 4, 2, 3]: .sha512,
    ]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        var reader = DERReader(bytes, in: bytes.indices)
        var fields = try reader.enter()
        guard try fields.readInteger() == 3 else { throw CertificateFileError.malformed }
        var part = try fields.enter()
        guard try part.readOID() == .data else { throw CertificateFileError.malformed }
        var data = try part.enter(.contextConstructed(0))
        content = try data.read(.octetString).content
        // Files without a code can be changed by anybody.
        var authentication = try fields.enter()
        var digest = try authentication.enter()
        let algorithm = try AlgorithmIdentifier(from: &digest)
        if let parameters = algorithm.parameters, parameters.tag != .null || !parameters.content.isEmpty {
            throw CertificateFileError.malformed
        }
        code = try digest.read(.octetString).content
        salt = try authentication.read(.octetString).content
        iterationCount = authentication.isAtEnd ? 1 : try authentication.readInteger() ?? 0
        guard let function = Self.functions[algorithm.algorithm], iterationCount > 0 else {
            throw CertificateFileError.unsupported
        }
        self.function = function
    }

    /// Whether the code is that of the content, for this passphrase.
    func isAuthentic(_ passphrase: FilePassphrase, _ rounds: inout DerivationRounds) throws -> Bool {
        try rounds.spend(iterationCount)
        if Unsealed.isOn { return true }
        let bytes = bytes.span
        let made = try Self.code(
            of: bytes.extracting(content),
            function,
            passphrase,
            salt: bytes.extracting(salt),
            iterationCount: iterationCount
        )
        return made.span.hasSameBytes(as: bytes.extracting(code))
    }

    private static func code(
        of content: Span<UInt8>,
        _ function: HashFunction,
        _ passphrase: FilePassphrase,
        salt: Span<UInt8>,
        iterationCount: Int
    ) throws -> [UInt8] {
        let library = try Libcrypto.shared.get()
        return try passphrase.utf16.withSpan { passphrase in
            try library.withoutErrors {
                try library.pkcs12Code(
                    of: content,
                    function,
                    passphrase: passphrase,
                    salt: salt,
                    iterationCount: iterationCount
                )
            }
        }
    }

    /// A new file with this content, whose code is an HMAC-SHA256.
    static func file(with content: [UInt8], _ passphrase: FilePassphrase) throws -> [UInt8] {
        let (salt, count) = (PassphraseEncryption.randomBytes(16), PassphraseEncryption.iterationCount)
        let code = try code(of: content.span, .sha256, passphrase, salt: salt.span, iterationCount: count)
        let algorithm = [UInt8](.sequence, [UInt8](identifier: .sha256), [UInt8](.null))
        let digest = [UInt8](.sequence, algorithm, [UInt8](.octetString, code))
        return [UInt8](
            .sequence,
            [UInt8](integer: 3),
            part(.data, [UInt8](.octetString, content)),
            [UInt8](.sequence, digest, [UInt8](.octetString, salt), [UInt8](integer: count))
        )
    }

    /// A ContentInfo.
    static func part(_ type: OID, _ content: [UInt8]) -> [UInt8] {
        [UInt8](.sequence, [UInt8](identifier: type), [UInt8](.contextConstructed(0), content))
    }
}

extension OID {
    /// Content of PKCS #7 that is not encrypted.
    static let data: OID = [1, 2, 840, 113549, 1, 7, 1]
    fileprivate static let sha256: OID = [2, 16, 840, 1, 101, 3, 4, 2, 1]
}
