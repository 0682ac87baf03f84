internal import CofferBasics
package import VaultCrypto
internal import VaultFiles
package import VaultFormat

/// What a vault is read for, which decides how damage is treated.
enum ReadingPurpose: Sendable {
    /// Damage is an error.
    case use
    /// Damage is noted, and the rest is read.
    case verification
    /// Also reads the frames behind damaged ones.
    case salvage
}

/// An open generation of a vault: its snapshot, and the frames after it as far as they have been read.
///
/// The file of a generation only grows. When it is replaced, the next generation is opened instead.
package struct OpenGeneration: Sendable {
    package let environment: StoreEnvironment
    private(set) var file: any OpenFile
    let identity: FileStatus.Identity
    /// Tells this generation from all others.
    let mark: GenerationMark
    let prelude: VaultPrelude
    package internal(set) var opening: VaultOpening
    /// The records of runs and frames; those of ``unreadLog`` stay in the file.
    var log: LogIndex
    /// What has not been read of the log.
    var unreadLog = UnreadLog()
    /// The frames that have been read.
    var frames: ReadFrames
    /// What was seen of the groups that were needed so far, up to the position.
    var seen = SeenGroups()
    /// The keys of groups and items that are at hand.
    var keys = OpenKeys()
    /// The sections that have been opened.
    var sections = OpenSections()
    /// The attributes that have been opened.
    var attributes = OpenAttributes()

    package var header: Header { opening.header }
    package var vault: VaultID { opening.header.vault }
    package var keyring: Keyring { opening.keyring }
    var path: String { file.path }
    /// The settings of the owner.
    package var settings: Settings? { log.settings?.settings }

    /// Whether the vault has a grant, or ever had one, so that others may have stored items in any of its groups.
    package var hasHadGrants: Bool { prelude.keybag.hasGrants || settings?.revocations.hasGrants == true }

    /// What changes when the vault gets other keys, or when others of them are at hand.
    package var keysMark: [UInt8] {
        prelude.keybag.structureCommitment + [keyring.isOwner ? 1 : 0]
            + keyring.roots.devices.keys.sorted().flatMap(\.bytes) + keyring.closedGroups.sorted().flatMap(\.bytes)
    }

    /// How many items there are, in all groups and on all devices.
    package var itemCount: Int {
        let balance = unreadLog.itemBalance + log.itemBalance
        return opening.directory.sections.reduce(balance) { $0 + ($1.kind == .group ? $1.count : 0) }
    }
    /// When the oldest record of the log that ended a revision was written.
    var oldestGarbageTime: Time? { [unreadLog.oldestGarbageTime, log.oldestGarbageTime].compactMap(\.self).min() }
    /// Where the next frame goes.
    package var position: LogPosition { frames.position }
    package var cipher: Cipher { opening.keys.cipher }
    var closedGroups: Set<GroupID> { keys.closedGroups }

    /// Opens the vault in `file`: everything except leaves and boxes.
    init(
        _ file: any OpenFile,
        status: FileStatus,
        environment: StoreEnvironment,
        purpose: ReadingPurpose = .use,
        indexDirectory: String? = nil,
        anchor: (Header) throws -> Anchor?,
        roots: (VaultPrelude) throws -> Keyring.Roots
    ) throws {
        self.environment = environment
        self.file = file
        identity = status.identity
        let source = FileSource(file: file, byteCount: status.byteCount)
        do {
            prelude = try VaultPrelude(of: source)
            let (roots, random) = (try roots(prelude), environment.random)
            opening = try VaultOpening(prelude, roots: roots, toleratesDamage: purpose != .use, random: random)
        } catch {
            throw StoreError.outside(error, path: file.path)
        }
        mark = GenerationMark(of: prelude.header)
        log = LogIndex()
        // Before the log is read, so that nothing that is appended meanwhile is missed.
        let anchor = try anchor(prelude.header)
        frames = ReadFrames(from: opening.log(in: source).position, anchor: anchor)
        if let indexDirectory { openIndex(in: indexDirectory, source) }
        try readLog(source, for: purpose)
    }

    /// Returns the generation with what was appended since, in the same file under another descriptor.
    ///
    /// Returns nil if it must be read anew. The anchor must be of an earlier generation: it then asks nothing of the
    /// frames.
    consuming func continued(
        in file: any OpenFile,
        status: FileStatus,
        anchor: Anchor?
    ) throws -> OpenGeneration? {
        var generation = self
        guard status.identity == generation.identity,
            anchor.map({ $0.generation < generation.header.generation }) ?? true
        else { return nil }
        generation.file = file
        generation.frames.replaceAnchor(anchor)
        switch try generation.catchUp(fileByteCount: status.byteCount) {
        case .unchanged, .appended: return generation
        case .disturbed, .rewritten: return nil
        }
    }

    /// Returns the anchor for a log that is durable up to `position`.
    func anchor(at position: LogPosition, lastWriter: Anchor.LastWriter?) -> Anchor {
        Anchor(
            vault: vault,
            generation: header.generation,
            sequence: position.sequence,
            chain: position.chain.bytes,
            structureKeyEpoch: opening.structureEpoch,
            lastWriter: lastWriter
        )
    }

    /// Returns the verdict of the anchor on the vault, if there is one; `tail` is what follows the log.
    func anchorVerdict(tail: TailVerdict) -> AnchorVerdict {
        guard let anchor = frames.anchor else { return .fine }
        return anchor.verdict(on: reached(tail: tail)) { sequence in
            sequence == anchor.sequence ? frames.chainAtAnchor?.bytes : nil
        }
    }

    /// The position that the vault has reached; `tail` is what follows the log.
    func reached(tail: TailVerdict) -> VaultPosition {
        VaultPosition(
            generation: header.generation,
            baseSequence: header.baseSequence,
            previousChain: header.previousChain,
            lastSequence: position.sequence,
            isTailClean: tail == .clean,
            structureKeyEpoch: opening.structureEpoch
        )
    }

    /// Returns what follows the last frame that verifies.
    func tailVerdict(_ source: FileSource) throws -> TailVerdict {
        let reader = LogReader(at: position, in: source, keys: opening.keys)
        do { return try reader.tailVerdict() } catch { throw failure(error) }
    }

    /// Releases the keys that must not be available while the vault is locked, and everything that was opened with
    /// them.
    ///
    /// Attributes and dictionaries are wiped when they are released.
    mutating func lock() {
        opening.lock()
        attributes = OpenAttributes()
        sections.forgetDictionaries()
        noteKeys()
    }

    func source() throws -> FileSource {
        let status = try file.status()
        return FileSource(file: file, byteCount: status.byteCount)
    }

    /// Returns what is thrown for an error in reading the file: a merge reads two, so it names this one.
    package func failure(_ error: any Error) -> any Error { StoreError.outside(error, path: path) }
}

/// The last bytes before the place of the next frame: the tag of the previous frame, which no other frame has.
///
/// After a failed sync a writer takes its frames back, which others may have read already; they notice it by this tag.
struct FrameTag: Equatable, Sendable {
    static let byteCount = 16

    private(set) var bytes: [UInt8] = []

    init() {}

    /// The tag of a frame with these bytes.
    init(endOf frame: [UInt8]) {
        bytes = Array(frame[(frame.count - Self.byteCount)...])
    }

    init(before offset: Int, in file: any OpenFile) throws {
        bytes = try file.bytes(in: offset - Self.byteCount..<offset)
    }

    /// Whether the first bytes of `probe` are the tag.
    func starts(_ probe: Span<UInt8>) -> Bool {
        probe.count >= bytes.count && probe.extracting(..<bytes.count).hasSameBytes(as: bytes.span)
    }
}

/// Tells a generation from all others, even from one with the same number in a different history.
struct GenerationMark: Equatable, Sendable {
    private let salt: UInt64

    init(of header: Header) {
        salt = header.salt.span.littleEndian(at: 0, as: UInt64.self)
    }
}
