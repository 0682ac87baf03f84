internal import CofferBasics

/// A source of the bytes of a vault file.
package protocol ByteSource {
    /// The size of the file when it was last queried.
    var byteCount: Int { get }

    /// All bytes in `range`.
    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8]
}

/// A vault file that is entirely in memory.
package struct MemorySource: ByteSource, Sendable {
    private let contents: [UInt8]

    package init(_ contents: [UInt8]) {
        self.contents = contents
    }

    package var byteCount: Int { contents.count }

    package func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
        guard range.upperBound <= contents.count else { throw .fileShrank(offset: contents.count) }
        return Array(contents[range])
    }
}

extension ByteSource {
    /// The bytes in `range` of the file; a read error becomes a failure of the vault.
    func read(_ range: Range<Int>) throws(VaultFormatError) -> [UInt8] {
        try translating(VaultFormatError.unavailable, bytes(in: range))
    }
}
