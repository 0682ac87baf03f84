internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Opens what lies at the place of a vault: the first time, and whenever it was replaced.
struct VaultOpener: Sendable {
    typealias Roots = Keyring<SodiumSuite>.Roots

    let location: VaultLocation
    let environment: StoreEnvironment
    let options: StoreOptions

    /// What was found.
    struct Opened: Sendable {
        var generation: OpenGeneration
        var status: FileStatus
        var anchor: AnchorKeeper?
        /// What follows the last frame that verifies.
        var tail: TailVerdict
        /// Why the vault may not be written, if it may not.
        var readOnlyReason: ReadOnlyReason?
        var findings: [AccessReport.Finding]
    }

    /// Opens the vault; `current` is the file that is open already, if there is one.
    func opened(
        current: (any OpenFile)?,
        byteCountLimit: Int? = nil,
        toleratesDamage: Bool = false,
        roots: (VaultPrelude) throws(VaultFormatError) -> Roots
    ) throws(StoreError) -> Opened {
        while true {
            let opened = try openedOnce(current, byteCountLimit, toleratesDamage, roots)
            // The anchor is read after the length of the file: what is written in between would pass for taken back.
            guard case .anchor? = opened.readOnlyReason, byteCountLimit == nil, try hasChanged(opened) else {
                return opened
            }
        }
    }

    /// Whether the file is longer than it was when it was opened, or another one has its place.
    private func hasChanged(_ opened: Opened) throws(StoreError) -> Bool {
        let status = try location.status(of: opened.generation.file)
        return status.identity != opened.status.identity || status.byteCount != opened.status.byteCount
    }

    private func openedOnce(
        _ current: (any OpenFile)?,
        _ byteCountLimit: Int?,
        _ toleratesDamage: Bool,
        _ roots: (VaultPrelude) throws(VaultFormatError) -> Roots
    ) throws(StoreError) -> Opened {
        let (file, denial) = try openFile(current)
        var status = try translating(StoreError.file) { () throws(FileError) in try file.status() }
        if let byteCountLimit { status.byteCount = min(status.byteCount, byteCountLimit) }
        let access = AccessReport(of: status, reader: environment.user, allowedGroups: options.allowedGroups)
        guard !access.refusesReading else { throw .file(FileError(.open, location.path, reason: .notARegularFile)) }
        var keeper: AnchorKeeper?
        let generation = try OpenGeneration(
            file,
            status: status,
            environment: environment,
            toleratesDamage: toleratesDamage,
            anchor: { vault throws(StoreError) in
                guard let directory = options.anchorDirectory else { return nil }
                keeper = try AnchorKeeper(of: vault, in: directory, environment: environment)
                return keeper?.anchor
            },
            roots: roots
        )
        var reason = denial ?? (access.refusesWriting ? .writableByOthers : nil)
        let features = generation.header.features.readOnlyCompatible
        if features != 0 { reason = reason ?? .unsupportedFeatures(features) }
        let tail = try generation.tailVerdict(FileSource(file: file, byteCount: status.byteCount))
        let verdict = generation.anchorVerdict(tail: tail)
        if verdict != .fine { reason = .anchor(verdict) }
        // That there are missing changes says less than why, and what can be done about it.
        if case .inconsistent(let offset, let sequence) = tail, verdict == .lostCommit {
            reason = .inconsistent(offset: offset, sequence: sequence)
        }
        return Opened(
            generation: generation,
            status: status,
            anchor: keeper,
            tail: tail,
            readOnlyReason: reason,
            findings: access.findings
        )
    }

    /// The file, for writing if that is possible, else with the reason why not.
    private func openFile(_ current: (any OpenFile)?) throws(StoreError) -> (any OpenFile, ReadOnlyReason?) {
        guard let place = location.place else {
            guard let current else { throw .file(FileError(.open, location.path, reason: .notFound)) }
            return (current, .asked)
        }
        return try translating(StoreError.file) { () throws(FileError) in
            guard options.mayWrite else { return (try place.directory.open(place.name, for: .reading), .asked) }
            do throws(FileError) {
                return (try place.directory.open(place.name, for: .writing), nil)
            } catch  where [.permissionDenied, .readOnlyFileSystem].contains(error.reason) {
                return (try place.directory.open(place.name, for: .reading), .denied(error))
            }
        }
    }
}
