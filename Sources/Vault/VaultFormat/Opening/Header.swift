internal import CofferBasics
package import VaultCrypto

/// Section 2.1: the first 320 bytes of a vault, which never change within a generation.
package struct Header: Equatable, Sendable {
    package static let byteCount = 320
    package static let magic: [UInt8] = [0x89, 0x43, 0x4F, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]
    static let majorVersion = 1
    /// The number of the draft of the format that this program reads and writes.
    package static let draft = 5
    private static let draftFeature: UInt32 = 1 << 31
    static let suiteNumber: UInt8 = 1
    private static let hashedByteCount = 192
    static let macOffset = 224
    package static let signatureOffset = 256

    package var vault: VaultID
    package var generation: UInt64
    package var features = Features()
    package var salt: [UInt8]
    package var keybagByteCount: Int
    package var directoryByteCount: Int
    package var snapshotByteCount: Int
    package var baseSequence: UInt64
    package var previousChain: [UInt8]
    package var keybagHash: [UInt8]
    package var directoryHash: [UInt8]

    /// The features that a reader must know before it may read or write.
    package struct Features: Equatable, Sendable {
        package var incompatible: UInt32 = draftFeature
        package var readOnlyCompatible: UInt32 = 0
        package var compatible: UInt32 = 0

        /// Whether the log is shared: then only those write who publish first what they write.
        package var isShared: Bool { readOnlyCompatible & Self.shared != 0 }
        package static let shared: UInt32 = 1
    }

    /// The range of the keybag in the file.
    package var keybagRange: Range<Int> { Self.byteCount..<Self.byteCount + keybagByteCount }
    /// The range of the snapshot in the file, including the directory at its start.
    package var snapshotRange: Range<Int> { keybagRange.upperBound..<keybagRange.upperBound + snapshotByteCount }
    /// The range of the directory in the file.
    package var directoryRange: Range<Int> { keybagRange.upperBound..<keybagRange.upperBound + directoryByteCount }
    /// The offset of the first frame.
    package var logOffset: Int { snapshotRange.upperBound }
}

// MARK: - Reading

extension Header {
    /// Reads the header of a file of `fileByteCount` bytes from its first bytes, checking in the order of section 2.1.
    ///
    /// The header is not authenticated until ``isAuthentic(_:key:)`` has checked its MAC, or ``isSigned(_:by:)`` its
    /// signature.
    package init(parsing bytes: [UInt8], fileByteCount: Int) throws(VaultFormatError) {
        guard bytes.starts(with: Self.magic) else { throw .notAVault }
        do throws(Fault) {
            try Self.checkBeforeParsing(bytes.span)
            try self.init(fields: bytes)
            try checkSizes(fileByteCount: fileByteCount)
        } catch {
            throw VaultFormatError(error, in: .header, at: 0)
        }
    }

    /// Checks what must hold before any other field is read.
    private static func checkBeforeParsing(_ bytes: Span<UInt8>) throws(Fault) {
        guard bytes.count >= 10 else { throw Fault(.tooShort, at: bytes.count) }
        let major: UInt16 = bytes.littleEndian(at: 8)
        guard major == majorVersion else { throw Fault(.unsupported(.majorVersion(Int(major)))) }
        guard bytes.count >= byteCount else { throw Fault(.tooShort, at: bytes.count) }
        let hash = Label.file.hash(32, bytes.extracting(..<hashedByteCount))
        guard areEqual(hash.span, bytes.extracting(hashedByteCount..<macOffset)) else {
            throw Fault(.hashDiffers, at: hashedByteCount)
        }
        guard bytes[52] == suiteNumber else { throw Fault(.unsupported(.suite(Int(bytes[52])))) }
        let incompatible: UInt32 = bytes.littleEndian(at: 40)
        let draft: UInt16 = bytes.littleEndian(at: 10)
        guard incompatible & ~draftFeature == 0 else { throw Fault(.unsupported(.incompatibleFeatures(incompatible))) }
        guard incompatible == draftFeature else { throw Fault(.unsupported(.draft(nil))) }
        guard draft == Self.draft else { throw Fault(.unsupported(.draft(Int(draft)))) }
    }

    private init(fields bytes: [UInt8]) throws(Fault) {
        var reader = ByteReader(bytes, in: 12..<Self.hashedByteCount)
        guard try reader.readCount() == Self.byteCount else { throw Fault(.badLength, at: 12) }
        vault = try reader.readIdentifier()
        generation = try reader.read()
        guard generation > 0, generation < 1 << 63 else { throw Fault(.badValue, at: 32) }
        features = Features(
            incompatible: try reader.read(),
            readOnlyCompatible: try reader.read(),
            compatible: try reader.read()
        )
        _ = try reader.read(UInt8.self)
        try reader.readZeros(3)
        salt = try reader.readBytes(16)
        keybagByteCount = try reader.readCount()
        directoryByteCount = try reader.readCount()
        let snapshotByteCount = try reader.read(UInt64.self)
        guard snapshotByteCount.isMultiple(of: UInt64(Padding.unit)) else { throw Fault(.badLength, at: 80) }
        // A size that exceeds Int exceeds the limit too, and is reported as that.
        self.snapshotByteCount = Int(clamping: snapshotByteCount)
        baseSequence = try reader.read()
        guard baseSequence < Limits.sequence else { throw Fault(.badValue, at: 88) }
        let previousChain = try reader.readBytes(32)
        guard generation > 1 || previousChain.span.isZero else { throw Fault(.reservedNotZero, at: 96) }
        self.previousChain = previousChain
        keybagHash = try reader.readBytes(32)
        directoryHash = try reader.readBytes(32)
        try reader.expectEnd()
    }

    private func checkSizes(fileByteCount: Int) throws(Fault) {
        guard keybagByteCount >= Padding.unit, keybagByteCount.isMultiple(of: Padding.unit) else {
            throw Fault(.badLength, at: 72)
        }
        guard directoryByteCount >= Padding.unit, directoryByteCount.isMultiple(of: Padding.unit),
            directoryByteCount <= snapshotByteCount
        else { throw Fault(.badLength, at: 76) }
        try Limit.keybag.check(keybagByteCount, atMost: Limits.keybagByteCount)
        try Limit.directory.check(directoryByteCount, atMost: Limits.directoryByteCount)
        try Limit.file.check(snapshotByteCount, atMost: Limits.fileByteCount)
        try Limit.file.check(fileByteCount, atMost: Limits.fileByteCount)
        guard logOffset <= fileByteCount else { throw Fault(.tooShort, at: fileByteCount) }
    }

    /// Whether the MAC at the end of the header `bytes` was made with `key`.
    package static func isAuthentic(_ bytes: [UInt8], key: Key) -> Bool {
        let code = key.hash(32, .header, bytes.span.extracting(..<macOffset))
        return areEqual(code.span, bytes.span.extracting(macOffset..<signatureOffset))
    }

    /// Whether the header `bytes` of a vault with grants are signed by the holder of `teamKey`; without grants, nil,
    /// they must not be signed.
    package static func isSigned(_ bytes: [UInt8], by teamKey: [UInt8]?) -> Bool {
        let signature = bytes.span.extracting(signatureOffset..<byteCount)
        guard let teamKey else { return signature.isZero }
        return Ed25519.verify(signature: signature, of: signedText(bytes[..<signatureOffset]).span, publicKey: teamKey)
    }

    private static func signedText(_ bytes: some Sequence<UInt8>) -> [UInt8] { Label.header.bytes + bytes }
}

// MARK: - Writing

extension Header {
    /// The 320 bytes of the header, signed with `teamSecret` if the vault has grants.
    package func encoded(key: Key, teamSecret: Key?) -> [UInt8] {
        var bytes = Self.magic
        bytes.append(littleEndian: UInt16(Self.majorVersion))
        bytes.append(littleEndian: UInt16(Self.draft))
        bytes.append(littleEndian: UInt32(Self.byteCount))
        bytes.append(contentsOf: vault.bytes)
        bytes.append(littleEndian: generation)
        bytes.append(littleEndian: features.incompatible)
        bytes.append(littleEndian: features.readOnlyCompatible)
        bytes.append(littleEndian: features.compatible)
        bytes.append(contentsOf: [Self.suiteNumber, 0, 0, 0])
        bytes.append(contentsOf: salt)
        bytes.append(littleEndian: UInt32(keybagByteCount))
        bytes.append(littleEndian: UInt32(directoryByteCount))
        bytes.append(littleEndian: UInt64(snapshotByteCount))
        bytes.append(littleEndian: baseSequence)
        bytes.append(contentsOf: previousChain)
        bytes.append(contentsOf: keybagHash)
        bytes.append(contentsOf: directoryHash)
        bytes.append(contentsOf: Label.file.hash(32, bytes))
        bytes.append(contentsOf: key.hash(32, .header, bytes))
        let signature = teamSecret?.signature(of: Self.signedText(bytes).span)
        return bytes + (signature ?? [UInt8](repeating: 0, count: Self.byteCount - Self.signatureOffset))
    }
}
