import TestSupport
import Testing
import VaultCrypto
import VaultFormat

/// Complete frames that were moved: swapped, duplicated, removed, or taken from another vault, generation or history.
@Suite("Moved frames") struct SpliceTests {
    private static let frameCount = 12
    private static let reserves = [0, 64, 4096]

    @Test(arguments: reserves)
    func `swapped frames are inconsistent`(reserve: Int) throws {
        let log = try SpliceSample(seed: "own")
        for first in 0..<Self.frameCount {
            for second in (first + 1)..<Self.frameCount {
                var frames = log.frames
                frames.swapAt(first, second)
                #expect(try log.verdict(frames, reserve: reserve).isInconsistent, "\(first) and \(second)")
            }
        }
    }

    @Test(arguments: reserves)
    func `a duplicated frame is inconsistent`(reserve: Int) throws {
        let log = try SpliceSample(seed: "own")
        for number in 0..<Self.frameCount {
            for place in 0...Self.frameCount {
                var frames = log.frames
                frames.insert(log.frames[number], at: place)
                #expect(try log.verdict(frames, reserve: reserve).isInconsistent, "\(number) at \(place)")
            }
        }
    }

    @Test(arguments: reserves)
    func `a removed frame is inconsistent unless no frame follows it`(reserve: Int) throws {
        let log = try SpliceSample(seed: "own")
        for first in 0..<Self.frameCount {
            for count in 1...(Self.frameCount - first) {
                var frames = log.frames
                frames.removeSubrange(first..<first + count)
                let verdict = try log.verdict(frames, reserve: reserve)
                // Without its last frames the file is a former state, which the file alone cannot reveal.
                if first + count == Self.frameCount {
                    #expect(verdict == .clean)
                } else {
                    #expect(verdict.isInconsistent, "\(count) from \(first)")
                }
            }
        }
    }

    @Test(arguments: ["other vault", "other generation"], reserves)
    func `a foreign frame is inconsistent, or damaged at the end`(origin: String, reserve: Int) throws {
        let log = try SpliceSample(seed: "own")
        let other = try origin == "other vault" ? SpliceSample(seed: "other") : log.nextGeneration()
        for foreign in other.frames {
            for place in 0...Self.frameCount {
                var frames = log.frames
                frames.insert(foreign, at: place)
                let verdict = try log.verdict(frames, reserve: reserve)
                #expect(place == Self.frameCount ? verdict.isDamaged : verdict.isInconsistent, "at \(place)")
                guard place < Self.frameCount else { continue }
                frames = log.frames
                frames[place] = foreign
                let replaced = try log.verdict(frames, reserve: reserve)
                #expect(place == Self.frameCount - 1 ? replaced.isDamaged : replaced.isInconsistent, "for \(place)")
            }
        }
    }

    @Test(arguments: reserves)
    func `a frame of a forked history does not continue this one`(reserve: Int) throws {
        let log = try SpliceSample(seed: "own")
        for place in 0..<Self.frameCount {
            let fork = try log.forked(at: place)
            var frames = log.frames
            frames[place] = fork
            let verdict = try log.verdict(frames, reserve: reserve)
            switch Self.frameCount - place {
            // With its last frame replaced by the fork's, the file is a valid state of the fork.
            case 1: #expect(verdict == .clean)
            // Only the last frame follows, and it does not verify.
            case 2: #expect(verdict.isDamaged)
            default: #expect(verdict.isInconsistent, "\(place)")
            }
        }
    }

    @Test func `frames written without a sync between them are torn if one is missing`() throws {
        let log = try SpliceSample(seed: "own", syncedSequence: 0)
        // Frames from the eighth on are long enough to contain a whole unit of the medium.
        for missing in 7..<(Self.frameCount - 1) {
            var frames = log.frames
            frames[missing] = [UInt8](repeating: 0, count: frames[missing].count)
            #expect(try log.verdict(frames, reserve: 0).isTorn, "\(missing)")
        }
    }
}

extension TailVerdict {
    fileprivate var isInconsistent: Bool { if case .inconsistent = self { true } else { false } }
    fileprivate var isDamaged: Bool { if case .damaged = self { true } else { false } }
    fileprivate var isTorn: Bool { if case .torn = self { true } else { false } }
}
