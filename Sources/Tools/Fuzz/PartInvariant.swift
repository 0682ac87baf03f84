import CofferBasics
import VaultCrypto
import VaultFormat

/// The law for any bytes: they are rejected, or written again unchanged.
struct PartInvariant {
    private let cipher: Cipher
    private let key: Key
    private let handle = KeyHandle.none
    /// A public key, and 32 other bytes without meaning.
    private let zeros = [UInt8](repeating: 0, count: 32)
    let bytes: [UInt8]

    init(bytes: [UInt8], random: any RandomSource) throws(CipherError) {
        self.bytes = bytes
        cipher = Cipher(vault: .none, random: random)
        key = try random.key()
    }

    private func boxed(_ content: [UInt8]) -> [UInt8] {
        Box.sealed(content.span, key: key, associatedData: [], cipher: cipher)
    }

    private func dataKeys() throws -> DataKeys { try DataKeys(key, cipher: cipher) }

    private func generationKeys() throws -> GenerationKeys {
        try GenerationKeys(structureKey: key, generation: 1, salt: zeros, cipher: cipher)
    }

    // MARK: - The structure

    func keybag() throws {
        // The header states the size of a keybag, and is rejected with any other size.
        guard bytes.count.isMultiple(of: Padding.unit) else { return }
        let keybag = try Keybag(parsing: bytes, fileOffset: 0)
        requireInvariant(keybag.encoded == bytes, "the keybag changed")
    }

    /// Checks the records of one frame, preceded by their number.
    func records() throws {
        guard let count = bytes.first else { return }
        let records = bytes.dropFirst()
        var text = [UInt8](repeating: 0, count: 8)
        text.append(littleEndian: UInt32(records.count))
        text.append(littleEndian: UInt32(count))
        text += records
        let frameByteCount = FrameHead.frameByteCount(recordByteCount: records.count)
        text.append(contentsOf: repeatElement(0, count: frameByteCount - FrameHead.byteCount - text.count))
        var head = FrameHead.magic
        head.append(littleEndian: UInt32(text.count))
        head.append(littleEndian: UInt64(1))
        head.append(contentsOf: repeatElement(0, count: FrameHead.byteCount - head.count))

        let keys = try generationKeys()
        let chain = ChainValue(bytes: zeros)
        guard let genuine = FrameHead(genuine: head.span, key: key) else {
            preconditionFailure("every head is genuine in this build")
        }
        let frame = try Frame(opening: head + text, head: genuine, keys: keys)
        let again = try frame.sealed(after: chain, keys: keys)
        requireInvariant(again == head + text, "the records changed")
    }

    /// Checks the directory, preceded by the size of the snapshot.
    func directory() throws -> Directory {
        var reader = ByteReader(bytes)
        let snapshotByteCount = try reader.readCount() * Padding.unit
        let box = boxed(try reader.readBytes(reader.remainingByteCount))
        let keys = try generationKeys()
        let directory = try Directory(
            opening: box,
            snapshotByteCount: snapshotByteCount,
            baseSequence: .max,
            keys: keys
        )
        requireInvariant(directory.sealed(keys: keys) == box, "the directory changed")
        return directory
    }

    /// Checks a run, preceded by the number of its records.
    func run() throws {
        guard let count = bytes.first else { return }
        let box = boxed(Array(bytes.dropFirst()))
        let section = section(.run, byteCount: box.count, fenceByteCount: 0, count: Int(count))
        let keys = try generationKeys()
        let run = try Run(opening: box, of: section, keys: keys)
        requireInvariant(run.content.sealed(section: section.id, keys: keys) == box, "the run changed")
    }

    private func section(_ kind: Section.Kind, byteCount: Int, fenceByteCount: Int, count: Int) -> Section {
        Section(
            kind: kind,
            group: GroupEpoch(group: .none, epoch: 1),
            id: .none,
            byteCount: byteCount,
            fenceByteCount: fenceByteCount,
            count: count,
            check: zeros
        )
    }

    // MARK: - Items

    /// Checks the stream of metadata, preceded by the dictionary and its size.
    func deflatedMetadata() throws {
        var reader = ByteReader(bytes)
        let sample = ItemMetadata(archive: try reader.readBytes(Int(try reader.read(UInt16.self))))
        let dictionary = MetadataDictionary(of: [sample], handle: handle, random: cipher.random)
        guard !dictionary.isEmpty else { return }
        let stream = ItemMetadata(archive: try reader.readBytes(reader.remainingByteCount))
        // What a box is bound to does not matter in this build.
        let metadata = try inflated(stream.sealed(of: revision, keys: dataKeys()), dictionary)
        let compressor = try dictionary.compressor()
        let again = try metadata.deflated(of: revision, dictionary.id, compressor, keys: dataKeys())
        // The same metadata can be compressed in many ways.
        guard let again else { return }
        let reopened = try inflated(again, dictionary)
        requireInvariant(reopened == metadata, "deflated metadata changed")
    }

    private var revision: Revision { Revision(item: .none, number: 1, salt: 1) }

    private func inflated(_ box: [UInt8], _ dictionary: MetadataDictionary) throws -> ItemMetadata {
        try ItemMetadata(opening: box.span, of: revision, dictionary: dictionary, keys: dataKeys())
    }

    /// Checks the metadata of an item, preceded by its class.
    func metadata() throws {
        guard let itemClass = bytes.first.flatMap(ItemClass.init) else { return }
        let metadata = ItemMetadata(archive: Array(bytes.dropFirst()))
        let attributes = try metadata.attributes(of: itemClass)
        let again = try ItemMetadata(attributes)
        requireInvariant(again == metadata, "the attributes changed")
        _ = MatchFlags(attributes)
        _ = try MatchDigests(attributes, keys: MatchKeys(key, cipher: cipher))
    }

    func match() throws {
        let match = try MatchContent(parsing: bytes)
        requireInvariant(match.bytes == bytes, "the match content changed")
    }

    func secret() throws {
        guard let first = bytes.first, let form = SecretForm(rawValue: first) else { return }
        try SecretContent.check(bytes.span.extracting(1...), form: form)
    }

    func settings() throws {
        let settings = try Settings(body: bytes, teamKey: zeros, vault: cipher.vault)
        let again = try settings.signed(by: key, vault: cipher.vault)
        requireInvariant(again.dropLast(64) == bytes.dropLast(64), "the settings changed")
    }

    // MARK: - Group sections

    /// Checks a fence, preceded by the size of the section before it in units.
    func fence() throws {
        var reader = ByteReader(bytes)
        let byteCount = try reader.readCount() * Padding.unit
        let content = try reader.readBytes(reader.remainingByteCount)
        let box = boxed(content)
        guard content.count >= 16 else { return }
        let section = section(
            .group,
            byteCount: byteCount + box.count,
            fenceByteCount: box.count,
            count: Int(content.span.littleEndian(at: 12, as: UInt32.self))
        )
        let fence = try Fence(opening: box, of: section, keys: MatchKeys(key, cipher: cipher))
        var end = 0
        func expect(_ part: SectionPart) {
            requireInvariant(part.offset == end && part.range.upperBound <= byteCount, "a part is in the wrong place")
            end = part.range.upperBound
        }
        for number in fence.dictionaries.indices { expect(fence.dictionaryPart(number)) }
        for (list, count) in [(PageList.live, fence.live.count), (.past, fence.past.count)] {
            for number in 0..<count {
                let part = fence.leafPart(number, of: list)
                expect(part.page)
                expect(part.boxes)
            }
        }
        for number in 0..<fence.ids.count { expect(fence.idPagePart(number)) }
    }

    /// Checks the page of a leaf, preceded by its list and the size of its boxes in 16 bytes.
    func leaf() throws {
        var reader = ByteReader(bytes)
        let list = try reader.read(UInt8.self) % 2 == 0 ? PageList.past : .live
        let boxesByteCount = try reader.readCount() * 16
        let content = try reader.readBytes(reader.remainingByteCount)
        // Of more boxes a writer would make another leaf.
        guard (68...4052).contains(content.count), boxesByteCount < 1 << 18 else { return }
        let section = try sectionReader(around: content, list, boxesByteCount: boxesByteCount)
        let leaf = try section.leaf(0, of: list)
        var writer = GroupSectionWriter(
            section.section.group,
            keys: try MatchKeys(key, cipher: cipher),
            at: 0,
            to: MemorySink()
        )
        _ = writer.append(try section.sealedDictionary(0))
        for entry in leaf {
            let metadata = try section.bytes(of: entry.metadata)
            let secret = try entry.secret.map(section.bytes) ?? []
            if list == .live {
                writer.append(entry, handle: handle, metadata: metadata.span, secret: secret.span)
            } else {
                writer.append(past: entry, handle: handle, metadata: metadata.span, secret: secret.span)
            }
        }
        _ = writer.finish(seen: SeenPlaces())
        let page = section.fence.leafPart(0, of: list).page.range
        requireInvariant(writer.sink.bytes[page].elementsEqual(boxed(content)), "the leaf changed")
    }

    /// Returns a reader of a section with a dictionary and one leaf.
    private func sectionReader(
        around content: [UInt8],
        _ list: PageList,
        boxesByteCount: Int
    ) throws -> GroupSectionReader<MemorySource> {
        let isLive = list == .live
        let entry = content[4...]
        let page = boxed(content)
        var section = boxed([0])
        var fence: [UInt8] = [1, 0, 1, 0, isLive ? 63 : 0, 0, 0, 0]
        for count in isLive ? [1, 1, 0, 1, 0] : [0, 0, 1, 0, 1] { fence.append(littleEndian: UInt32(count)) }
        fence += handle.bytes + DictionaryID.none.bytes
        fence.append(littleEndian: UInt32(section.count))
        fence += [0, 0, 0, 0]
        if isLive {
            fence += entry[52..<60]
            fence.append(littleEndian: UInt64.max >> 1)
        }
        section += page
        section.append(contentsOf: repeatElement(0, count: boxesByteCount))
        fence += isLive ? entry[4..<20] : entry[20..<36]
        fence.append(littleEndian: UInt32(section.count))
        fence.append(littleEndian: UInt32(page.count / Padding.unit))
        if isLive {
            section += boxed([1, 0, 0, 0] + entry[20..<24] + [0, 0, 0, 0])
            fence += entry[20..<24]
            fence.append(littleEndian: UInt32(section.count))
        }
        section.append(contentsOf: repeatElement(0, count: -section.count & (Padding.unit - 1)))
        let box = boxed(fence)
        return try GroupSectionReader(
            self.section(
                .group,
                byteCount: section.count + box.count,
                fenceByteCount: box.count,
                count: isLive ? 1 : 0
            ),
            in: MemorySource(section + box),
            snapshotOffset: 0,
            keys: MatchKeys(key, cipher: cipher)
        )
    }

    // MARK: - Grants

    func grant() throws {
        let grant = try Grant(parsing: bytes.span)
        requireInvariant(grant.body == bytes, "the grant changed")
        let credential = CredentialFile(vault: cipher.vault, team: zeros, grant: grant.id, secret: key)
        let payload = try grant.opened(with: credential)
        let again = try Grant(
            sealing: payload,
            GrantTerms(
                id: grant.id,
                created: grant.created,
                expiry: grant.expiry,
                recipient: grant.recipient,
                name: [UInt8(ascii: "a")],
                groups: []
            ),
            userRoot: key,
            teamSecret: key,
            cipher: cipher
        )
        // After the fields and the overhead of the box, and before groups and note.
        let size = Int(bytes.span.littleEndian(at: 88, as: UInt32.self))
        let payloadRange = 100 + SealedBox.extraByteCount..<100 + size
        requireInvariant(again.body[payloadRange] == bytes[payloadRange], "the payload changed")
    }

    // MARK: - Companion files

    func anchorFile() {
        // The first slot names the vault of the file, so that there is something to read.
        guard bytes.count >= 32 else { return }
        let vault = VaultID(bytes.span.extracting(16..<32))
        let file = AnchorFile(parsing: bytes.span, vault: vault)
        guard let anchor = file.anchor else { return }
        let update = file.update(to: anchor)
        requireInvariant(update.file.anchor == anchor, "the anchor changed")
        let rest = [UInt8](repeating: 0, count: max(0, AnchorFile.byteCount - bytes.count))
        var written = bytes + rest
        written.replaceSubrange(update.offset..<update.offset + update.bytes.count, with: update.bytes)
        requireInvariant(
            AnchorFile(parsing: written.span, vault: vault) == update.file,
            "the file changed"
        )
    }

    func deviceKeyFile() throws {
        let file = try DeviceKeyFile(parsing: bytes.span)
        requireInvariant(file.withText({ [UInt8](copying: $0) }) == bytes, "the device key file changed")
    }

    func credentialFile() throws {
        let file = try CredentialFile(parsing: bytes.span)
        requireInvariant(file.withText({ [UInt8](copying: $0) }) == bytes, "the credential file changed")
    }

    func recoveryCode() throws {
        let code = try RecoverySecret(parsing: bytes.span)
        // People may write a code in many ways, but it is shown in only one.
        let text = code.withText { [UInt8](copying: $0) }
        let again = try RecoverySecret(parsing: text.span)
        requireInvariant(again.withText({ [UInt8](copying: $0) }) == text, "the recovery code changed")
    }
}
