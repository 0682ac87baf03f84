package import VaultFormat

/// A log that several machines share.
///
/// It decides which frame and which file come next, before any replica gets them. Each machine has a replica: a vault file
/// with the same bytes, which never has what the shared log lacks.
package protocol SharedLog: Sendable {
    /// The greatest size of a frame; what does not fit must become a file.
    var frameByteCountLimit: Int { get }

    /// Makes a file the beginning of the log, which must not exist.
    func create(_ file: some ByteSource, reaching end: LogPlace) throws(SharedLogError)

    /// Makes a frame the next one behind `place`, unless another one came first.
    func publish(_ frame: [UInt8], behind place: LogPlace, reaching end: LogPlace) throws(SharedLogError) -> Publication

    /// Uploads a file that may replace that of the log; nil if another machine is replacing it.
    func upload(_ file: some ByteSource) throws(SharedLogError) -> (any SharedUpload)?

    /// Takes a lock that one machine has, until it is released or the machine fails; nil if another one has it.
    func lock(_ name: String) throws(SharedLogError) -> (any SharedLock)?

    /// Returns what comes behind `place`.
    ///
    /// - Parameters:
    ///   - place: How far the replica has come.
    ///   - isStrict: Whether everything counts that was acknowledged before this call; the log then learns the place, too.
    /// - Returns: What comes next.
    /// - Throws: `SharedLogError` if the log cannot be used.
    func continuation(behind place: LogPlace, isStrict: Bool) throws(SharedLogError) -> Continuation
}

/// How far a replica has come.
package struct LogPlace: Equatable, Sendable {
    /// The generation of the file.
    package var generation: UInt64
    /// The sequence number of the last frame.
    package var sequence: UInt64
    package var chain: ChainValue

    /// Before everything.
    package static let start = LogPlace(
        generation: 0,
        sequence: 0,
        chain: ChainValue(bytes: [UInt8](repeating: 0, count: 32))
    )

    package init(generation: UInt64, sequence: UInt64, chain: ChainValue) {
        (self.generation, self.sequence, self.chain) = (generation, sequence, chain)
    }
}

/// A file that a shared log does not count yet.
package protocol SharedUpload: Sendable {
    /// Makes the file the next one behind `place`, with frames behind it, unless a frame or another file came first.
    func publish(
        _ frames: [[UInt8]],
        behind place: LogPlace,
        reaching end: LogPlace
    ) throws(SharedLogError) -> Publication

    /// Lets other machines replace the file, and deletes what was uploaded unless it was published.
    func end()
}

/// A lock that one machine of those that share a log has.
package protocol SharedLock: Sendable {
    func release()
}

/// Whether something became a part of the shared log.
package enum Publication: Equatable, Sendable {
    case done
    /// Something else came first.
    case overtaken
}

/// What comes behind a place in a shared log.
package enum Continuation: Sendable {
    case nothing
    /// The next frames; all, or as many as are read at once.
    case frames([[UInt8]], areAll: Bool)
    /// A file that replaces the one of the replica, piece by piece.
    case file(any SharedFile)
}

/// A file that a shared log has, with the frames behind it.
package protocol SharedFile: Sendable {
    /// The size of the file, or a little more.
    var byteCount: Int { get }

    /// Hands the file and the frames to `write`, piece by piece, until that returns false.
    ///
    /// - Returns: Whether all was read; not if the file is gone, since another one came.
    func read(_ write: ([UInt8]) -> Bool) throws(SharedLogError) -> Bool
}

/// Why a shared log cannot be used.
package enum SharedLogError: Error, Equatable, Sendable {
    /// It cannot be reached; a line for each endpoint says why. What was to be published may be there all the same, or
    /// may get there later, if `isUncertain`.
    case unreachable([String], isUncertain: Bool)
    /// It refuses the request.
    case refused(String)
    /// It lacks what the replica has: it was restored from a backup, or is another one.
    case behind(LogPlace)
    /// What it has behind this sequence number does not continue the replica.
    case damaged(UInt64)
    /// It has no such vault.
    case noVault
    /// The machine with this name has left, or has not joined.
    case notMember(String)
}
