internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// How far the carrying of files has come.
package struct SyncProgress: Equatable, Sendable {
    package let byteCount: Int
    package let expectedByteCount: Int
}

/// What a file is once it has been received.
enum ReceivedContent {
    /// One of the contents that were here already.
    case same(FileContent)
    /// One of them, or nothing, with a few more bytes behind it, which are in memory only.
    case extended(FileContent?, tail: [UInt8], fileByteCount: Int)
    /// A new file, complete and durable, which still has the name that it was received under.
    case file(FileContent)
}

extension SyncConnection {
    /// Above this, the sender asks for the pieces that the receiver lacks before it sends.
    ///
    /// Up to this, a tail is received in memory.
    private static let directByteCountLimit = 262_144
    private static let messageByteCount = 65_536
    private static let piecesPerMessage = 50_000

    // MARK: - Sending

    /// Sends a file to a receiver, as far as that lacks it.
    func send(
        _ content: FileContent,
        progress: (SyncProgress) -> Void
    ) throws {
        guard case .known(let known) = try next() else { throw SyncFailure.invalid("known contents were expected") }
        var (base, start) = (0, 0)
        for (index, known) in known.enumerated() where known.byteCount > start && known.byteCount <= content.byteCount {
            if try content.known(first: known.byteCount) == known { (base, start) = (index + 1, known.byteCount) }
        }
        let rest = start..<content.byteCount
        let all = try content.known()
        guard rest.count > Self.directByteCountLimit, !known.isEmpty else {
            try send(.content(all, fileByteCount: content.carriedByteCount, base: base, pieceCount: 0))
            return try send(content, rest, of: rest.count, progress: progress)
        }
        let pieces = try FilePiece.cut(content, in: rest)
        try send(.content(all, fileByteCount: content.carriedByteCount, base: base, pieceCount: pieces.count))
        for first in stride(from: 0, to: pieces.count, by: Self.piecesPerMessage) {
            try send(.pieces(Array(pieces[first..<min(first + Self.piecesPerMessage, pieces.count)])))
        }
        var offset = start
        let offsets = pieces.map { piece in
            defer { offset += piece.byteCount }
            return offset
        }
        guard case .wanted(let wanted) = try next(), wanted.last?.upperBound ?? 0 <= pieces.count else {
            throw SyncFailure.invalid("wanted pieces were expected")
        }
        let ranges = wanted.map {
            offsets[$0.lowerBound]..<offsets[$0.upperBound - 1] + pieces[$0.upperBound - 1].byteCount
        }
        let byteCount = ranges.reduce(0) { $0 + $1.count }
        var sentByteCount = 0
        for range in ranges {
            try send(content, range, after: sentByteCount, of: byteCount, progress: progress)
            sentByteCount += range.count
        }
    }

    private func send(
        _ content: FileContent,
        _ range: Range<Int>,
        after sentByteCount: Int = 0,
        of expectedByteCount: Int,
        progress: (SyncProgress) -> Void
    ) throws {
        var sentByteCount = sentByteCount
        try content.forEachChunk(in: range, of: Self.messageByteCount) { bytes in
            try send(.bytes(Array(copying: bytes)))
            sentByteCount += bytes.count
            progress(SyncProgress(byteCount: sentByteCount, expectedByteCount: expectedByteCount))
        }
    }

    // MARK: - Receiving

    /// Receives a file.
    ///
    /// - Parameters:
    ///   - sources: The contents that are here already, from which pieces of the file can be taken.
    ///   - place: Where a new file is put together. If the connection ends, it stays, and the next try continues with it.
    ///   - limit: The most bytes that the content may have.
    ///   - progress: Is called while bytes arrive.
    /// - Returns: The content, which has the digest that the sender has announced.
    /// - Throws: `SyncFailure`; then the sources are unchanged.
    func receive(
        knowing sources: [FileContent],
        at place: (directory: any OpenDirectory, name: String),
        atMost limit: Int = Limits.fileByteCount,
        progress: (SyncProgress) -> Void
    ) throws -> ReceivedContent {
        let part = FileAssembly.begun(place.name, in: place.directory)
        let begun = try part.map { part in try FileContent(part) }
        var candidates: [(content: FileContent, known: KnownContent)] = []
        for content in (sources + [begun].compactMap(\.self)).prefix(SyncMessage.knownCountLimit)
        where content.byteCount > 0 { candidates.append((content, try content.known())) }
        try send(.known(candidates.map(\.known)))
        guard case .content(let announced, let fileByteCount, let number, let pieceCount) = try next() else {
            throw SyncFailure.invalid("a content was expected")
        }
        guard announced.byteCount <= limit else {
            throw SyncFailure.refused(.other, "\(announced.byteCount) bytes are more than the \(limit) that may wait")
        }
        guard number <= candidates.count else { throw SyncFailure.invalid("an unknown base") }
        let base = number > 0 ? candidates[number - 1].content : nil
        let start = base?.byteCount ?? 0
        guard start <= announced.byteCount else { throw SyncFailure.invalid("a base that is too long") }
        let isPart = base.map { base in base.file === part } ?? false
        if !isPart, pieceCount == 0 {
            if let base, announced.byteCount == start { return .same(base) }
            if announced.byteCount - start <= Self.directByteCountLimit {
                return try receiveTail(of: base, announced, fileByteCount, progress)
            }
        }
        let output = try FileAssembly(
            place.name,
            in: place.directory,
            continuing: part,
            at: isPart ? start : 0,
            byteCount: announced.byteCount
        )
        if let base, !isPart { try output.append(first: start, of: base) }
        try receivePieces(pieceCount, of: announced, from: sources, into: output, progress)
        return .file(try output.finished(announced, fileByteCount: fileByteCount))
    }

    private func receiveTail(
        of base: FileContent?,
        _ announced: KnownContent,
        _ fileByteCount: Int,
        _ progress: (SyncProgress) -> Void
    ) throws -> ReceivedContent {
        var tail: [UInt8] = []
        let byteCount = announced.byteCount - (base?.byteCount ?? 0)
        while tail.count < byteCount {
            tail += try nextBytes(atMost: byteCount - tail.count)
            progress(SyncProgress(byteCount: tail.count, expectedByteCount: byteCount))
        }
        guard try KnownContent(of: base, with: tail) == announced else {
            throw SyncFailure.invalid("another content than announced")
        }
        return .extended(base, tail: tail, fileByteCount: fileByteCount)
    }

    private func nextBytes(atMost byteCount: Int) throws -> [UInt8] {
        guard case .bytes(let bytes) = try next(), !bytes.isEmpty, bytes.count <= byteCount else {
            throw SyncFailure.invalid("at most \(byteCount) bytes were expected")
        }
        return bytes
    }

    /// Receives the rest of a file: directly, or the pieces of it that are not here.
    private func receivePieces(
        _ pieceCount: Int,
        of announced: KnownContent,
        from sources: [FileContent],
        into output: FileAssembly,
        _ progress: (SyncProgress) -> Void
    ) throws {
        let restByteCount = announced.byteCount - output.byteCount
        guard pieceCount > 0 else {
            return try receiveBytes(restByteCount, after: 0, of: restByteCount, into: output, progress)
        }
        guard pieceCount <= restByteCount / FilePiece.leastByteCount + 1 else {
            throw SyncFailure.invalid("\(pieceCount) pieces")
        }
        var pieces: [FilePiece] = []
        while pieces.count < pieceCount {
            guard case .pieces(let more) = try next(), !more.isEmpty, more.count <= pieceCount - pieces.count else {
                throw SyncFailure.invalid("pieces were expected")
            }
            pieces += more
        }
        guard pieces.reduce(0, { $0 + $1.byteCount }) == restByteCount else {
            throw SyncFailure.invalid("the pieces do not fill the file")
        }
        let index = try PieceIndex(of: sources)
        var wanted: [Range<Int>] = []
        var wantedByteCount = 0
        for (number, piece) in pieces.enumerated() where !index.has(piece) {
            wantedByteCount += piece.byteCount
            if let last = wanted.last, last.upperBound == number {
                wanted[wanted.count - 1] = last.lowerBound..<number + 1
            } else {
                wanted.append(number..<number + 1)
            }
        }
        try send(.wanted(wanted))
        var number = 0
        var arrivedByteCount = 0
        for range in wanted + [pieces.count..<pieces.count] {
            for piece in pieces[number..<range.lowerBound] {
                guard let bytes = try index.bytes(of: piece) else { continue }
                try output.append(bytes.span)
            }
            let byteCount = pieces[range].reduce(0) { $0 + $1.byteCount }
            try receiveBytes(byteCount, after: arrivedByteCount, of: wantedByteCount, into: output, progress)
            arrivedByteCount += byteCount
            number = range.upperBound
        }
    }

    private func receiveBytes(
        _ byteCount: Int,
        after arrivedByteCount: Int,
        of expectedByteCount: Int,
        into output: FileAssembly,
        _ progress: (SyncProgress) -> Void
    ) throws {
        var restByteCount = byteCount
        while restByteCount > 0 {
            let bytes = try nextBytes(atMost: restByteCount)
            try output.append(bytes.span)
            restByteCount -= bytes.count
            let arrivedByteCount = arrivedByteCount + byteCount - restByteCount
            progress(SyncProgress(byteCount: arrivedByteCount, expectedByteCount: expectedByteCount))
        }
    }
}
