internal import CofferBasics
package import VaultCrypto

/// Section 5.5: what metadata of items of one data key are deflated with.
package struct MetadataDictionary: Sendable {
    static let byteCountLimit = 32_768

    package let id: DictionaryID
    package let handle: KeyHandle
    private let content: Wiped<[UInt8]>

    /// A dictionary of the metadata of some items.
    package init(of samples: [ItemMetadata], handle: KeyHandle, random: some RandomSource) {
        id = random.shortIdentifier()
        self.handle = handle
        var content: [UInt8] = []
        content.reserveCapacity(Self.byteCountLimit)
        for sample in samples {
            sample.withArchive { archive in
                if content.count + archive.count <= Self.byteCountLimit { content += archive }
            }
        }
        self.content = Wiped(content)
    }

    /// Whether it is made of several items, so that another one would hardly save more.
    package var isLarge: Bool { content.value.count >= 2048 }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { content.value.isEmpty }

    /// Opens a dictionary with its data key.
    package init(opening sealed: SealedDictionary, keys: DataKeys) throws(Fault) {
        id = sealed.id
        handle = sealed.handle
        let content = try Box.opened(
            sealed.box.span,
            key: keys.metadata,
            associatedData: Self.associatedData(sealed.id, sealed.handle, keys)
        )
        guard !content.isEmpty, content.count <= Self.byteCountLimit else { throw Fault(.badLength) }
        self.content = Wiped(content)
    }

    package func sealed(keys: DataKeys) -> SealedDictionary {
        let content = content.value
        let box = Box.sealed(
            content.span,
            key: keys.metadata,
            associatedData: Self.associatedData(id, handle, keys),
            cipher: keys.cipher
        )
        return SealedDictionary(id: id, handle: handle, box: box)
    }

    /// A compressor that deflates with the dictionary.
    package func compressor() throws(CompressionError) -> Compressor { try Compressor(dictionary: content.value) }

    /// What the stream in a box of `boxByteCount` bytes inflates to.
    func inflated(_ stream: [UInt8], boxByteCount: Int) throws(Fault) -> [UInt8] {
        let content = content.value
        do throws(CompressionError) {
            return try Zlib.inflated(
                stream.span,
                dictionary: content.span,
                byteCountLimit: min(Limits.metadataByteCount, Limits.deflationRatio * boxByteCount)
            )
        } catch {
            throw error == .tooLong ? Fault(.limitExceeded(.metadata, value: 0)) : Fault(.compression(error))
        }
    }

    private static func associatedData(_ id: DictionaryID, _ handle: KeyHandle, _ keys: DataKeys) -> [UInt8] {
        Label.dictionary.bytes + keys.cipher.vault.bytes + handle.bytes + id.bytes
    }
}

/// A dictionary in its box.
package struct SealedDictionary: Equatable, Sendable {
    package let id: DictionaryID
    package let handle: KeyHandle
    package let box: [UInt8]
}
