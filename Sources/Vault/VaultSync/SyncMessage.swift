internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// Which of the files of a vault is meant.
package enum SyncedFile: Hashable, Sendable {
    /// The vault itself.
    case vault
    /// What waits beside it until a process that has the keys merges it, by its number from 1.
    case waiting(Int)

    /// The most copies that wait beside a vault.
    package static let waitingCountLimit = 16
    /// The copies that may wait.
    package static let allWaiting = (1...waitingCountLimit).map(Self.waiting)

    /// The file with this number in a message.
    init?(number: UInt8) {
        guard (1...Self.waitingCountLimit + 1).contains(Int(number)) else { return nil }
        self = number == 1 ? .vault : .waiting(Int(number) - 1)
    }

    var number: UInt8 {
        switch self {
        case .vault: 1
        case .waiting(let number): UInt8(number + 1)
        }
    }
}

/// A file and its content.
package struct SyncedContent: Equatable, Sendable {
    package let file: SyncedFile
    package let known: KnownContent

    package init(_ file: SyncedFile, _ known: KnownContent) {
        self.file = file
        self.known = known
    }
}

/// What became of a content that was sent.
package enum SyncOutcome: UInt8, Sendable {
    /// It lies beside the vault until a process that has the keys merges it.
    case waiting = 2
    /// It was merged into the vault.
    case merged = 3
    /// It is the new vault: there was none.
    case created = 4
}

/// A message of the protocol: `Spec/sync.md`, section 3.
enum SyncMessage: Equatable, Sendable {
    case open(path: String)
    case look
    case state(vault: VaultID?, files: [SyncedFile])
    case fetch(SyncedFile)
    case known([KnownContent])
    /// `base` is the number of one of the known contents, from 1, with which the content begins; 0 if it does with none.
    case content(KnownContent, fileByteCount: Int, base: Int, pieceCount: Int)
    case pieces([FilePiece])
    case wanted([Range<Int>])
    case bytes([UInt8])
    case push(seen: [SyncedContent])
    case done(SyncOutcome)
    case wait
    case stop
    case changed
    case failed(SyncRefusal, String)

    static let byteCountLimit = 1 << 20 + 1 << 10
    static let textByteCountLimit = 4096
    /// The vault, what waits beside it, and what was begun.
    static let knownCountLimit = SyncedFile.waitingCountLimit + 2

    // MARK: - Writing

    /// The message, with its kind and length before it.
    var encoded: [UInt8] {
        let content = content
        return [kind] + UInt32(content.count).littleEndianBytes + content
    }

    private var kind: UInt8 {
        switch self {
        case .open: 1
        case .look: 2
        case .state: 3
        case .fetch: 4
        case .known: 5
        case .content: 6
        case .pieces: 7
        case .wanted: 8
        case .bytes: 9
        case .push: 10
        case .done: 11
        case .wait: 12
        case .stop: 13
        case .changed: 14
        case .failed: 15
        }
    }

    private var content: [UInt8] {
        switch self {
        case .look, .wait, .stop, .changed: []
        case .open(let path): Array(path.utf8)
        case .state(let vault, let files): (vault ?? .none).bytes + files.map(\.number)
        case .fetch(let file): [file.number]
        case .known(let contents): contents.flatMap(\.encoded)
        case .content(let known, let fileByteCount, let base, let pieceCount):
            known.encoded + [fileByteCount, base, pieceCount].flatMap { UInt64($0).littleEndianBytes }
        case .pieces(let pieces): pieces.flatMap { $0.hash + UInt32($0.byteCount).littleEndianBytes }
        case .wanted(let ranges):
            ranges.flatMap { UInt32($0.lowerBound).littleEndianBytes + UInt32($0.count).littleEndianBytes }
        case .bytes(let bytes): bytes
        case .push(let seen): seen.flatMap { [$0.file.number] + $0.known.encoded }
        case .done(let outcome): [outcome.rawValue]
        case .failed(let refusal, let text): [refusal.rawValue] + text.utf8.prefix(Self.textByteCountLimit)
        }
    }

    // MARK: - Reading

    /// Reads a message of this kind from its content.
    init(kind: UInt8, _ content: [UInt8]) throws {
        var reader = ByteReader(content)
        do throws(Fault) {
            self = try Self.read(kind, &reader)
            try reader.expectEnd()
        } catch {
            throw SyncFailure.invalid("kind \(kind), \(content.count) bytes")
        }
    }

    private static func read(_ kind: UInt8, _ reader: inout ByteReader) throws(Fault) -> SyncMessage {
        switch kind {
        case 1: return .open(path: try reader.readText())
        case 2: return .look
        case 3: return try state(&reader)
        case 4: return .fetch(try reader.readFile())
        case 5:
            let known = try reader.readAll { reader throws(Fault) in try reader.readKnown() }
            try reader.expect(known.count <= knownCountLimit)
            return .known(known)
        case 6: return try content(&reader)
        case 7: return .pieces(try reader.readAll { reader throws(Fault) in try reader.readPiece() })
        case 8: return try wanted(&reader)
        case 9: return .bytes(try reader.readBytes(reader.remainingByteCount))
        case 10:
            let seen = try reader.readAll { reader throws(Fault) in
                SyncedContent(try reader.readFile(), try reader.readKnown())
            }
            try reader.expect(Set(seen.map(\.file)).count == seen.count)
            return .push(seen: seen)
        case 11:
            let outcome = SyncOutcome(rawValue: try reader.read())
            guard let outcome else { throw reader.fault }
            return .done(outcome)
        case 12: return .wait
        case 13: return .stop
        case 14: return .changed
        case 15:
            let refusal = SyncRefusal(rawValue: try reader.read()) ?? .other
            try reader.expect(reader.remainingByteCount <= textByteCountLimit)
            return .failed(refusal, try reader.readText())
        default: throw reader.fault
        }
    }

    private static func state(_ reader: inout ByteReader) throws(Fault) -> SyncMessage {
        let vault: VaultID = try reader.readIdentifier()
        let files = try reader.readAll { reader throws(Fault) in try reader.readFile() }
        try reader.expect(Set(files).count == files.count && (vault == .none) == files.isEmpty)
        return .state(vault: files.isEmpty ? nil : vault, files: files)
    }

    private static func content(_ reader: inout ByteReader) throws(Fault) -> SyncMessage {
        let known = try reader.readKnown()
        let (byteCount, base) = (try reader.readSize(), try reader.readSize())
        let pieceCount = try reader.readSize()
        let zeroByteCount = byteCount - known.byteCount
        try reader.expect((0...FileAssembly.zeroByteCountLimit).contains(zeroByteCount) && base <= knownCountLimit)
        return .content(known, fileByteCount: byteCount, base: base, pieceCount: pieceCount)
    }

    private static func wanted(_ reader: inout ByteReader) throws(Fault) -> SyncMessage {
        var end = 0
        let ranges = try reader.readAll { reader throws(Fault) in
            let (first, count) = (try reader.readCount(), try reader.readCount())
            try reader.expect(count > 0 && first >= end)
            end = first + count
            return first..<end
        }
        return .wanted(ranges)
    }
}

extension KnownContent {
    fileprivate var encoded: [UInt8] { UInt64(byteCount).littleEndianBytes + digest }
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    fileprivate var littleEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: self)
        return bytes
    }
}

extension ByteReader {
    /// The fault of a value that is unknown or out of bounds.
    fileprivate var fault: Fault { Fault(.badLength, at: offset) }

    fileprivate func expect(_ condition: Bool) throws(Fault) {
        guard condition else { throw fault }
    }

    /// Reads values until the end.
    fileprivate mutating func readAll<Value>(
        _ read: (inout ByteReader) throws(Fault) -> Value
    ) throws(Fault) -> [Value] {
        var values: [Value] = []
        while remainingByteCount > 0 { values.append(try read(&self)) }
        return values
    }

    /// The rest, as text.
    fileprivate mutating func readText() throws(Fault) -> String {
        let text = String(validating: try readBytes(remainingByteCount), as: UTF8.self)
        guard let text else { throw fault }
        return text
    }

    fileprivate mutating func readFile() throws(Fault) -> SyncedFile {
        let file = SyncedFile(number: try read())
        guard let file else { throw fault }
        return file
    }

    /// A number of bytes, or of something in a file, which is at most the greatest size of a file.
    fileprivate mutating func readSize() throws(Fault) -> Int {
        let size = try read(UInt64.self)
        try expect(size <= UInt64(Limits.fileByteCount))
        return Int(size)
    }

    fileprivate mutating func readKnown() throws(Fault) -> KnownContent {
        KnownContent(byteCount: try readSize(), digest: try readBytes(KnownContent.digestByteCount))
    }

    fileprivate mutating func readPiece() throws(Fault) -> FilePiece {
        let piece = FilePiece(hash: try readBytes(FilePiece.hashByteCount), byteCount: try readCount())
        try expect((1...FilePiece.greatestByteCount).contains(piece.byteCount))
        return piece
    }
}
