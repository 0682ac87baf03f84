internal import CofferBasics
internal import VaultCrypto

/// Section 1.3: a sealed part of one revision of an item; many stand side by side, so it is small.
enum ItemBox {
    private static let nonceByteCount = 8
    private static let mark: UInt8 = 0x80
    /// The bytes of a box other than its content and zeros.
    private static let overhead = nonceByteCount + 1 + Box.tagByteCount

    /// The size of a box around `contentByteCount` bytes.
    static func byteCount(_ part: ItemPart, contentByteCount: Int) -> Int {
        let unit = part.unit
        return (overhead + contentByteCount + unit - 1) / unit * unit
    }

    /// Seals the `contentByteCount` bytes that `write` appends.
    static func sealed(
        _ part: ItemPart,
        of revision: Revision,
        contentByteCount: Int,
        key: Key,
        cipher: Cipher,
        writtenBy write: (inout OutputSpan<UInt8>) -> Void
    ) -> [UInt8] {
        // The array holds the plaintext only until it is sealed in place.
        let byteCount = byteCount(part, contentByteCount: contentByteCount)
        var box = [UInt8](byteCount: byteCount) { output in
            output.append(zeroByteCount: nonceByteCount)
            write(&output)
            precondition(output.count == nonceByteCount + contentByteCount, "wrong content size")
            output.append(mark)
            output.append(zeroByteCount: byteCount - output.count)
        }
        let bound = associatedData(part, of: revision, cipher.vault)
        let associatedData = bound.span.extracting(first: part.associatedDataByteCount)
        var nonce = key.nonce(
            for: box.span.extracting(nonceByteCount..<byteCount - Box.tagByteCount),
            associatedData: associatedData,
            random: cipher.random
        )
        // What is random in it stands before what is made from the text too.
        let random: UInt64 = nonce.span.littleEndian(at: Box.nonceByteCount - 16)
        nonce = Self.nonce(random, of: revision)
        var span = box.mutableSpan
        span.copy(from: nonce.span.extracting(first: nonceByteCount))
        var sealedPart = span._mutatingExtracting(nonceByteCount..<span.count)
        key.seal(&sealedPart, nonce: nonce.span, associatedData: associatedData)
        return box
    }

    /// Opens a box in place and returns the range of the content in it.
    ///
    /// After an error the buffer holds no plaintext.
    static func open(
        _ box: inout MutableSpan<UInt8>,
        _ part: ItemPart,
        of revision: Revision,
        key: Key,
        cipher: Cipher
    ) throws(Fault) -> Range<Int> {
        guard box.count > overhead, box.count.isMultiple(of: part.unit) else { throw Fault(.badLength) }
        let nonce = nonce(box.span.littleEndian(at: 0), of: revision)
        let bound = associatedData(part, of: revision, cipher.vault)
        let associatedData = bound.span.extracting(first: part.associatedDataByteCount)
        var sealedPart = box._mutatingExtracting(nonceByteCount..<box.count)
        guard key.open(&sealedPart, nonce: nonce.span, associatedData: associatedData) else {
            throw Fault(.notAuthentic)
        }
        var end = box.count - Box.tagByteCount - 1
        let least = max(nonceByteCount, end - part.unit + 1)
        while end > least, box[end] == 0 { end -= 1 }
        guard box[end] == mark else {
            // The box is decrypted by now, and after an error the caller does not wipe it.
            box.wipe()
            throw Fault(.badPadding)
        }
        return nonceByteCount..<end
    }

    /// The content of the box in `bytes`.
    static func opened(
        _ bytes: Span<UInt8>,
        _ part: ItemPart,
        of revision: Revision,
        key: Key,
        cipher: Cipher
    ) throws(Fault) -> [UInt8] {
        var buffer = [UInt8](copying: bytes)
        var span = buffer.mutableSpan
        let content = try open(&span, part, of: revision, key: key, cipher: cipher)
        defer { span.wipe() }
        return [UInt8](copying: span.span.extracting(content))
    }

    private static func nonce(_ random: UInt64, of revision: Revision) -> Nonce {
        Nonce { output in
            output.append(littleEndian: random)
            output.append(littleEndian: revision.salt)
            output.append(littleEndian: revision.number)
        }
    }

    /// What binds a box to the vault, the revision and the part of the item; the first bytes count, as many as the part
    /// says.
    private static func associatedData(
        _ part: ItemPart,
        of revision: Revision,
        _ vault: VaultID
    ) -> InlineArray<76, UInt8> {
        InlineArray { output in
            output.append(copying: revision.associatedData(part, vault).span)
            (part.dictionary ?? .none).append(to: &output)
        }
    }
}

/// A sealed part of an item.
enum ItemPart {
    case match
    case metadata
    case secret
    /// Metadata deflated with a dictionary of their section.
    case deflatedMetadata(DictionaryID)

    var number: UInt32 {
        switch self {
        case .match: 1
        case .metadata: 2
        case .secret: 3
        case .deflatedMetadata: 4
        }
    }

    fileprivate var dictionary: DictionaryID? { if case .deflatedMetadata(let id) = self { id } else { nil } }

    fileprivate var associatedDataByteCount: Int { dictionary == nil ? 68 : 76 }

    /// The size of a box is a multiple of this.
    var unit: Int { if case .secret = self { Self.secretUnit } else { Self.metadataUnit } }

    static let metadataUnit = 16
    static let secretUnit = 32
}
