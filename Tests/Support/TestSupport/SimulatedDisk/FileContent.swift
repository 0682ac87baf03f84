/// The bytes of a file on a disk, and which of its sectors were never written.
struct FileContent: Equatable, Sendable {
    /// The smallest sector of a disk.
    static let unitByteCount = 512

    private(set) var bytes: [UInt8]
    /// For each unit 1, or 0 if it was never written: there, the disk may show bytes of an earlier file.
    private var isWritten: [UInt8] = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isWritten.resize(to: Self.units(of: 0..<bytes.count).upperBound)
        isWritten.fill(0..<isWritten.count, with: 1)
    }

    /// Whether `range` was never written.
    func isUnwritten(_ range: Range<Int>) -> Bool {
        Self.units(of: range.clamped(to: 0..<bytes.count)).allSatisfy { isWritten[$0] == 0 }
    }

    mutating func write(_ source: [UInt8], at offset: Int) {
        grow(to: offset + source.count)
        bytes.overwrite(at: offset, with: source, in: 0..<source.count)
        isWritten.fill(Self.units(of: offset..<offset + source.count), with: 1)
    }

    mutating func resize(to byteCount: Int) {
        bytes.resize(to: byteCount)
        isWritten.resize(to: Self.units(of: 0..<byteCount).upperBound)
    }

    /// Makes the file at least this long, with zeros that count as never written.
    mutating func grow(to byteCount: Int) {
        guard byteCount > bytes.count else { return }
        resize(to: byteCount)
    }

    /// Takes whole sectors from the system's cache, up to the end of the file.
    ///
    /// Bytes beyond the end of the cache are written as zeros.
    mutating func takeSectors(_ range: Range<Int>, from cache: [UInt8]) {
        let range = range.clamped(to: 0..<bytes.count)
        let knownEnd = min(range.upperBound, max(range.lowerBound, cache.count))
        bytes.overwrite(at: range.lowerBound, with: cache, in: range.lowerBound..<knownEnd)
        bytes.fill(knownEnd..<range.upperBound, with: 0)
        isWritten.fill(Self.units(of: range), with: 1)
    }

    /// Fills `range` with bytes that an earlier file left there.
    mutating func showStaleBytes(in range: Range<Int>) {
        for offset in range.clamped(to: 0..<bytes.count) {
            bytes[offset] = Self.staleBytes[offset % Self.staleBytes.count]
        }
    }

    /// Returns the units that `range` touches.
    private static func units(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return range.lowerBound / unitByteCount..<(range.upperBound + unitByteCount - 1) / unitByteCount
    }

    private static let staleBytes: [UInt8] = {
        var generator = SeededGenerator(seed: 0x5741_1E)
        return (0..<4096).map { _ in UInt8.random(in: 1...255, using: &generator) }
    }()
}
