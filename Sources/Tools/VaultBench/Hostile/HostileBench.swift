import Foundation
import KeyedArchive

/// Reads every archive vector that must fail, and compares the time and memory it takes with the promised limits.
struct HostileBench {
    /// The limits for any hostile file, and the additional time for each MiB of the file itself.
    private static let longestMilliseconds = 10.0
    private static let millisecondsPerMebibyte = 10.0
    private static let largestMebibytes = 64.0
    /// The time that the work of `slowness` takes on the reference machine.
    private static let millisecondsForTexts = 3.5

    private struct Result {
        let name: String
        let byteCount: Int
        var milliseconds: Double
        let mebibytes: Double

        var isTooMuch: Bool {
            let size = Double(byteCount) / 1_048_576
            return milliseconds >= longestMilliseconds + millisecondsPerMebibyte * size || mebibytes >= largestMebibytes
        }
    }

    let fixtures: String

    /// Prints the most expensive files, and returns whether all stayed within the limits.
    func run() throws -> Bool {
        MemoryGauge.keepFreeMemory()
        let results =
            try measureVectors("plist") { (try? PropertyList(binary: $0)) == nil }
            + measureVectors("archive") { (try? ArchiveValue(archive: $0)) == nil }
            + measureVectors("xml") { (try? PropertyList(xml: $0)) == nil }
            + [measure("generated/array_of_16_million", Self.wideArray) { (try? PropertyList(binary: $0)) == nil }]
        let offenders = results.filter(\.isTooMuch)
        Swift.print("\(results.count) hostile files; the most expensive:\n")
        for result in results.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(10) { print(result) }
        for result in offenders { print(result, "TOO MUCH") }
        return offenders.isEmpty
    }

    /// An array of as many references to one number as fit in a file: half a gigabyte if it were created.
    private static var wideArray: [UInt8] {
        let count = (16 << 20) - 64
        func bytes(_ value: Int, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let header = Array("bplist00".utf8) + [0xAF, 0x12] + bytes(count, 4)
        let objectEnd = header.count + count + 2
        return header + Array(repeating: 1, count: count) + [0x10, 0x05] + bytes(8, 4) + bytes(objectEnd - 2, 4)
            + bytes(0, 6) + [4, 1] + bytes(2, 8) + bytes(0, 8) + bytes(objectEnd, 8)
    }

    private func print(_ result: Result, _ remark: String = "") {
        let name = result.name.padding(toLength: 40, withPad: " ", startingAt: 0)
        Swift.print("  \(name)\(String(format: "%8.3f ms %8.2f MiB", result.milliseconds, result.mebibytes)) \(remark)")
    }

    private func measureVectors(_ directory: String, _ isRefused: ([UInt8]) -> Bool) throws -> [Result] {
        let base = URL(filePath: fixtures).appending(path: directory)
        var results: [Result] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: base.path).sorted() {
            let file = Array(try Data(contentsOf: base.appending(path: name)))
            guard !file.starts(with: "expect: success".utf8), let end = file.firstRange(of: [0x0A, 0x0A]) else {
                continue
            }
            results.append(try measure("\(directory)/\(name)", Array(file[end.upperBound...]), isRefused))
        }
        return results
    }

    private func measure(_ name: String, _ bytes: [UInt8], _ isRefused: ([UInt8]) -> Bool) throws -> Result {
        func refuse() { precondition(isRefused(bytes), "\(name) was accepted") }
        // The best of five, in CPU time of this thread: other work on the machine is not the reader's fault.
        let times = (0..<5).map { _ in Measurement.threadMilliseconds(of: refuse) }
        // Memory is measured in a separate run, because that begins by releasing all reusable memory.
        let gauge = try MemoryGauge()
        refuse()
        let grown = try gauge.grownMebibytes()
        var result = Result(name: name, byteCount: bytes.count, milliseconds: times.min() ?? 0, mebibytes: grown)
        // A virtual machine may be slow for a while, or always: a file that is really expensive stays so for a hundred
        // runs, relative to other work.
        for _ in 0..<100 where result.isTooMuch {
            let slowness = Self.slowness()
            result.milliseconds = min(result.milliseconds, Measurement.threadMilliseconds(of: refuse) / slowness)
        }
        return result
    }

    /// Returns how many times slower than the reference machine this machine is at the moment, at least 1.
    ///
    /// The work is what readers mostly do: make small texts and put them into an array.
    private static func slowness() -> Double {
        let milliseconds = Measurement.threadMilliseconds {
            var texts: [String] = []
            for number in 0..<100_000 { texts.append(String(decoding: "\(number)".utf8.prefix(9), as: UTF8.self)) }
            precondition(texts.count == 100_000)
        }
        return max(1, milliseconds / millisecondsForTexts)
    }
}
