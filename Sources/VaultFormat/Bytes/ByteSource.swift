internal import CofferBasics

/// The bytes of a vault file, wherever they are.
package protocol ByteSource {
    /// The size of the file when it was last asked for.
    var byteCount: Int { get }

    /// The bytes in `range`, all of them.
    func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8]
}

/// A vault that lies in memory as a whole.
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
    /// The bytes in `range` of the file, with what is wrong as a failure of the vault.
    func read(_ range: Range<Int>) throws(VaultFormatError) -> [UInt8] {
        try translating(VaultFormatError.unavailable, bytes(in: range))
    }
}
