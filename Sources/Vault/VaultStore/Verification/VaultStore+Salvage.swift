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
    /// The numbers of transactions that are known to have existed but cannot be read, in ascending order.
    package let missingTransactions: [ClosedRange<UInt64>]
    /// How many changes to items were read, but not the keys that they need.
    package let keylessChangeCount: Int
    /// How many items were last written before the last missing transaction, which may have changed or deleted them.
    package let staleItemCount: Int
    /// The first of these items.
    package let staleItems: [StaleItem]
}

/// An item that may be out of date.
package struct StaleItem: Equatable, Sendable {
    /// The name of its group, and the values of the two attributes by which its class is listed, as text.
    package let group, first, second: String
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
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> VerificationReport {
        try serve(path) {
            try examine(at: path, for: .verification, environment, options, progress, roots).report
        }
    }

    /// Creates a new vault from everything in a damaged one that still verifies.
    ///
    /// The damaged vault is not changed. The new one opens in the same ways, and its generation is so much greater that
    /// the two cannot be confused. It can be used at once: an anchor takes it for what follows the damaged one.
    ///
    /// - Throws: `StoreError` if the vault as a whole is unreadable, or `alreadyExists` if there is a file at
    ///   `newPath`.
    package static func salvage(
        at path: String,
        to newPath: String,
        environment: StoreEnvironment,
        options: StoreOptions = StoreOptions(),
        progress: @escaping (ReadingProgress) -> Bool = { _ in true },
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> SalvageReport {
        try serve(path) {
            let examination = try examine(at: path, for: .salvage, environment, options, progress, roots)
            var request = CompactionRequest()
            request.generationStep = 1 << 20
            request.missingTransactions = try examination.vault.missingTransactions(examination.source)
            try DurableFile.create(
                at: newPath,
                in: environment.files,
                random: environment.random.number(),
                failure: { $0 }
            ) { file in
                var report = Rewrite.Report()
                _ = try Rewrite.write(examination.vault, request, isSalvage: true, to: file, &report) { _ in }
            }
            let new = try open(at: newPath, environment: environment) { _ in examination.vault.keyring.roots }
            let saved = try new.verify()
            let lastMissing = request.missingTransactions.last?.upperBound ?? 0
            let stale = try new.read { vault in try vault.items(writtenBefore: lastMissing) }
            return SalvageReport(
                findings: examination.report,
                itemCount: saved.itemCount + saved.sealedItemCount,
                missingTransactions: request.missingTransactions,
                keylessChangeCount: examination.vault.keylessPutCount,
                staleItemCount: stale.count,
                staleItems: stale.listed
            )
        }
    }

    private static func examine(
        at path: String,
        for purpose: ReadingPurpose,
        _ environment: StoreEnvironment,
        _ options: StoreOptions,
        _ progress: @escaping (ReadingProgress) -> Bool,
        _ roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws -> VaultExamination {
        let place = try environment.files.locate(path)
        var options = options
        options.mayWrite = false
        let opener = VaultOpener(
            location: VaultLocation(path: path, place: place),
            environment: environment,
            options: options
        )
        let opened = try opener.opened(current: nil, purpose: purpose, roots: roots)
        var examination = try VaultExamination(of: opened.generation) { done, expected in
            guard progress(ReadingProgress(byteCount: done, expectedByteCount: expected)) else {
                throw StoreError.cancelled
            }
        }
        try examination.examine()
        return examination
    }
}

extension OpenGeneration {
    /// Returns the items that transactions before `sequence` wrote last, and lists the first that can be read.
    fileprivate mutating func items(
        writtenBefore sequence: UInt64
    ) throws -> (count: Int, listed: [StaleItem]) {
        var found: (count: Int, listed: [StaleItem]) = (0, [])
        guard sequence > 0 else { return found }
        for (group, name) in groupNames.sorted(by: { $0.value.lexicographicallyPrecedes($1.value) }) {
            for item in try items(in: group) where item.written.sequence < sequence {
                found.count += 1
                guard found.listed.count < VerificationReport.maximumListCount,
                    let attributes = try knownAttributes(of: item)
                else { continue }
                let (first, second) = attributes.columns()
                func text(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
                found.listed.append(StaleItem(group: text(name), first: text(first), second: text(second)))
            }
        }
        return found
    }

    /// Returns the attributes of an item; nil if it is locked or invalid.
    private mutating func knownAttributes(of item: StoredItem) throws -> ItemAttributes? {
        guard item.presence == .readable else { return nil }
        do {
            return try attributes(of: item)
        } catch {
            guard case StoreError.invalidItem = error else { throw error }
            return nil
        }
    }
}
