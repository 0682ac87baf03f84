internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat

/// Opens the file at the location of a vault: the first time, and whenever it has been replaced.
struct VaultOpener: Sendable {
    typealias Roots = Keyring.Roots

    let location: VaultLocation
    let environment: StoreEnvironment
    let options: StoreOptions

    /// An opened vault.
    struct Opened: ~Copyable, Sendable {
        var generation: OpenGeneration
        var status: FileStatus
        var anchor: Anchors?
        /// What follows the last frame that verifies.
        var tail: TailVerdict
        /// Why the vault may not be written, if so.
        var readOnlyReason: ReadOnlyReason?
        /// How the anchor contradicts the vault, if it does.
        var rollback: ReadOnlyReason?
        /// Why the anchor cannot be read, if so.
        var anchorFailure: FileError?
        var findings: [AccessReport.Finding]
    }

    /// Opens the vault; `current` is the file that is already open, if any.
    ///
    /// `prepared` is the generation as far as it has been read already, if it has. With `usesIndex`, an index may stand
    /// for a part of its log. With `allowsOlder`, the file may be an older copy of one at another location.
    func opened(
        current: (any OpenFile)?,
        prepared: consuming OpenGeneration? = nil,
        byteCountLimit: Int? = nil,
        purpose: ReadingPurpose = .use,
        usesIndex: Bool = true,
        allowsOlder: Bool = true,
        roots: (VaultPrelude) throws -> Roots
    ) throws -> Opened {
        // Ask for a passphrase only once, however often the file is read.
        var known: (keybag: Keybag, vault: VaultID, roots: Roots)?
        func knownRoots(_ prelude: VaultPrelude) throws -> Roots {
            if let known, known.keybag == prelude.keybag, known.vault == prelude.header.vault { return known.roots }
            let found = try roots(prelude)
            known = (prelude.keybag, prelude.header.vault, found)
            return found
        }
        let usesIndex = usesIndex && purpose == .use && !options.acceptsRollback
        var opened = try openedOnce(current, prepared, byteCountLimit, purpose, usesIndex, knownRoots)
        // The whole log shows what is wrong.
        if opened.generation.isIndexed, opened.rollback != nil || opened.tail != .clean {
            opened = try openedOnce(current, nil, byteCountLimit, purpose, false, knownRoots)
        }
        // The file is opened before the anchor is read, so a change in between looks like a rollback. A file that was
        // opened after the anchor was read, and still contradicts it, was rolled back.
        while opened.rollback != nil {
            let former = opened.generation.frames.anchor
            opened = try openedOnce(current, nil, byteCountLimit, purpose, false, knownRoots)
            if opened.generation.frames.anchor == former { break }
        }
        if allowsOlder, purpose == .use, let copy = olderCopy(opened) {
            opened.rollback = nil
            opened.readOnlyReason = .olderCopy(copy)
        }
        return opened
    }

    private func openedOnce(
        _ current: (any OpenFile)?,
        _ prepared: consuming OpenGeneration?,
        _ byteCountLimit: Int?,
        _ purpose: ReadingPurpose,
        _ usesIndex: Bool,
        _ roots: (VaultPrelude) throws -> Roots
    ) throws -> Opened {
        let (file, denial) = try openFile(current)
        var status = try file.status()
        if let byteCountLimit { status.byteCount = min(status.byteCount, byteCountLimit) }
        let access = AccessReport(of: status, reader: environment.user, writerGroupIDs: options.writerGroupIDs)
        guard !access.refusesReading else {
            throw StoreError.file(FileError(.open, location.path, reason: .notARegularFile))
        }
        var anchors: Anchors?
        var anchorFailure: FileError?
        func anchor(_ header: Header) throws -> Anchor? {
            guard let directory = options.anchorDirectory else { return nil }
            do {
                anchors = try Anchors(
                    of: header.vault,
                    isShared: header.features.isShared,
                    at: options.anchorsLocations ? location : nil,
                    in: directory,
                    environment: environment
                )
            } catch let error as FileError {
                anchorFailure = error
            }
            return anchors?.anchor
        }
        let generation: OpenGeneration
        if let prepared,
            let continued = try prepared.continued(in: file, status: status, anchor: anchor(prepared.header))
        {
            generation = continued
        } else {
            generation = try OpenGeneration(
                file,
                status: status,
                environment: environment,
                purpose: purpose,
                indexDirectory: usesIndex ? options.anchorDirectory : nil,
                anchor: anchor,
                roots: roots
            )
        }
        var reason = denial ?? (access.refusesWriting ? .writableByOthers : nil)
        // Without the anchor, a writer might continue a vault that was rolled back.
        if let anchorFailure { reason = reason ?? .anchorUnreadable(anchorFailure) }
        let features = generation.header.features
        let unknown = features.readOnlyCompatible & ~Header.Features.shared
        if unknown != 0 { reason = reason ?? .unsupportedFeatures(unknown) }
        if features.isShared, options.sharedLog == nil { reason = reason ?? .shared }
        let tail = try generation.tailVerdict(FileSource(file: file, byteCount: status.byteCount))
        let verdict = generation.anchorVerdict(tail: tail)
        let isRolledBack = verdict != .fine
        if isRolledBack { reason = .anchor(verdict) }
        // The inconsistency says why changes are missing and what to do, so it takes precedence.
        if case .inconsistent(let offset, let sequence) = tail, verdict == .lostCommit {
            reason = .inconsistent(offset: offset, sequence: sequence)
        }
        return Opened(
            generation: generation,
            status: status,
            anchor: anchors,
            tail: tail,
            readOnlyReason: reason,
            rollback: isRolledBack ? reason : nil,
            anchorFailure: anchorFailure,
            // Who else can access the file is up to the owner, not to the holder of a grant.
            findings: generation.keyring.roots.credential == nil ? access.findings : []
        )
    }

    /// Returns the file, opened for writing if possible, otherwise for reading with the reason why.
    private func openFile(_ current: (any OpenFile)?) throws -> (any OpenFile, ReadOnlyReason?) {
        guard let place = location.place else {
            guard let current else { throw StoreError.file(FileError(.open, location.path, reason: .notFound)) }
            return (current, .asked)
        }
        guard options.mayWrite else { return (try place.directory.open(place.name, for: .reading), .asked) }
        do throws(FileError) {
            return (try place.directory.open(place.name, for: .writing), nil)
        } catch  where [.permissionDenied, .readOnlyFileSystem].contains(error.reason) {
            return (try place.directory.open(place.name, for: .reading), .denied(error))
        }
    }
}
