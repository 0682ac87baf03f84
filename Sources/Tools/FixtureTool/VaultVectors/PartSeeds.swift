/// Individual structures of a vault, as `Fuzz` reads them where nothing is sealed.
///
/// Each seed is the number of the structure, then its bytes. They are made without cryptography, so all hashes in them
/// are zero.
enum PartSeeds {
    static var all: [(name: String, bytes: [UInt8])] {
        GoldenVault.all.flatMap(parts) + items + [settings, grant, anchorFile, credentialFile] + keyFiles
    }

    // MARK: - From the golden vaults

    private static func parts(of golden: GoldenVault) -> [(String, [UInt8])] {
        let vault = golden.vault
        let file = vault.build()
        func seed(_ name: String, _ number: UInt8, _ bytes: [UInt8]) -> (String, [UInt8]) {
            ("part_\(name)_\(golden.name)", [number] + bytes)
        }
        let directory = u32(file.sections.last.map { ($0.upperBound - file.directory.lowerBound) / 64 } ?? 1)
        var seeds = [
            seed("keybag", 1, vault.keybag.bytes),
            // The offsets of the sections are only in the file.
            seed("directory", 3, directory + unboxed(Array(file.bytes[file.directory]))),
        ]
        for (number, frame) in vault.frames.enumerated() {
            let text = file.bytes[file.frames[number]].dropFirst(96)
            let records = text.dropFirst(16).prefix(size(text.dropFirst(8)))
            seeds.append(seed("records\(number)", 2, u8(frame.records.count) + records))
        }
        for (number, section) in vault.sections.enumerated() {
            if let run = section as? SketchRun {
                let content = unboxed(Array(file.bytes[file.sections[number]]))
                seeds.append(seed("run\(number)", 4, u8(run.entries.count) + content))
            } else if let section = section as? SketchGroupSection {
                let (fence, leaves) = parts(of: section, in: vault)
                seeds.append(seed("fence\(number)", 15, fence))
                for (leaf, bytes) in leaves.enumerated() { seeds.append(seed("leaf\(number)_\(leaf)", 16, bytes)) }
            }
        }
        return seeds
    }

    /// Returns the fence of a section after the size of what is before it, and each leaf after its list and the size of
    /// its boxes.
    private static func parts(of section: SketchGroupSection, in vault: VaultSketch) -> (fence: [UInt8], [[UInt8]]) {
        var leaves: [[UInt8]] = []
        func collect(_ list: UInt8) -> (inout [SketchPage]) -> Void {
            { pages in leaves += pages.map { [list] + u32($0.boxes.count / 16) + $0.content } }
        }
        var section = section
        section.leaves = collect(1)
        section.pastLeaves = collect(2)
        var lineage = SketchLineage()
        let built = section.built(in: vault, &lineage)
        let start = built.bytes.count - Int(built.entry.fenceLength) * 64
        return (u32(start / 64) + unboxed(Array(built.bytes[start...])), leaves)
    }

    /// Returns the U32 at the start of `bytes`.
    private static func size(_ bytes: some Collection<UInt8>) -> Int {
        bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns the content of an unsealed box.
    private static func unboxed(_ box: [UInt8]) -> [UInt8] {
        Array(box[28..<28 + size(box[24...])])
    }

    // MARK: - From items

    private static var items: [(String, [UInt8])] {
        let vault = VaultSketch("parts")
        let examples = [
            ("genp", vault.item("kim")), ("inet", vault.internet), ("cert", vault.certificate),
            ("keys", vault.privateKey),
        ]
        var seeds: [(String, [UInt8])] = []
        for (name, item) in examples {
            let metadata = item.metadata
            let stream = Deflate.stream(metadata, dictionary: metadata)
            seeds.append(("part_deflated_\(name)", [5] + u16(metadata.count) + metadata + stream))
            seeds.append(("part_metadata_\(name)", [6, item.itemClass.rawValue] + metadata))
            seeds.append(("part_match_\(name)", [7] + item.matchContent + zeros(32)))
        }
        let several = SketchSecret.several(["v_Data": [1, 2, 3], "binn": [4]])
        seeds.append(("part_secret_data", [8] + SketchSecret.data([1, 2, 3]).content))
        seeds.append(("part_secret_several", [8] + several.content))
        seeds.append(("part_secret_password", [8, 2] + zeros(97)))
        return seeds
    }

    // MARK: - From the owner

    private static var settings: (String, [UInt8]) {
        let archive = canonicalArchive(["lock": .int(300), "name": .string("mine")])
        return ("part_settings", [9] + u64(1) + u32(archive.count) + zeros(4) + archive + zeros(64))
    }

    private static var grant: (String, [UInt8]) {
        let name = Array("mail".utf8)
        let dataKey = zeros(8) + [6, 0, 0, 0] + zeros(16) + zeros(32)
        let ownedKey = zeros(8) + [9, 0, 0, 0] + [UInt8](repeating: 1, count: 16) + zeros(32)
        let group = zeros(8) + u32(1) + u32(name.count) + name + zeros(32) + u32(2) + dataKey + ownedKey
        let payload = zeros(32) + u32(1) + u32(1) + group
        let padded = payload + zeros(pad(payload.count) - payload.count)
        let head = zeros(16) + u64(1) + zeros(32) + zeros(32)
        return ("part_grant", [10] + head + u32(padded.count + 48) + zeros(4) + zeros(48) + padded + zeros(64 + 64))
    }

    // MARK: - Companion files

    private static var anchorFile: (String, [UInt8]) {
        var file: [UInt8] = [11]
        for count in 1...2 {
            file += Array("COFANCH1".utf8) + u64(count) + zeros(16)
            file += u64(1) + u64(5) + zeros(32) + u32(1) + zeros(396 + 32)
        }
        return ("part_anchor", file)
    }

    private static var credentialFile: (String, [UInt8]) {
        let lines = [
            "coffer credential 1", "vault \(zeros(16).hex)", "team \(zeros(32).hex)", "grant \(zeros(16).hex)",
            "secret \(zeros(32).hex)", "check 00000000",
        ]
        return ("part_credential", [13] + lines.flatMap { Array("\($0)\n".utf8) })
    }

    private static var keyFiles: [(String, [UInt8])] {
        let device = ["coffer device key 1", "device \(zeros(16).hex)", "key \(zeros(32).hex)", "check 00000000"]
        let code = [String](repeating: "0000", count: 9).joined(separator: "-")
        return [
            ("part_device", [12] + device.flatMap { Array("\($0)\n".utf8) }),
            ("part_code", [14] + Array(code.utf8)),
        ]
    }
}
