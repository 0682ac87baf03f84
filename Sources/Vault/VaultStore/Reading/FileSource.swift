internal import VaultFiles
internal import VaultFormat

/// The bytes of an open vault.
struct FileSource: ByteSource {
    let file: any OpenFile
    /// The size when it was last queried.
    let byteCount: Int

    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try file.bytes(in: range)
        } catch {
            throw .file(code: error.reason.number, offset: range.lowerBound)
        }
        guard bytes.count == range.count else { throw .fileShrank(offset: range.lowerBound + bytes.count) }
        return bytes
    }
}

/// The bytes of a file that is read sequentially: reads large pieces, whatever is asked for.
final class SequentialSource: ByteSource {
    private static let pieceByteCount = 1 << 18

    private let source: FileSource
    private var piece: [UInt8] = []
    private var pieceOffset = 0

    init(_ source: FileSource) {
        self.source = source
    }

    var byteCount: Int { source.byteCount }

    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
        guard range.lowerBound >= pieceOffset, range.upperBound <= pieceOffset + piece.count else {
            guard range.count < Self.pieceByteCount else { return try source.bytes(in: range) }
            let end = min(source.byteCount, range.lowerBound + Self.pieceByteCount)
            piece = try source.bytes(in: range.lowerBound..<max(range.upperBound, end))
            pieceOffset = range.lowerBound
            return Array(piece[..<range.count])
        }
        return Array(piece[range.lowerBound - pieceOffset..<range.upperBound - pieceOffset])
    }
}
