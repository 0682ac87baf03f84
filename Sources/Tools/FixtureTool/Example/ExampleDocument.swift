/// A document that shows a vault byte by byte.
protocol ExampleDocument {
    var vault: VaultSketch { get }
    var file: VaultFile { get }
}

/// A box whose content the examples show.
protocol ExampleBox {
    var key: [UInt8] { get }
    var associatedData: [UInt8] { get }
    var content: [UInt8] { get }
    var text: [UInt8] { get }
    var sealedByteCount: Int { get }
    /// What is sealed before the content.
    var head: [(Int, String)] { get }
    /// What is sealed between the content and the zeros.
    var end: [(Int, String)] { get }
    /// The parts of the box in the file.
    var parts: [(Int, String)] { get }
}

extension SketchBox: ExampleBox {
    var head: [(Int, String)] { [(4, "size \(content.count)")] }
    var end: [(Int, String)] { [] }
    var parts: [(Int, String)] { [(24, "nonce of the box"), (sealedByteCount - 24, "sealed content of the box")] }
}

extension SketchItemBox: ExampleBox {
    var head: [(Int, String)] { [] }
    var end: [(Int, String)] { [(1, "end of the content")] }
    var parts: [(Int, String)] {
        [(8, "start of the nonce of the box"), (sealedByteCount - 8, "sealed content of the box")]
    }
}

/// A wrapped key entry, section 3.3.
struct ExampleWrap {
    let type: UInt16
    let title: String
    let fields: [(Int, String)]
    let key: [UInt8]
    let wrappingKey: [UInt8]
    let wrappingName: String
    let input: [UInt8]
}

extension ExampleDocument {
    /// Returns a part of the file.
    func bytes(_ start: Int, _ byteCount: Int) -> [UInt8] { Array(file.bytes[start..<start + byteCount]) }

    /// Returns a block of `kind` that shows a part of the file.
    func shown(_ start: Int, _ parts: [(Int, String)], as kind: String = "file") -> String {
        let count = parts.reduce(0) { $0 + $1.0 }
        return HexTable(bytes(start, count), parts.map { (byteCount: $0.0, what: $0.1) }).text(kind, from: start)
    }

    /// Returns R of the nonce that `text` is sealed with.
    func random(_ key: [UInt8], _ associatedData: [UInt8], _ text: [UInt8]) -> (name: String, bytes: [UInt8]) {
        ("R", vault.randomness.nonceRandom(key, associatedData, text))
    }

    /// Returns R of the nonce of `box`.
    func random(_ box: any ExampleBox) -> (name: String, bytes: [UInt8]) {
        random(box.key, box.associatedData, box.text)
    }

    /// Returns the values that `box` is sealed with, and its content in `parts`.
    func explained(_ box: any ExampleBox, _ parts: [(Int, String)]) -> String {
        var all = box.head + parts + box.end
        let zeroByteCount = box.text.count - all.reduce(0) { $0 + $1.0 }
        if zeroByteCount > 0 { all.append((zeroByteCount, "zeros")) }
        return values([("key of the box", box.key), ("associated data", box.associatedData), random(box)]) + "\n"
            + HexTable(box.text, all.map { (byteCount: $0.0, what: $0.1) }).text("plaintext")
    }

    /// Returns the offset of the entry of `type`.
    func entryOffset(_ type: UInt16) -> Int {
        var offset = file.keybag.lowerBound + 8
        for entry in vault.keybag.entries {
            if entry.type == type { return offset }
            offset += entry.bytes.count
        }
        preconditionFailure("the example has no entry of type \(type)")
    }

    /// Returns the header and the keys of the generation.
    func shownHeader(previousChain: String) -> String {
        let snapshotByteCount = (file.frames.first?.lowerBound ?? file.bytes.count) - file.directory.lowerBound
        return shown(
            0,
            [
                (8, "magic"), (2, "major version 1"), (2, "number of the draft: 5"), (4, "header length 320"),
                (16, "vault id"), (8, "generation \(vault.generation)"), (4, "incompatible features: bit 31, a draft"),
                (4, "read-only-compatible features: none"), (4, "compatible features: none"), (1, "suite 1"),
                (3, "zero"), (16, "generation salt"), (4, "keybag length \(file.keybag.count)"),
                (4, "directory length \(file.directory.count)"), (8, "snapshot length \(snapshotByteCount)"),
                (8, "base sequence number \(vault.baseSequence)"), (32, "previous chain: \(previousChain)"),
                (32, "keybag hash"), (32, "directory hash"), (32, "header hash of the bytes before it"),
                (32, "header MAC of the bytes before it, with K_owner"),
                (64, "header signature: no grant, so zero"),
            ]
        )
            + "\nThe keys of the generation (section 4.3), derived from Ks:\n\n"
            + values([
                ("G", vault.generationKey), ("K_head", vault.key("head")), ("K_frame", vault.key("frame")),
                ("K_chain", vault.key("chain")), ("K_snapshot", vault.key("snapshot")),
            ])
    }

    /// Returns the parts of the frame with the number `number`, from 1.
    func frameParts(_ number: Int, chain: String) -> [(Int, String)] {
        let byteCount = file.frames[number - 1].count
        let sequence = Int(vault.baseSequence) + number
        return [
            (4, "magic"), (4, "body length \(byteCount - 96)"), (8, "sequence number \(sequence)"),
            (8, "synced sequence number \(sequence - 1)"), (24, "nonce"), (32, chain),
            (16, "head MAC of the bytes before it"), (byteCount - 112, "sealed plaintext"), (16, "its tag"),
        ]
    }

    func text(of wrap: ExampleWrap) -> String {
        let start = entryOffset(wrap.type)
        let fieldByteCount = wrap.fields.reduce(0) { $0 + $1.0 }
        let head = vault.id + u16(wrap.type)
        let entry: [(Int, String)] = [
            (2, "type \(wrap.type)"), (2, "flags"), (4, "body length \(fieldByteCount + 104)"),
        ]
        return """
            \(wrap.title)

            """ + "\n"
                + shown(start, entry + wrap.fields + [(32, "commitment"), (24, "nonce"), (48, "wrapped key")])
                + "\nW is \(wrap.wrappingName); the key of the AEAD is `H(32, W, \"coffer1.wrap\", vault id)`.\n\n"
                + values([
                    ("W", wrap.wrappingKey), ("key of the AEAD", H(32, wrap.wrappingKey, "wrap", vault.id)),
                    ("commitment input", wrap.input), ("hashed for commitment", head + wrap.input),
                    ("associated data", head + bytes(start + 8, fieldByteCount + 32)), ("plaintext", wrap.key),
                    random(
                        H(32, wrap.wrappingKey, "wrap", vault.id),
                        head + bytes(start + 8, fieldByteCount + 32),
                        wrap.key
                    ),
                ])
    }
}
