import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Sections 6 and 7.
@Suite("Log") struct LogTests {
    private let sample: LogSample

    init() throws {
        sample = try LogSample()
    }

    /// Three frames, and the offset where each ends.
    private func log() throws -> (bytes: [UInt8], ends: [Int], frames: [Frame]) {
        var writer = sample.writer()
        var bytes: [UInt8] = []
        var ends: [Int] = []
        var frames: [Frame] = []
        for number in 0..<3 {
            let records = (0..<number).map { Record.unknown(kind: 9, body: countingBytes(from: 1, count: 900 * $0)) }
            let time = Time(microseconds: Int64(number))
            bytes += try writer.frame(records, time: time)
            ends.append(bytes.count)
            let sequence = UInt64(101 + number)
            frames.append(Frame(sequence: sequence, syncedSequence: sequence - 1, time: time, records: records))
        }
        return (bytes, ends, frames)
    }

    private func read(_ bytes: [UInt8]) throws -> (frames: [Frame], verdict: TailVerdict, position: LogPosition) {
        var reader = sample.reader(bytes)
        var frames: [Frame] = []
        while let frame = try reader.next() { frames.append(frame) }
        return (frames, try reader.tailVerdict(), reader.position)
    }

    @Test(arguments: [0, 1, 64, 1000, 300_000]) func `frames are read back in order`(reserve: Int) throws {
        let (bytes, ends, frames) = try log()
        let (found, verdict, position) = try read(bytes + [UInt8](repeating: 0, count: reserve))
        #expect(found == frames)
        #expect(verdict == .clean)
        #expect((position.offset, position.sequence) == (ends[2], 103))
    }

    @Test func `a writer continues where a reader stopped`() throws {
        let (bytes, ends, frames) = try log()
        var reader = sample.reader(Array(bytes[..<ends[0]]))
        _ = try reader.next()
        var writer = LogWriter(continuing: reader.position, keys: sample.keys)
        let added = try writer.frame([], time: Time(microseconds: 9), syncedSequence: 50)
        let found = try read(bytes[..<ends[0]] + added).frames
        #expect(
            found == [frames[0], Frame(sequence: 102, syncedSequence: 50, time: Time(microseconds: 9), records: [])]
        )
    }

    @Test func `a frame has the padded size of section 6`() throws {
        var writer = sample.writer()
        #expect(try writer.frame([], time: Time(microseconds: 0)).count == 1024)
        let record = Record.unknown(kind: 9, body: [UInt8](repeating: 1, count: 888))
        #expect(try writer.frame([record], time: Time(microseconds: 0)).count == 1024)
        let larger = Record.unknown(kind: 9, body: [UInt8](repeating: 1, count: 889))
        #expect(try writer.frame([larger], time: Time(microseconds: 0)).count == 1088)
    }

    @Test func `a writer refuses a transaction that a reader would refuse`() throws {
        var writer = sample.writer()
        let large = Record.unknown(kind: 9, body: [UInt8](repeating: 0, count: 16 << 20 - 7))
        #expect(throws: Fault(.limitExceeded(.transaction, value: 16_777_217))) {
            try writer.frame([large], time: Time(microseconds: 0))
        }
    }

    /// Uses records of the smallest size, so that their number decides.
    @Test func `a transaction has at most 262,144 records, for writers and readers`() throws {
        let record = Record.unknown(kind: 9, body: [])
        let limit = 262_144
        var writer = sample.writer()
        let written = try writer.frame([Record](repeating: record, count: limit), time: Time(microseconds: 0))
        #expect(try read(written).frames.map(\.records.count) == [limit])
        #expect(throws: Fault(.limitExceeded(.transaction, value: 262_145))) {
            try writer.frame([Record](repeating: record, count: limit + 1), time: Time(microseconds: 0))
        }
        for (count, frameCount) in [(limit, 1), (limit + 1, 0)] {
            let bytes = sample.frame(
                records: [[UInt8]](repeating: record.encoded, count: count).flatMap(\.self),
                count: count
            )
            #expect(try read(bytes).frames.count == frameCount)
        }
    }

    // MARK: - Frames that do not verify

    @Test func `a valid frame made by hand verifies, so the others fail because of their defects`() throws {
        let (frames, verdict, _) = try read(sample.frame(records: [9, 0, 0, 0, 0, 0, 0, 0], count: 1))
        #expect(frames.map(\.records) == [[.unknown(kind: 9, body: [])]])
        #expect(frames.map(\.time.microseconds) == [-7])
        #expect(verdict == .clean)
    }

    @Test func `a frame that opens but has invalid content does not verify`() throws {
        let record: [UInt8] = [9, 0, 0, 0, 0, 0, 0, 0]
        let broken = [
            sample.frame(records: record, count: 1, padding: 64), sample.frame(records: record, count: 1, lastZero: 1),
            sample.frame(records: record, count: 0), sample.frame(records: record, count: 2),
            sample.frame(records: record, count: 1, byteCount: 7),
            sample.frame(records: record, count: 1, byteCount: 9),
            sample.frame(records: record, count: 1, byteCount: 1 << 30), sample.frame(records: record, count: 1 << 30),
            sample.frame(records: [9, 0, 0, 0, 1, 0, 0, 0], count: 1),
        ]
        for (number, bytes) in broken.enumerated() {
            let (frames, verdict, _) = try read(bytes)
            #expect(frames == [], "frame \(number)")
            #expect(verdict == .damaged(byteCount: bytes.count), "frame \(number)")
        }
    }

    @Test func `a frame from another place, chain or generation does not verify`() throws {
        let (bytes, ends, frames) = try log()
        // The second frame in place of the first: its number is too great, and it says that the first was synced.
        let moved = Array(bytes[ends[0]...])
        let (none, verdict, _) = try read(moved)
        #expect(none == [])
        #expect(verdict == .inconsistent(offset: 0, sequence: 102))
        let doubled = Array(bytes[..<ends[0]]) + bytes
        #expect(try read(doubled).frames == [frames[0]])
        #expect(try read(doubled).verdict == .inconsistent(offset: ends[0], sequence: 101))
        var otherChain = LogWriter(
            continuing: LogPosition(
                offset: 0,
                sequence: 100,
                chain: ChainValue(bytes: countingBytes(from: 0, count: 32))
            ),
            keys: sample.keys
        )
        let foreign = try otherChain.frame([], time: Time(microseconds: 0))
        #expect(try read(foreign).frames == [])
        #expect(try read(foreign).verdict == .damaged(byteCount: 1024))
    }

    @Test func `any flipped bit in a frame before another one is inconsistent`() throws {
        let (bytes, ends, _) = try log()
        for bit in stride(from: 0, to: ends[0] * 8, by: 5) {
            var changed = bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let (found, verdict, _) = try read(changed)
            #expect(found == [] && verdict == .inconsistent(offset: ends[0], sequence: 102), "bit \(bit)")
        }
    }

    @Test func `an unknown critical record is an error, not the end of the log`() throws {
        let bytes = sample.frame(records: [9, 1, 0, 0, 0, 0, 0, 0], count: 1)
        var reader = sample.reader(bytes)
        #expect(throws: VaultFormatError.unsupported(.record(kind: 9))) { try reader.next() }
    }
}
