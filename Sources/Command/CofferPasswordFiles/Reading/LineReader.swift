internal import CofferBasics

/// Reads the lines of a text one by one.
struct LineReader {
    /// The number of the last line that was read, from 1.
    private(set) var number = 0
    /// Where the next line begins.
    private(set) var offset: Int

    init(offset: Int = 0) {
        self.offset = offset
    }

    /// The next line without its end, LF or CRLF; nil after the last one.
    mutating func next(_ bytes: Span<UInt8>) -> Range<Int>? {
        guard offset < bytes.count else { return nil }
        let start = offset
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
        let hasReturn = offset > start && offset < bytes.count && bytes[offset - 1] == UInt8(ascii: "\r")
        let end = hasReturn ? offset - 1 : offset
        offset += 1
        number += 1
        return start..<end
    }

    /// The line that `next` would return.
    func peek(_ bytes: Span<UInt8>) -> Range<Int>? {
        var copy = self
        return copy.next(bytes)
    }
}
