internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// The result of salvaging a damaged vault.
package struct SalvageReport: Equatable, Sendable {
    /// What is wrong with the damaged vault, including what could not be saved.
    package let findings: VerificationReport
    /// How many items the new vault has.
    package let itemCount: Int
    /// Transactions after the last one that verifies, as far as their heads can be recognized.
    ///
    /// They cannot be opened without the transactions before them.
    package let lostTransactions: [UInt64]
}

extension VaultStore {
    /// Reads a vault that may be damaged, and reports what is wrong with it and where.
    ///
    /// - Throws: `StoreError` if the vault as a whole is unreadable: its header or keys are damaged, or nothing opens
    ///   it.
    package static func verify(
        at path: String,
        environment: StoreEnvironment,
        options: StoreOptions = StoreOptions(),
        progress: @escaping (ReadingProgress) -> Bool = { _ in true },
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) -> VerificationReport {
        try examine(at: path, environment, options, progress, roots).report
    }

    /// Creates a new vault from everything in a damaged one that still verifies.
    ///
    /// The damaged vault is not changed. The new one opens in the same ways, and its generation is so much greater that
    /// the two cannot be confused.
    ///
    /// - Throws: `StoreError` if the vault as a whole is unreadable, or `alreadyExists` if there is a file at
    ///   `newPath`.
    package static func salvage(
        at path: String,
        to newPath: String,
        environment: StoreEnvironment,
        progress: @escaping (ReadingProgress) -> Bool = { _ in true },
        roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) -> SalvageReport {
        let examination = try examine(at: path, environment, StoreOptions(), progress, roots)
        var request = CompactionRequest()
        request.generationStep = 1 << 20
        let sections = Dictionary(examination.sections.map { ($0.section.group, $0) }) { first, _ in first }
        var compaction = try Compaction(of: examination.vault, request: request, salvaging: sections)
        let place = try translating(StoreError.file, environment.files.locate(newPath))
        let random = environment.random.bytes(8).span.littleEndian(at: 0, as: UInt64.self)
        let temporaryName = DurableFile.temporaryName(for: place.name, random: random)
        let file = try translating(StoreError.file, place.directory.create(temporaryName))
        do throws(StoreError) {
            _ = try compaction.write(to: file) { _ in }
            try translating(StoreError.file) { () throws(FileError) in
                try file.sync()
                try place.directory.renameWithoutReplacing(temporaryName, to: place.name)
                try place.directory.sync()
            }
        } catch {
            try? place.directory.remove(temporaryName)
            throw error
        }
        let new = try open(at: newPath, environment: environment) { _ in examination.vault.keyring.roots }
        let saved = try new.verify()
        return SalvageReport(
            findings: examination.report,
            itemCount: saved.itemCount + saved.sealedItemCount,
            lostTransactions: try examination.vault.headsBehindTheLog(examination.source)
        )
    }

    private static func examine(
        at path: String,
        _ environment: StoreEnvironment,
        _ options: StoreOptions,
        _ progress: @escaping (ReadingProgress) -> Bool,
        _ roots: (VaultPrelude) throws(VaultFormatError) -> Keyring.Roots
    ) throws(StoreError) -> VaultExamination {
        let place = try translating(StoreError.file, environment.files.locate(path))
        var options = options
        options.mayWrite = false
        let opener = VaultOpener(
            location: VaultLocation(path: path, place: place),
            environment: environment,
            options: options
        )
        let opened = try opener.opened(current: nil, toleratesDamage: true, roots: roots)
        var examination = try VaultExamination(of: opened.generation) { done, expected throws(StoreError) in
            guard progress(ReadingProgress(byteCount: done, expectedByteCount: expected)) else { throw .cancelled }
        }
        try examination.examine()
        return examination
    }
}

extension OpenGeneration {
    /// Returns the numbers of the transactions whose heads follow the last one that verifies.
    fileprivate func headsBehindTheLog(_ source: FileSource) throws(StoreError) -> [UInt64] {
        let end = source.byteCount
        var numbers: [UInt64] = []
        let sequential = SequentialSource(source)
        for offset in stride(from: position.offset, to: end - FrameHead.byteCount + 1, by: Padding.unit) {
            let bytes = try translating(
                { StoreError(.unavailable($0), path: path) },
                sequential.bytes(in: offset..<offset + FrameHead.byteCount)
            )
            guard FrameHead.hasMagic(bytes.span),
                let head = FrameHead(genuine: bytes.span, key: opening.keys.head)
            else { continue }
            numbers.append(head.sequence)
        }
        return numbers
    }
}
