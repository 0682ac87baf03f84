import Foundation

/// A store of generic passwords that is measured.
protocol StoreSubject: AnyObject {
    var name: String { get }

    /// Fills an empty store with the items of these numbers.
    func load(_ numbers: Range<Int>) throws

    /// Adds items in one transaction, which survives a power failure if it is durable.
    func add(_ items: ArraySlice<PreparedItem>, isDurable: Bool) throws

    /// Returns the size of the secret of an item, or nil if there is no such item.
    func secretByteCount(of key: PreparedItem) throws -> Int?

    /// Whether the item exists; its secret is not opened.
    func contains(_ key: PreparedItem) throws -> Bool

    /// Returns the number of items with the service of `key`.
    func count(ofService key: PreparedItem) throws -> Int

    /// Returns the number of attributes of an item.
    func attributeCount(of key: PreparedItem) throws -> Int

    /// Returns the size of the file.
    func byteCount() throws -> Int
}

/// The paths and keys of the stores, which the processes of one run share.
struct StorePlace {
    /// A directory that is removed after the run.
    let directory: String

    var vault: String { "\(directory)/bench.coffer" }
    var deviceKey: String { "\(directory)/device.key" }
    var anchors: String { "\(directory)/anchors" }

    func database(_ kind: SQLiteSubject.Kind) -> String { "\(directory)/bench.\(kind.rawValue)" }
}

/// A plain file that bytes are appended to: the cost of a durable write on this disk without any bookkeeping.
final class RawFile {
    private let descriptor: Int32
    private let bytes: [UInt8]
    private var offset = 0

    /// Creates a file for appending `byteCount` bytes at a time, into `reservedByteCount` zeros that are already
    /// durable.
    init(path: String, byteCount: Int, reservedByteCount: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        bytes = (0..<byteCount).map { _ in .random(in: 0...255) }
        try write(Array(repeating: 0, count: reservedByteCount))
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    /// Appends the bytes, and returns when they are durable.
    func append() throws {
        try write(bytes)
        offset += bytes.count
        guard fdatasync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func write(_ bytes: [UInt8]) throws {
        let writtenByteCount = pwrite(descriptor, bytes, bytes.count, off_t(offset))
        guard writtenByteCount == bytes.count else { throw CocoaError(.fileWriteUnknown) }
    }
}
