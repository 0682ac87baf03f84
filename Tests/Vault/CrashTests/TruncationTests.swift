import Testing
import StoreTestSupport
import TestSupport
import VaultFormat

/// Vaults that end too early: incomplete copies and interrupted appends.
@Suite("Truncated files") struct TruncationTests {
    private static func vault() throws -> VaultVector {
        let vaults = try VaultVector.golden().map(\.vector)
        return try #require(vaults.first { $0.name.hasPrefix("basic") })
    }

    @Test func `a file truncated in its header, keybag or snapshot reports where`() throws {
        let vault = try Self.vault()
        let subject = VaultSubject(vault.bytes)
        let logOffset = try subject.opened(vault).header.logOffset
        for length in 0..<logOffset {
            let cut = subject.reading(Array(vault.bytes[..<length]))
            let error = #expect(throws: VaultFormatError.self) { try cut.opened(vault) }
            #expect(error?.kind == (length < 8 ? "not a vault" : "header failure"), "\(length) bytes")
        }
    }

    @Test(arguments: [0, 64, 4096])
    func `a truncated log keeps its complete frames, and the rest is torn`(reserve: Int) throws {
        let vault = try Self.vault()
        let subject = VaultSubject(vault.bytes)
        let opening = try subject.opened(vault)
        let frames = try FileRegions(opening, subject).frames
        #expect(frames.count > 2)
        for length in opening.header.logOffset...vault.bytes.count {
            let whole = frames.count { $0.upperBound <= length }
            let bytes = Array(vault.bytes[..<length]) + [UInt8](repeating: 0, count: reserve)
            let cut = subject.reading(bytes)
            var log = opening.log(in: cut.source)
            var count = 0
            while try log.next() != nil { count += 1 }
            #expect(count == whole, "cut at \(length)")
            let start = whole > 0 ? frames[whole - 1].upperBound : opening.header.logOffset
            let expected = expectedVerdict(bytes, from: start, frame: frames.first { $0.lowerBound == start })
            #expect(try log.tailVerdict() == expected, "cut at \(length)")
        }
    }

    /// The verdict of section 7 on a frame of which only the beginning is there, followed by zeros.
    private func expectedVerdict(_ bytes: [UInt8], from start: Int, frame: Range<Int>?) -> TailVerdict {
        guard let lastNonZero = bytes[start...].lastIndex(where: { $0 != 0 }), let frame else { return .clean }
        // The MAC at the end of a head is random, so a head is complete if its last byte is there.
        let hasHead = lastNonZero >= start + FrameHead.byteCount - 1
        let leastEnd = start + max((lastNonZero - start) / 64 * 64 + 64, 1_024)
        let end = hasHead ? frame.upperBound : leastEnd
        let byteCount = bytes.count - start
        if end > bytes.count { return .torn(byteCount: byteCount) }
        let units = stride(from: start / 512 * 512, to: end, by: 512).map { max($0, start)..<min($0 + 512, end) }
        let hasZeroUnit = units.contains { bytes[$0].allSatisfy { $0 == 0 } }
        return hasZeroUnit ? .torn(byteCount: byteCount) : .damaged(byteCount: byteCount)
    }
}
