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

    /// Checks a run or history, preceded by its kind and the number of its records.
    func run() throws {
        var reader = ByteReader(bytes)
        let kind = try reader.read(UInt8.self) % 2 + 2
        let count = try reader.read(UInt8.self)
        let box = boxed(try reader.readBytes(reader.remainingByteCount))
        let section = try self.section(kind: kind, count: Int(count), byteCount: box.count)
        let keys = try generationKeys()
        let run = try Run(opening: box, of: section, keys: keys)
        let again = run.content.sealed(section: section.id, kind: section.kind, keys: keys)
        requireInvariant(again == box, "the run changed")
    }

    /// Returns the section of a run as listed in a directory.
    private func section(kind: UInt8, count: Int, byteCount: Int) throws -> Section {
        let directoryByteCount = Directory.byteCount(sectionCount: 1)
        var content: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0]
        content.append(contentsOf: repeatElement(0, count: 16))
        content += [kind, 0, 0, 0]
        content.append(littleEndian: UInt32(1))
        content.append(contentsOf: repeatElement(1, count: SectionID.byteCount + GroupID.byteCount))
        content.append(littleEndian: UInt32(directoryByteCount / Padding.unit))
        content.append(littleEndian: UInt32(byteCount / Padding.unit))
        content.append(littleEndian: UInt64(0))
        content.append(littleEndian: UInt32(count))
        content.append(contentsOf: repeatElement(0, count: 12))
        let directory = try Directory(
            opening: boxed(content),
            snapshotByteCount: directoryByteCount + byteCount,
            baseSequence: 0,
            keys: generationKeys()
        )
        return directory.sections[0]
    }

    // MARK: - Items

    func metadataBlock() throws {
        let block = try opened(boxed(bytes))
        for item in block.items {
            guard let attributes = try? item.metadata.attributes() else { continue }
            let again = try ItemMetadata(attributes)
            requireInvariant(again == item.metadata, "the metadata changed")
        }
        // The same items can be compressed in many ways, but stored uncompressed in only one.
        for mayCompress in [true, false] {
            let again = try block.sealed(handle: handle, keys: dataKeys(), mayCompress: mayCompress)
            let reopened = try opened(again)
            requireInvariant(reopened == block, "the items of a block changed")
            let isStored = bytes.first == 0
            if !mayCompress, isStored { requireInvariant(again == boxed(bytes), "a stored block changed") }
        }
    }

    private func opened(_ box: [UInt8]) throws -> MetadataBlock {
        try MetadataBlock(opening: box.span, handle: handle, keys: dataKeys())
    }

    func metadata() throws {
        let metadata = try ItemMetadata(parsing: bytes)
        requireInvariant(metadata.bytes == bytes, "the metadata changed")
        let attributes = try metadata.attributes()
        let again = try ItemMetadata(attributes)
        requireInvariant(again.bytes == bytes, "the attributes changed")
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
        // After the fields and the overhead of the box, and before the note.
        let size = Int(bytes.span.littleEndian(at: 88, as: UInt32.self))
        let payloadRange = 96 + SealedBox.extraByteCount..<96 + size
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
