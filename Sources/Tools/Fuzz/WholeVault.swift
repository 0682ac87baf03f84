import CofferBasics
import VaultCrypto
import VaultFormat

/// A vault in which nothing is sealed.
struct WholeVault {
    private let random: any RandomSource
    private let key: Key
    private let file: [UInt8]
    private let source: MemorySource

    init(_ file: [UInt8], random: any RandomSource) throws(CipherError) {
        self.file = file
        self.random = random
        key = try random.key()
        source = MemorySource(file)
    }

    /// Reads everything, and does to the vault what its id selects; a failure is a valid answer.
    func check() throws(CipherError) {
        do throws(VaultFormatError) {
            _ = try VaultInspection(of: source)
            let prelude = try VaultPrelude(of: source)
            checkPrelude(prelude)
            for case .grant(let body) in prelude.keybag.entries { try? Part.grant.check(body, random: random) }
            let roots = try roots(prelude)
            let opening = try VaultOpening(prelude, roots: roots, random: random)
            checkSnapshot(opening, prelude)
            try checkFrames(opening)
            let choices = Array(prelude.header.vault.bytes[1..<9])
            StoreInvariant(roots: roots, random: random).check(file, choices: choices)
        } catch {
            // Every failure is a valid answer.
        }
    }

    /// Returns the reader's keys: a byte of the vault id, which has no other meaning, selects them.
    private func roots(_ prelude: VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        let choice = prelude.header.vault.bytes[0] % 4
        let devices = prelude.keybag.devices.map(\.id) + prelude.keybag.slots.compactMap(\.device)
        let hasOwner = choice != 2 || devices.isEmpty
        var deviceKeys: [DeviceID: Key] = [:]
        if choice != 3 { for device in devices { deviceKeys[device] = key } }
        let secret = [UInt8](repeating: 0, count: 32)
        return try prelude.roots(
            passphrase: hasOwner ? secret.span : nil,
            keyFile: hasOwner ? secret.span : nil,
            recovery: hasOwner ? key : nil,
            deviceKeys: deviceKeys,
            // Where nothing is sealed, Argon2id takes no memory or time.
            limits: Argon2Limits(memoryKiB: 8...1_048_576, operations: 1...16, workKiB: 4_194_304),
            availableByteCount: nil
        )
    }

    // MARK: - Everything read is written again unchanged

    private func checkPrelude(_ prelude: VaultPrelude) {
        // After the fields come hashes, which are all zero here.
        let header = prelude.header.encoded(key: key, teamSecret: nil)
        requireInvariant(header.prefix(192) == prelude.headerBytes.prefix(192), "the header changed")
        requireInvariant(prelude.keybag.encoded == Array(file[prelude.header.keybagRange]), "the keybag changed")
    }

    private func checkSnapshot(_ opening: VaultOpening, _ prelude: VaultPrelude) {
        let keys = opening.keys
        let directory = opening.directory.sealed(keys: keys)
        requireInvariant(text(directory) == text(prelude.directoryBox), "the directory changed")
        let start = opening.header.snapshotRange.lowerBound
        for section in opening.directory.sections where section.kind == .run {
            let box = Array(file[start + section.range.lowerBound..<start + section.range.upperBound])
            guard let run = try? Run(opening: box, of: section, keys: keys) else { continue }
            let again = run.content.sealed(section: section.id, keys: keys)
            requireInvariant(text(again) == text(box), "a run changed")
        }
    }

    private func checkFrames(_ opening: VaultOpening) throws(VaultFormatError) {
        var log = opening.log(in: source)
        while true {
            let position = log.position
            guard let frame = try log.next() else { break }
            guard let again = try? frame.sealed(after: position.chain, keys: opening.keys) else {
                preconditionFailure("a frame that was read cannot be written")
            }
            let bytes = Array(file[position.offset..<log.position.offset])
            // The head except for the nonce and MAC, and the text without its tag.
            requireInvariant(
                again.prefix(24) == bytes.prefix(24) && again[48..<80] == bytes[48..<80],
                "the head of a frame changed"
            )
            requireInvariant(again[96...].dropLast(16) == bytes[96...].dropLast(16), "the text of a frame changed")
        }
        _ = try log.tailVerdict()
    }

    /// Returns the bytes that a box seals: everything except the nonce and tag.
    private func text(_ box: [UInt8]) -> ArraySlice<UInt8> { box[24..<box.count - 16] }
}
