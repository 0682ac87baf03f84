import Foundation
import KeyedArchive
import Synchronization
import Testing

/// Threads other than the main one often have a small stack, and hostile nesting must not overflow it.
@Suite("Small stacks") struct SmallStackTests {
    /// The stack size of secondary threads on Apple's systems, and twice that for unoptimized code.
    private static var stackByteCount: Int {
        #if DEBUG
            1 << 20
        #else
            1 << 19
        #endif
    }

    private struct Chain: Codable {
        var next: [Chain] = []
    }

    private final class Outcome: Sendable {
        let text = Mutex("")
        let isDone = DispatchSemaphore(value: 0)
    }

    @Test func `the deepest values can be read and written on a small stack`() throws {
        let outcome = Outcome()
        let thread = Thread {
            outcome.text.withLock { $0 = Self.exercise() }
            outcome.isDone.signal()
        }
        thread.stackSize = Self.stackByteCount
        thread.start()
        outcome.isDone.wait()
        #expect(outcome.text.withLock { $0 } == "archive, Codable, binary, XML")
    }

    private static func exercise() -> String {
        do {
            let archive = (1..<64).reduce(ArchiveValue.array([])) { value, _ in [value] }
            guard try ArchiveValue(archive: archive.archived()) == archive else { return "archive" }

            let chain = (1..<32).reduce(Chain()) { chain, _ in Chain(next: [chain]) }
            _ = try ArchiveDecoder().decode(Chain.self, from: ArchiveEncoder().encode(chain))

            let list = (1..<64).reduce(PropertyList.array([])) { value, _ in [value] }
            guard try PropertyList(binary: list.binaryEncoded()) == list else { return "binary" }
            guard try PropertyList(xml: list.xmlEncoded()) == list else { return "XML" }
            return "archive, Codable, binary, XML"
        } catch {
            return "\(error)"
        }
    }
}
