/// The bytes of a file on a disk, and which of its sectors nobody ever wrote.
struct FileContent: Equatable, Sendable {
    /// The smallest sector of a disk.
    static let unitByteCount = 512

    private(set) var bytes: [UInt8]
    /// The units inside of the file that were never written: there the disk may show what a former file left.
    private var holes: Set<Int> = []

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether nobody ever wrote to `range`.
    func isUnwritten(_ range: Range<Int>) -> Bool {
        Self.units(of: range.clamped(to: 0..<bytes.count)).allSatisfy(holes.contains)
    }

    mutating func write(_ source: [UInt8], at offset: Int) {
        grow(to: offset + source.count)
        bytes.overwrite(at: offset, with: source, in: 0..<source.count)
        fillHoles(offset..<offset + source.count)
    }

    mutating func resize(to byteCount: Int) {
        if byteCount < bytes.count {
            let end = Self.units(of: 0..<byteCount).upperBound
            holes = holes.filter { $0 < end }
            bytes.resize(to: byteCount)
        } else {
            grow(to: byteCount)
        }
    }

    /// Makes the file at least so long, with zeros that nobody wrote.
    mutating func grow(to byteCount: Int) {
        guard byteCount > bytes.count else { return }
        let end = Self.units(of: 0..<bytes.count).upperBound
        holes.formUnion(end..<Self.units(of: 0..<byteCount).upperBound)
        bytes.resize(to: byteCount)
    }

    /// Takes whole sectors as the system has them in memory, as far as the file goes.
    ///
    /// What the system has no bytes for, as they lie beyond the end, it writes as zeros.
    mutating func takeSectors(_ range: Range<Int>, from cache: [UInt8]) {
        let range = range.clamped(to: 0..<bytes.count)
        let knownEnd = min(range.upperBound, max(range.lowerBound, cache.count))
        bytes.overwrite(at: range.lowerBound, with: cache, in: range.lowerBound..<knownEnd)
        bytes.fill(knownEnd..<range.upperBound) { _ in 0 }
        fillHoles(range)
    }

    /// Shows in `range` what a former file left there.
    mutating func showStaleBytes(in range: Range<Int>) {
        bytes.fill(range.clamped(to: 0..<bytes.count)) { Self.staleBytes[$0 % Self.staleBytes.count] }
    }

    private mutating func fillHoles(_ range: Range<Int>) {
        guard !holes.isEmpty else { return }
        holes.subtract(Self.units(of: range))
    }

    /// The units that `range` touches.
    private static func units(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return range.lowerBound / unitByteCount..<(range.upperBound + unitByteCount - 1) / unitByteCount
    }

    private static let staleBytes: [UInt8] = {
        var generator = SeededGenerator(seed: 0x5741_1E)
        return (0..<4096).map { _ in UInt8.random(in: 1...255, using: &generator) }
    }()
}

extension [UInt8] {
    /// Makes the array so long, with zeros at its end if it was shorter.
    ///
    /// The operations of the standard library go byte by byte in a debug build, which is too slow for many states.
    mutating func resize(to byteCount: Int) {
        guard byteCount != count else { return }
        guard byteCount > count else { return removeLast(count - byteCount) }
        self = withUnsafeBytes { old in
            [UInt8](unsafeUninitializedCapacity: byteCount) { new, initializedCount in
                let new = UnsafeMutableRawBufferPointer(new)
                new.copyMemory(from: old)
                UnsafeMutableRawBufferPointer(rebasing: new[old.count...])
                    .initializeMemory(as: UInt8.self, repeating: 0)
                initializedCount = byteCount
            }
        }
    }

    /// Puts the bytes in `range` of `source` at `offset`, where there is room for them.
    mutating func overwrite(at offset: Int, with source: [UInt8], in range: Range<Int>) {
        guard !range.isEmpty else { return }
        precondition(offset >= 0 && offset + range.count <= count, "the bytes do not fit")
        withUnsafeMutableBytes { target in
            source.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: target[offset..<offset + range.count])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
            }
        }
    }

    /// Puts what `byte` says of each offset in `range`.
    mutating func fill(_ range: Range<Int>, _ byte: (Int) -> UInt8) {
        for offset in range { self[offset] = byte(offset) }
    }
}
