import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat

/// How frames are found without a key: sections 6.1, 7 and 16.
@Suite("Walk along the frames") struct FrameWalkTests {
    /// A vault without frames.
    private let empty: [UInt8]
    /// Its base sequence number, from which sequence numbers count here.
    private let base: UInt8

    init() throws {
        let vector = try #require(try VaultVector.golden().first { $0.vector.name.hasPrefix("basic") }?.vector)
        let inspection = try VaultInspection(of: MemorySource(vector.bytes))
        base = UInt8(inspection.baseSequence)
        empty = Array(vector.bytes[..<(320 + inspection.keybagByteCount + inspection.snapshotByteCount)])
    }

    /// A frame of 1,024 bytes as one without a key sees it: magic, length, the two numbers, and noise.
    private func frame(_ sequence: UInt8, synced: UInt8? = nil) -> [UInt8] {
        var bytes = Array("COFX".utf8) + [0xA0, 0x03, 0, 0]
        for number in [sequence, synced ?? sequence - 1] { bytes += [base + number, 0, 0, 0, 0, 0, 0, 0] }
        return bytes + noise(1024 - bytes.count)
    }

    private func noise(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 0xA5, count: byteCount) }
    private func zeros(_ byteCount: Int) -> [UInt8] { [UInt8](repeating: 0, count: byteCount) }

    /// The parts of a log in words, damaged ones with an exclamation mark.
    private func walked(_ log: [UInt8]) throws -> [String] {
        let parts = try VaultParts(of: MemorySource(empty + log)).parts
        return parts.filter { $0.range.lowerBound >= empty.count }.map { part in
            let name =
                switch part.kind {
                case .frame(let sequence): "frame \(sequence - UInt64(base))"
                case let kind: "\(kind) \(part.range.count)"
                }
            return name + (part.isDamaged ? "!" : "")
        }
    }

    @Test func `frames follow one another, then comes the reserve`() throws {
        #expect(try walked([]) == [])
        #expect(try walked(frame(1) + frame(2)) == ["frame 1", "frame 2"])
        #expect(try walked(frame(1) + zeros(640)) == ["frame 1", "reserve 640"])
        #expect(try walked(zeros(100)) == ["reserve 100"])
    }

    @Test func `bytes behind the last frame are unknown up to the last that is not zero, and not damaged`() throws {
        #expect(try walked(frame(1) + noise(70) + zeros(1000)) == ["frame 1", "unknown 128", "reserve 942"])
        #expect(try walked(frame(1) + zeros(64) + noise(1)) == ["frame 1", "unknown 65"])
        #expect(try walked(frame(1) + frame(2)[..<1000]) == ["frame 1", "unknown 1000"])
        #expect(try walked(frame(1) + frame(2)[..<80]) == ["frame 1", "unknown 80"])
    }

    @Test func `frames behind a gap are found`() throws {
        #expect(try walked(frame(1) + noise(1024) + frame(3)) == ["frame 1", "unknown 1024!", "frame 3"])
        let far = noise(1 << 20)
        #expect(try walked(far + frame(3, synced: 0) + frame(4)) == ["unknown 1048576", "frame 3", "frame 4"])
        // Parts begin at multiples of 64 bytes.
        #expect(try walked(frame(1) + noise(100) + frame(3)) == ["frame 1", "unknown 1124"])
    }

    // Section 7: s < e, or s = e behind p, or s > e and y >= e; e is 2.
    @Test func `a gap is damaged if the frame behind it cannot follow an interrupted append`() throws {
        #expect(try walked(frame(1) + noise(64) + frame(1))[1] == "unknown 64!")
        #expect(try walked(frame(1) + noise(64) + frame(2))[1] == "unknown 64!")
        #expect(try walked(frame(1) + noise(64) + frame(3, synced: 2))[1] == "unknown 64!")
        #expect(try walked(frame(1) + noise(64) + frame(3, synced: 1))[1] == "unknown 64")
        #expect(try walked(frame(1) + zeros(64) + frame(3, synced: 2))[1] == "unknown 64!")
    }

    @Test func `a frame directly behind another is damaged if it is not the next one`() throws {
        #expect(try walked(frame(1) + frame(3) + frame(4)) == ["frame 1", "frame 3!", "frame 4"])
        #expect(try walked(frame(1) + frame(1)) == ["frame 1", "frame 1!"])
        #expect(try walked(frame(2)) == ["frame 2!"])
    }

    @Test func `a head is no frame unless it is plausible and its frame is complete`() throws {
        for (offset, value) in [(0, 0x44), (4, 0xA1), (5, 0), (6, 0xFF), (7, 0xFF), (14, 8), (16, base + 1)]
            as [(Int, UInt8)]
        {
            var head = frame(1)
            head[offset] = value
            #expect(try walked(head) == ["unknown 1024"], "byte \(offset)")
        }
    }

    // MARK: - Work

    /// A file that counts the bytes that are read of it.
    private final class CountingSource: ByteSource {
        private let source: MemorySource
        private(set) var readByteCount = 0

        init(_ bytes: [UInt8]) { source = MemorySource(bytes) }

        var byteCount: Int { source.byteCount }

        func bytes(in range: Range<Int>) throws(Unavailability) -> [UInt8] {
            readByteCount += range.count
            return try source.bytes(in: range)
        }
    }

    @Test func `the work grows no faster than the file, whatever is in it`() throws {
        let gaps = (1...100).flatMap { frame($0) + noise(64) }
        let logs = [
            (1...100).flatMap { frame($0) }, gaps, noise(1 << 20), zeros(1 << 20), noise(1 << 20) + zeros(1 << 20),
            (0..<16_384).flatMap { _ in Array("COFX".utf8) + noise(60) },
        ]
        for (number, log) in logs.enumerated() {
            let source = CountingSource(empty + log)
            _ = try VaultParts(of: source)
            #expect(source.readByteCount < 4 * source.byteCount, "log \(number)")
        }
    }
}
