/// A description of a whole vault in which every byte can be made wrong.
///
/// Everything that is not specified is correct: hashes, MACs, wraps, boxes and the chain follow from the rest.
struct VaultSketch {
    let randomness: Randomness
    var id: [UInt8]
    var generation: UInt64 = 1
    var generationSalt: [UInt8]
    var baseSequence: UInt64 = 0
    var previousChain = zeros(32)
    /// The writer of all revisions that name no other.
    var writer: [UInt8]
    var userRoot: [UInt8]
    var structureKey: [UInt8]
    var epoch: UInt32 = 1

    var header = SketchHeader()
    var keybag = SketchKeybag()
    var directory = SketchDirectory()
    var sections: [any SketchSection] = []
    var frames: [SketchFrame] = []
    var reserveByteCount = 0

    /// Makes a vault that `passphrase` opens, with one group, `mail`, and a data key of the class AK.
    init(_ seed: String, passphrase: String? = Self.passphrase) {
        randomness = Randomness(seed: seed)
        id = randomness.bytes(16, "vault id")
        generationSalt = randomness.bytes(16, "generation salt")
        writer = randomness.bytes(8, "writer")
        userRoot = randomness.bytes(32, "user root")
        structureKey = randomness.bytes(32, "structure key")
        if let passphrase { keybag.entries.append(slot(.passphrase(passphrase))) }
        keybag.entries.append(structureKeyEntry())
        add(group())
        keybag.entries.append(dataKeyEntry(dataKey()))
    }

    static let passphrase = "correct horse"

    /// Adds the name of `group` to the keybag.
    mutating func add(_ group: SketchGroup) { keybag.entries.append(groupNameEntry(group)) }

    /// Adds the data key of a protection class in `group`, which `device` owns if the class has owners.
    mutating func add(_ protection: Protection, group: String = "mail", device: SketchDevice? = nil) {
        keybag.entries.append(dataKeyEntry(dataKey(protection, group: group, owner: device)))
    }

    /// Adds `device` with its wraps of the structure key, of the class key of DK and of the match keys of `groups`.
    mutating func add(_ device: SketchDevice, groups: [String] = ["mail"]) {
        keybag.entries += [deviceEntry(device), structureKeyEntry(device: device), alwaysKeyEntry(device)]
        keybag.entries += groups.map { matchKeyEntry(group($0), device) }
    }

    /// Adds the device `name` with its wraps, and returns it.
    @discardableResult
    mutating func addDevice(_ name: String) -> SketchDevice {
        let device = device(name)
        add(device)
        return device
    }

    // MARK: - Keys of a generation, section 4.3

    var generationKey: [UInt8] { H(32, structureKey, "gen", id + u64(generation) + generationSalt) }

    /// K_head, K_frame, K_chain or K_snapshot.
    func key(_ name: String) -> [UInt8] { H(32, generationKey, name) }
}

/// The bytes of a vault, and the ranges of its parts.
struct VaultFile {
    var bytes: [UInt8]
    var keybag: Range<Int>
    var directory: Range<Int>
    var sections: [Range<Int>]
    var frames: [Range<Int>]
    /// chain(base), then the chain value after each frame.
    var chains: [[UInt8]]
}

extension VaultSketch {
    func build() -> VaultFile {
        let keybag = keybag.bytes
        var lineage = SketchLineage()
        for case let section as SketchGroupSection in sections { lineage.read(section, in: self) }
        let sections = sections.map { $0.built(in: self, &lineage) }
        let directory = directory.built(in: self, sections)
        let snapshotByteCount = directory.count + sections.reduce(0) { $0 + $1.bytes.count }
        var bytes = header.built(
            in: self,
            keybag: keybag,
            directory: directory,
            snapshotByteCount: snapshotByteCount
        )
        var chains = [H(32, key("chain"), "chain", bytes)]
        func append(_ part: [UInt8]) -> Range<Int> {
            bytes += part
            return bytes.count - part.count..<bytes.count
        }
        let keybagRange = append(keybag)
        let directoryRange = append(directory)
        let sectionRanges = sections.map { append($0.bytes) }
        var frameRanges: [Range<Int>] = []
        for (index, frame) in frames.enumerated() {
            let chain = chains[index]
            let part = frame.built(in: self, baseSequence + UInt64(index) + 1, chain: chain, &lineage)
            frameRanges.append(append(part))
            chains.append(H(32, key("chain"), "chain", chain + H(32, nil, "file", part)))
        }
        bytes += zeros(reserveByteCount)
        return VaultFile(
            bytes: bytes,
            keybag: keybagRange,
            directory: directoryRange,
            sections: sectionRanges,
            frames: frameRanges,
            chains: chains
        )
    }
}
