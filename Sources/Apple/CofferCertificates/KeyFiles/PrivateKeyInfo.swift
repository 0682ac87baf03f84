internal import CofferBasics

// Private keys as files hold them.
extension AsymmetricKey {
    /// Reads a PrivateKeyInfo of PKCS #8.
    ///
    /// The key on a curve may lack its point; then that of a certificate is needed.
    package convenience init(pkcs8 bytes: [UInt8], point: [UInt8]? = nil) throws(CertificateFileError) {
        let kind: PublicKeyKind?
        let isX25519: Bool
        let key: Range<Int>
        do throws(CertificateError) {
            var reader = DERReader(bytes, in: bytes.indices)
            var fields = try reader.enter()
            guard let version = try fields.readInteger(), version <= 1 else {
                throw CertificateError(.unsupportedVersion, at: 0)
            }
            let algorithm = try AlgorithmIdentifier(from: &fields)
            kind = PublicKeyKind(algorithm, in: bytes)
            isX25519 = algorithm.algorithm == .x25519
            key = try fields.read(.octetString).content
        } catch {
            throw .malformed
        }
        let isEd25519 = kind == .ed25519
        guard kind != .ed448, kind != nil || isX25519 else { throw .unsupported }
        switch kind {
        case .rsa: try self.init(.rsa, bytes, key)
        case .ellipticCurve(let curve): try self.init(sec1: bytes, in: key, on: curve, point: point)
        default:
            var reader = DERReader(bytes, in: key)
            guard let seed = try? reader.read(.octetString).content, reader.isAtEnd else { throw .malformed }
            try self.init(isEd25519 ? .ed25519 : .x25519, bytes, seed)
        }
    }

    /// Reads an ECPrivateKey of SEC 1.
    package convenience init(sec1 bytes: [UInt8]) throws(CertificateFileError) {
        try self.init(sec1: bytes, in: bytes.indices, on: nil, point: nil)
    }

    private convenience init(
        sec1 bytes: [UInt8],
        in range: Range<Int>,
        on curve: PublicKeyKind.NamedCurve?,
        point: [UInt8]?
    ) throws(CertificateFileError) {
        var curve = curve
        var pointRange: Range<Int>?
        let number: Range<Int>
        do throws(CertificateError) {
            var reader = DERReader(bytes, in: range)
            var fields = try reader.enter()
            try reader.expectEnd()
            guard try fields.readInteger() == 1 else { throw CertificateError(.unsupportedVersion, at: 0) }
            number = try fields.read(.octetString).content
            if fields.nextTag == .contextConstructed(0) {
                var parameters = try fields.enter(.contextConstructed(0))
                curve = PublicKeyKind.NamedCurve(try parameters.readOID())
            }
            if fields.nextTag == .contextConstructed(1) {
                var key = try fields.enter(.contextConstructed(1))
                pointRange = try key.readBitString()
            }
            try fields.expectEnd()
        } catch {
            throw .malformed
        }
        guard let curve else { throw .unsupported }
        let point = pointRange.map { Array(bytes[$0]) } ?? point
        guard let point, number.count <= curve.byteCount else { throw .malformed }
        // With zeros in front of the number, which some programs leave out.
        var key = point + [UInt8](zeroByteCount: curve.byteCount)
        key.replaceSubrange((key.count - number.count)..., with: bytes[number])
        defer { key.wipe() }
        try self.init(.ellipticCurve, key, key.indices)
    }

    /// Reads the key at `range` in Apple's form, and checks it.
    private convenience init(_ type: KeyType, _ bytes: [UInt8], _ range: Range<Int>) throws(CertificateFileError) {
        do throws(KeyError) {
            try self.init(type, isPrivate: true, bytes.span.extracting(range))
            try validate()
        } catch {
            throw CertificateFileError(error)
        }
    }
}
