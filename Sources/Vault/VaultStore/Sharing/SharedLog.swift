package import VaultFormat

/// A log that several machines share.
///
/// It decides which frame or file comes next. Each machine has a replica: a vault file with the same bytes, which never
/// contains anything that the shared log lacks.
///
/// A protocol, like the three for its parts, since the module with the log in etcd imports this one.
package protocol SharedLog: Sendable {
    /// The size of the largest frame; a larger change must replace the file.
    var frameByteCountLimit: Int { get }

    /// Makes a file the beginning of the log, which must not exist.
    func create(_ file: some ByteSource, reaching end: LogPlace) throws(SharedLogError)

    /// Makes a frame the next one behind `place`, unless another one came first.
    func publish(_ frame: [UInt8], behind place: LogPlace, reaching end: LogPlace) throws(SharedLogError) -> Publication

    /// Uploads a file that may replace that of the log; returns nil if another machine is replacing it.
    func upload(_ file: some ByteSource) throws(SharedLogError) -> (any SharedUpload)?

    /// Takes a lock, until it is released or the machine fails; returns nil if another machine has it.
    func lock(_ name: String) throws(SharedLogError) -> (any SharedLock)?

    /// Returns what comes after `place`.
    ///
    /// - Parameters:
    ///   - place: How far the replica has come.
    ///   - isStrict: Whether the answer must include everything that was acknowledged before this call. This also
    ///     reports the place to the log.
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

/// A file that was uploaded, and is not yet part of the shared log.
package protocol SharedUpload: Sendable {
    /// Makes the file, with frames behind it, the next one after `place`, unless a frame or another file came first.
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

/// The part of a shared log after a place.
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
    /// It is unreachable; a line for each endpoint says why. If `isUncertain`, the change may have been made, or may still
    /// arrive.
    case unreachable([String], isUncertain: Bool)
    /// It refused the request, or cannot be used for another reason.
    case refused(String)
    /// It lacks changes of the replica: it was restored from a backup, or is another one.
    case behind(LogPlace)
    /// Its changes after this sequence number do not continue the replica.
    case damaged(UInt64)
    /// It has no such vault.
    case noVault
    /// The machine with this name has left, or has not joined.
    case notMember(String)
}
