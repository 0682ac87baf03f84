internal import CofferBasics

// Private keys as files hold them.
extension AsymmetricKey {
    /// Reads a PrivateKeyInfo of PKCS #8.
    ///
    /// The key on a curve may lack its point; then that of a certificate is needed.
    package convenience init(pkcs8 bytes: [UInt8], point: [UInt8]? = nil) throws(CertificateFileError) {
        do {
            var reader = DERReader(bytes, in: bytes.indices)
            var fields = try reader.enter()
            guard let version = try fields.readInteger(), version <= 1 else { throw CertificateFileError.malformed }
            let algorithm = try AlgorithmIdentifier(from: &fields)
            let kind = PublicKeyKind(algorithm, in: bytes)
            let key = try fields.read(.octetString).content
            guard kind != .ed448, kind != nil || algorithm.algorithm == .x25519 else {
                throw CertificateFileError.unsupported
            }
            switch kind {
            case .rsa: try self.init(.rsa, bytes, key)
            case .ellipticCurve(let curve): try self.init(sec1: bytes, in: key, on: curve, point: point)
            default:
                var reader = DERReader(bytes, in: key)
                let seed = try reader.read(.octetString).content
                try reader.expectEnd()
                try self.init(kind == .ed25519 ? .ed25519 : .x25519, bytes, seed)
            }
        } catch {
            throw CertificateFileError(error)
        }
    }

    /// Reads an ECPrivateKey of SEC 1.
    package convenience init(sec1 bytes: [UInt8]) throws {
        try self.init(sec1: bytes, in: bytes.indices, on: nil, point: nil)
    }

    private convenience init(
        sec1 bytes: [UInt8],
        in range: Range<Int>,
        on curve: PublicKeyKind.NamedCurve?,
        point: [UInt8]?
    ) throws {
        var curve = curve
        var pointRange: Range<Int>?
        var reader = DERReader(bytes, in: range)
        var fields = try reader.enter()
        try reader.expectEnd()
        guard try fields.readInteger() == 1 else { throw CertificateFileError.malformed }
        let number = try fields.read(.octetString).content
        if fields.nextTag == .contextConstructed(0) {
            var parameters = try fields.enter(.contextConstructed(0))
            curve = PublicKeyKind.NamedCurve(try parameters.readOID())
        }
        if fields.nextTag == .contextConstructed(1) {
            var key = try fields.enter(.contextConstructed(1))
            pointRange = try key.readBitString()
        }
        try fields.expectEnd()
        guard let curve else { throw CertificateFileError.unsupported }
        let point = pointRange.map { Array(bytes[$0]) } ?? point
        guard let point, number.count <= curve.byteCount else { throw CertificateFileError.malformed }
        // With zeros in front of the number, which some programs leave out.
        var key = point + [UInt8](zeroByteCount: curve.byteCount)
        key.replaceSubrange((key.count - number.count)..., with: bytes[number])
        defer { key.wipe() }
        try self.init(.ellipticCurve, key, key.indices)
    }

    /// Reads the key at `range` in Apple's form, and checks it.
    private convenience init(_ type: KeyType, _ bytes: [UInt8], _ range: Range<Int>) throws {
        try self.init(type, isPrivate: true, bytes.span.extracting(range))
        try validate()
    }
}
