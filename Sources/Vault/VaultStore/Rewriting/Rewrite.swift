internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Writes the next generation of a vault, section 10: with the records folded in, under the same keys or, for a change of
/// keys, under others.
///
/// What goes into each section is planned first, as places in the old file; then the sections are written one after the
/// other, and never is more than a few leaves in memory.
struct Rewrite: ~Copyable {
    var vault: OpenGeneration
    let source: FileSource
    let request: CompactionRequest
    /// Whether damaged parts are left out instead of being an error.
    let isSalvage: Bool
    var keys: RewriteKeys
    var history: HistoryRetention
    var reader: RevisionReader
    var plans: [SectionPlan] = []
    /// The sections that are copied: those of closed groups, and those of unknown kinds.
    var copied: [Section] = []
    var runs = PlannedRuns()
    var report = Report()
    /// How many items each absent device has.
    var carriedCounts: [DeviceItems: Int] = [:]

    /// The items of a device of one class.
    struct DeviceItems: Hashable {
        let owner: DeviceID
        let protection: ProtectionClass
    }

    /// What became of everything.
    struct Report {
        var droppedRevisionCount = 0
        /// Records that were carried unchanged.
        var carriedRecordCount = 0
        /// Records that were dropped because they are invalid.
        var invalidRecordCount = 0
        // With a change of keys:
        var resealedItemCount = 0
        /// Items of devices that are absent.
        var carriedItemCount = 0
        var lostItemCount = 0
    }

    private init(
        of vault: OpenGeneration,
        _ request: CompactionRequest,
        change: KeyChange?,
        isSalvage: Bool
    ) throws {
        self.vault = vault
        self.request = request
        self.isSalvage = isSalvage
        source = try vault.source()
        keys = RewriteKeys(change)
        history = HistoryRetention(of: vault, purge: request.purge, keptChange: request.keptChange)
        reader = RevisionReader(request.foreign)
    }

    /// Writes the next generation of a vault whose whole log was read, and returns what seals frames for it; `change` must
    /// be made for the vault in its current state.
    static func write(
        _ vault: OpenGeneration,
        _ request: CompactionRequest = CompactionRequest(),
        change: KeyChange? = nil,
        isSalvage: Bool = false,
        to file: any OpenFile,
        _ report: inout Report,
        progress: @escaping (Int) throws -> Void
    ) throws -> LogWriter {
        var rewrite = try Rewrite(of: vault, request, change: change, isSalvage: isSalvage)
        let writer = try rewrite.write(to: file, progress: progress)
        report = rewrite.report
        return writer
    }

    /// Writes header, keybag and snapshot.
    private mutating func write(
        to file: any OpenFile,
        progress: @escaping (Int) throws -> Void
    ) throws -> LogWriter {
        // Later than everything that was known, so that no anchor takes the new file for an older one.
        let lastSequence = max(vault.frames.end.sequence, request.missingTransactions.last?.upperBound ?? 0)
        if !request.missingTransactions.isEmpty { history.dropUnknown(sequence: lastSequence) }
        try planGroups { try progress(0) }
        try checkDeviceAccess()
        try planRuns()
        let keybag = try keybag()
        var writer = try writer(keybag, lastSequence, to: FileSink(file, path: vault.path, progress: progress))
        let plans = plans
        self.plans = []
        for plan in plans { try write(plan, to: &writer) }
        for section in copied where section.kind == .group { try copy(section, to: &writer) }
        try runs.write(to: &writer)
        runs = PlannedRuns()
        for section in copied where section.kind != .group { try copy(section, to: &writer) }
        let start = try writer.finish(historySince: history.horizon)
        var sink = writer.sink
        try sink.flush()
        report.droppedRevisionCount = history.droppedCount
        return LogWriter(continuing: start, keys: writer.keys)
    }

    private func writer(
        _ keybag: Keybag,
        _ lastSequence: UInt64,
        to sink: FileSink
    ) throws -> GenerationWriter<FileSink> {
        let header = vault.header
        let generation = header.generation.addingReportingOverflow(request.generationStep)
        guard !generation.overflow, generation.partialValue < 1 << 63 else { throw StoreError.refused(.badValue) }
        var identity = GenerationIdentity(
            generation: generation.partialValue,
            baseSequence: lastSequence,
            previousChain: isSalvage ? ChainValue(bytes: [UInt8](repeating: 0, count: 32)) : vault.position.chain
        )
        identity.compatibleFeatures = header.features.compatible
        identity.isShared = request.isShared ?? header.features.isShared
        let (structureKey, ownerKey, teamSecret): (Key, Key, Key?)
        if let change = keys.change {
            (structureKey, ownerKey, teamSecret) = (change.structureKey, change.ownerKey, change.teamSecret)
        } else {
            guard let known = try vault.keyring.structureKey(in: keybag) else { throw Fault(.missing) }
            structureKey = known.key
            ownerKey = try vault.ownerKey(toSign: keybag)
            teamSecret = keybag.hasGrants ? try vault.keyring.teamSecret(in: keybag) : nil
        }
        return try GenerationWriter(
            identity,
            keybag,
            sectionCount: plans.count + copied.count + runs.count,
            structureKey: structureKey,
            ownerKey: ownerKey,
            teamSecret: teamSecret,
            cipher: vault.cipher,
            to: sink
        )
    }

    /// Returns the keys of the new file, including those from records that could be opened here.
    private func keybag() throws -> Keybag {
        if let change = keys.change { return change.keybag }
        var keybag = vault.verifiedKeybag
        keybag.removeIncompleteDevices()
        try request.addition?.apply(to: &keybag, of: vault)
        guard keybag.encoded.count <= Limits.keybagByteCount else {
            throw StoreError.refused(.limitExceeded(.keybag, value: UInt64(keybag.encoded.count)))
        }
        return keybag
    }
}
