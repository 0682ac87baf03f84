import CofferBasics
import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Section 5.5.
@Suite("Deflated metadata") struct MetadataDictionaryTests {
    private let sample: ItemSample
    private let revision: Revision

    init() throws {
        sample = try ItemSample()
        revision = sample.revision()
    }

    private func dictionary(of samples: [UInt8]...) -> MetadataDictionary {
        MetadataDictionary(
            of: samples.map { ItemMetadata(archive: $0) },
            handle: sample.handle,
            random: sample.cipher.random
        )
    }

    private func archive(_ metadata: ItemMetadata) -> [UInt8] { metadata.withArchive { $0 } }

    private func inflated(_ box: [UInt8], _ dictionary: MetadataDictionary) throws -> [UInt8] {
        archive(try ItemMetadata(opening: box.span, of: revision, dictionary: dictionary, keys: sample.data))
    }

    /// A metadata box with an arbitrary stream.
    private func forged(_ stream: [UInt8], _ dictionary: MetadataDictionary) -> [UInt8] {
        var text = stream + [0x80]
        text += [UInt8](repeating: 0, count: (8 - text.count) & 15)
        let random = [UInt8](repeating: 1, count: 8)
        let associatedData =
            Array("coffer1.item".utf8) + [0, 0, 0, 0] + VaultID.sample.bytes + revision.bytes + [4, 0, 0, 0]
            + dictionary.id.bytes
        var sealedPart = text + [UInt8](repeating: 0, count: 16)
        var span = sealedPart.mutableSpan
        let nonce = random + littleEndian(revision.salt) + littleEndian(revision.number)
        sample.data.metadata.seal(&span, nonce: nonce.span, associatedData: associatedData.span)
        return random + sealedPart
    }

    // MARK: - Metadata

    @Test func `metadata like those of the dictionary become small, and come back`() throws {
        let similar = archive(try ItemMetadata(sample.attributes("alex")))
        let metadata = try ItemMetadata(sample.attributes())
        let dictionary = dictionary(of: similar)
        let box = try #require(
            try metadata.deflated(of: revision, dictionary.id, dictionary.compressor(), keys: sample.data)
        )
        #expect(box.count < metadata.byteCount / 2)
        #expect(try inflated(box, dictionary) == archive(metadata))
    }

    @Test func `metadata that would not become smaller are not deflated`() throws {
        let metadata = ItemMetadata(archive: DeterministicRandom(seed: "random").bytes(500))
        let dictionary = dictionary(of: [1])
        let box = try metadata.deflated(of: revision, dictionary.id, dictionary.compressor(), keys: sample.data)
        #expect(box == nil)
    }

    @Test(.temporaryDirectory, .enabled(if: PythonOracle.isExpected, "Python is missing."))
    func `Python inflates what is deflated here, and the other way round`() throws {
        let content = archive(try ItemMetadata(sample.attributes("alex")))
        let archive = archive(try ItemMetadata(sample.attributes()))
        let dictionary = dictionary(of: content)
        let stream = try dictionary.compressor().compressed(archive)
        #expect(try formatOracleAnswer(to: [content, stream], task: "inflate") == [archive])
        let theirs = try formatOracleAnswer(to: [content, archive], task: "deflate")
        #expect(try inflated(forged(try #require(theirs.first), dictionary), dictionary) == archive)
    }

    @Test func `a stream that ends before or after the content of its box is rejected`() throws {
        let dictionary = dictionary(of: [1, 2, 3, 4])
        let stream = try dictionary.compressor().compressed([1, 2, 3, 4, 5])
        #expect(try inflated(forged(stream, dictionary), dictionary) == [1, 2, 3, 4, 5])
        for rest in [[0], [3, 0], stream] {
            #expect(throws: Fault(.compression(.trailingBytes))) {
                try inflated(forged(stream + rest, dictionary), dictionary)
            }
        }
        #expect(throws: Fault(.compression(.tooShort))) {
            try inflated(forged(stream.dropLast(), dictionary), dictionary)
        }
        #expect(throws: Fault(.compression(.tooShort))) { try inflated(forged([], dictionary), dictionary) }
        // A block of type 3.
        #expect(throws: Fault(.compression(.malformed))) { try inflated(forged([7, 0], dictionary), dictionary) }
        // With the header of zlib.
        #expect(throws: Fault.self) { try inflated(forged([0x78, 0x9C] + stream, dictionary), dictionary) }
    }

    @Test(arguments: [0, 1, 2047, 2048, 2049, 65_535, 65_536])
    func `metadata inflate to at most 65,536 bytes`(byteCount: Int) throws {
        let dictionary = dictionary(of: [1])
        // Random, so that the box is not too small for it.
        let content = DeterministicRandom(seed: "content").bytes(byteCount)
        let stream = try dictionary.compressor().compressed(content)
        #expect(try inflated(forged(stream, dictionary), dictionary) == content)
    }

    // VF-94
    @Test func `metadata inflate to at most 16 times the size of their box`() throws {
        let dictionary = dictionary(of: [1])
        var outcomes: Set<Bool> = []
        for byteCount in 500...900 {
            let content = [UInt8](repeating: 0, count: byteCount)
            let box = forged(try dictionary.compressor().compressed(content), dictionary)
            let isAllowed = byteCount <= 16 * box.count
            outcomes.insert(isAllowed)
            if isAllowed {
                #expect(try inflated(box, dictionary) == content)
            } else {
                #expect(throws: Fault(.limitExceeded(.metadata, value: 0))) { try inflated(box, dictionary) }
            }
        }
        #expect(outcomes.count == 2)
    }

    @Test(arguments: [65_537, 50_000_000]) func `a stream of more bytes is rejected`(byteCount: Int) throws {
        let dictionary = dictionary(of: [1])
        let stream = try dictionary.compressor().compressed([UInt8](repeating: 0, count: byteCount))
        #expect(throws: Fault(.limitExceeded(.metadata, value: 0))) {
            try inflated(forged(stream, dictionary), dictionary)
        }
    }

    // MARK: - Dictionaries

    private func associatedData(_ id: [UInt8], _ handle: KeyHandle) -> [UInt8] {
        Array("coffer1.dict".utf8) + [0, 0, 0, 0] + VaultID.sample.bytes + handle.bytes + id
    }

    @Test func `a dictionary is sealed for its data key`() throws {
        let sealed = dictionary(of: [1, 2], [3]).sealed(keys: sample.data)
        let data = associatedData(sealed.id.bytes, sample.handle)
        #expect(try Box.opened(sealed.box.span, key: sample.data.metadata, associatedData: data) == [1, 2, 3])
        let opened = try MetadataDictionary(opening: sealed, keys: sample.data)
        let stream = try Compressor(dictionary: [1, 2, 3]).compressed([1, 2, 3, 1, 2, 3])
        #expect(try inflated(forged(stream, opened), opened) == [1, 2, 3, 1, 2, 3])
        #expect(throws: Fault(.notAuthentic)) { try MetadataDictionary(opening: sealed, keys: sample.otherData) }
    }

    @Test func `a dictionary is made of the samples that fit into 32,768 bytes`() throws {
        func content(_ dictionary: MetadataDictionary) throws -> [UInt8] {
            let data = associatedData(dictionary.id.bytes, sample.handle)
            let box = dictionary.sealed(keys: sample.data).box
            return try Box.opened(box.span, key: sample.data.metadata, associatedData: data)
        }
        let samples = [20_000, 12_769, 12_768, 1].enumerated().map { [UInt8](repeating: UInt8($0), count: $1) }
        let dictionary = dictionary(of: samples[0], samples[1], samples[2], samples[3])
        #expect(try content(dictionary) == samples[0] + samples[2])
        #expect(self.dictionary(of: [UInt8](repeating: 1, count: 32_769)).isEmpty)
    }

    private func opened(
        _ content: [UInt8],
        id: [UInt8] = RawSection.dictionaryID,
        handle: KeyHandle? = nil
    ) throws -> MetadataDictionary {
        var section = try RawSection(sample)
        let box = Box.sealed(
            content.span,
            key: sample.data.metadata,
            associatedData: associatedData(id, handle ?? sample.handle),
            cipher: sample.cipher
        )
        section.dictionaries = [RawSection.Dictionary(box: box)]
        return try section.reader().dictionary(0, keys: sample.data)
    }

    @Test(arguments: [1, 100, 32_768]) func `a dictionary of a section is opened`(byteCount: Int) throws {
        let content = countingBytes(from: 5, count: byteCount)
        let dictionary = try opened(content)
        let text = Array(content.suffix(100))
        let stream = try Compressor(dictionary: content).compressed(text)
        #expect(try inflated(forged(stream, dictionary), dictionary) == text)
    }

    @Test(arguments: [0, 32_769]) func `a dictionary of another size is rejected`(byteCount: Int) {
        let content = [UInt8](repeating: 5, count: byteCount)
        #expect(throws: VaultFormatError.snapshotFailure(.badLength, offset: 0)) { try opened(content) }
    }

    @Test func `a dictionary opens only with its id and the handle of its data key`() {
        let failure = VaultFormatError.snapshotFailure(.notAuthentic, offset: 0)
        #expect(throws: failure) { try opened([1], id: countingBytes(from: 0, count: 8)) }
        #expect(throws: failure) { try opened([1], handle: KeyHandle.none) }
    }
}
