import VaultCrypto
import VaultFormat

/// A vault of which nothing is sealed.
struct WholeVault {
    private let suite: SodiumSuite
    private let key: GuardedKey
    private let file: [UInt8]
    private let source: MemorySource

    init(_ file: [UInt8], suite: SodiumSuite) throws(CipherError) {
        self.file = file
        self.suite = suite
        key = try suite.randomKey()
        source = MemorySource(file)
    }

    /// Reads everything, and does with the vault what its id chooses; a failure is an answer.
    func check() throws(CipherError) {
        do throws(VaultFormatError) {
            _ = try VaultInspection(of: source, suite: suite)
            let prelude = try VaultPrelude(of: source, suite: suite)
            checkPrelude(prelude)
            for case .grant(let body) in prelude.keybag.entries { try? Part.grant.check(body, suite: suite) }
            let roots = try roots(prelude)
            let opening = try VaultOpening(prelude, roots: roots, suite: suite)
            checkSnapshot(opening, prelude)
            try checkFrames(opening)
            let choices = Array(prelude.header.vault.bytes[1..<9])
            StoreLaw(roots: roots, suite: suite).check(file, choices: choices)
        } catch {
            // Every failure is an answer.
        }
    }

    /// What the reader has: a byte of the vault id, which means nothing else, chooses.
    private func roots(_ prelude: VaultPrelude) throws(VaultFormatError) -> Keyring<SodiumSuite>.Roots {
        let choice = prelude.header.vault.bytes[0] % 4
        let devices = prelude.keybag.devices.map(\.id) + prelude.keybag.slots.compactMap(\.device)
        let hasOwner = choice != 2 || devices.isEmpty
        var deviceKeys: [DeviceID: GuardedKey] = [:]
        if choice != 3 { for device in devices { deviceKeys[device] = key } }
        let secret = [UInt8](repeating: 0, count: 32)
        return try prelude.roots(
            passphrase: hasOwner ? secret.span : nil,
            keyFile: hasOwner ? secret.span : nil,
            recovery: hasOwner ? key : nil,
            deviceKeys: deviceKeys,
            // Where nothing is sealed Argon2id takes neither memory nor time.
            limits: Argon2Limits(memoryKiB: 8...1_048_576, operations: 1...16, workKiB: 4_194_304),
            availableByteCount: nil,
            suite: suite
        )
    }

    // MARK: - What was read is written as it was

    private func checkPrelude(_ prelude: VaultPrelude) {
        // Behind the fields stand hashes, which are all zero here.
        let header = prelude.header.encoded(key: key, suite: suite)
        precondition(header.prefix(192) == prelude.headerBytes.prefix(192), "the header changed")
        precondition(prelude.keybag.encoded == Array(file[prelude.header.keybagRange]), "the keybag changed")
    }

    private func checkSnapshot(_ opening: VaultOpening<SodiumSuite>, _ prelude: VaultPrelude) {
        let key = opening.keys.snapshot
        let directory = opening.directory.sealed(key: key, suite: suite)
        precondition(text(directory) == text(prelude.directoryBox), "the directory changed")
        let start = opening.header.snapshotRange.lowerBound
        for section in opening.directory.sections where section.kind == .run || section.kind == .history {
            let box = Array(file[start + section.range.lowerBound..<start + section.range.upperBound])
            guard let run = try? Run(opening: box, of: section, key: key, suite: suite) else { continue }
            let again = run.content.sealed(section: section.id, kind: section.kind, key: key, suite: suite)
            precondition(text(again) == text(box), "a run changed")
        }
    }

    private func checkFrames(_ opening: VaultOpening<SodiumSuite>) throws(VaultFormatError) {
        var log = opening.log(in: source, suite: suite)
        while true {
            let position = log.position
            guard let frame = try log.next() else { break }
            guard let again = try? frame.sealed(after: position.chain, keys: opening.keys, suite: suite) else {
                preconditionFailure("a frame that was read is not written")
            }
            let bytes = Array(file[position.offset..<log.position.offset])
            // The head but for nonce and MAC, and the text without its tag.
            precondition(again.prefix(24) == bytes.prefix(24), "the head of a frame changed")
            precondition(again[64...].dropLast(16) == bytes[64...].dropLast(16), "the text of a frame changed")
        }
        _ = try log.tailVerdict()
    }

    /// What a box seals: all but nonce and tag.
    private func text(_ box: [UInt8]) -> ArraySlice<UInt8> { box[24..<box.count - 16] }
}
