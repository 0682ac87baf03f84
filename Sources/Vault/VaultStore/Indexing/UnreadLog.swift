internal import VaultFormat

/// What has not been read of the log, since its index says what it holds.
///
/// The files of the index follow one another up to where the records in memory begin. When the whole log has been
/// read, no file is left here.
struct UnreadLog: Sendable {
    /// What may be done if a file of the index is damaged, or does not fit the log.
    private enum Trust {
        /// The whole log is read instead.
        case replaceable
        /// Nothing, for the records behind it are being judged by it.
        case needed
        /// The index named a frame that is not there, so the vault must be opened again without it.
        case refuted
    }

    /// The files, the later part of the log first.
    private(set) var files: [IndexFile] = []
    private var trust = Trust.replaceable

    var isEmpty: Bool { files.isEmpty }
    /// Where it ends: the records behind that are in memory.
    var end: LogPosition? { files.first?.head.end }
    /// How many more live revisions there are at its end than in the snapshot.
    var itemBalance: Int { files.first?.head.itemBalance ?? 0 }
    /// When the oldest record of it that ended a revision was written.
    var oldestGarbageTime: Time? { files.first?.head.oldestGarbageTime }
    var mayBeReplaced: Bool { trust == .replaceable }
    var isRefuted: Bool { trust == .refuted }

    /// Adds the file of the part that follows.
    mutating func extend(with file: IndexFile) { files.insert(file, at: 0) }

    /// Notes the number of the section of a group in a file, which is open.
    mutating func noteSection(_ number: Int, of group: GroupEpoch, inFile file: Int) {
        files[file].sectionNumbers[group] = number
    }

    /// Begins or ends judging the records behind it.
    mutating func noteJudging(_ isJudging: Bool) { trust = isJudging ? .needed : .replaceable }

    /// Notes that it named a frame that is not there.
    mutating func refute() { trust = .refuted }
}
