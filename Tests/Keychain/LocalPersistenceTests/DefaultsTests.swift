import Foundation
import KeyedArchive
import LocalPersistence
import Synchronization
import TestSupport
import Testing

@Suite("Settings", .temporaryDirectory) struct DefaultsTests {
    private struct Window: Codable, Equatable, Sendable {
        var width: Double
        var title: String?
        var tabs: [String: Int]
    }

    private let sample: PersistenceSample
    private let defaults: Defaults

    init() throws {
        sample = try PersistenceSample()
        defaults = try sample.app().defaults
    }

    /// The same settings, as another process sees them.
    private func others() throws -> Defaults { try sample.app().defaults }

    private func python(_ script: String) throws -> String {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "import plistlib, sys, datetime\np = sys.argv[1]\n" + script, defaults.path,
        ]
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self)
    }

    @Test func `every kind of value is read back unchanged`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
        let window = Window(width: 1.5, title: nil, tabs: ["one": 1])
        try defaults.set("text", for: PersistenceKey<String>("string"))
        try defaults.set(-7, for: PersistenceKey<Int>("integer"))
        try defaults.set(0.1, for: PersistenceKey<Double>("real"))
        try defaults.set(true, for: PersistenceKey<Bool>("bool"))
        try defaults.set(date, for: PersistenceKey<Date>("date"))
        try defaults.set(Data([0, 255]), for: PersistenceKey<Data>("data"))
        try defaults.set(["a", "b"], for: PersistenceKey<[String]>("array"))
        try defaults.set(["k": 1], for: PersistenceKey<[String: Int]>("dictionary"))
        try defaults.set(window, for: PersistenceKey<Window>("window"))
        let others = try others()
        #expect(try others.value(for: PersistenceKey<String>("string")) == "text")
        #expect(try others.value(for: PersistenceKey<Int>("integer")) == -7)
        #expect(try others.value(for: PersistenceKey<Double>("real")) == 0.1)
        #expect(try others.value(for: PersistenceKey<Bool>("bool")) == true)
        #expect(try others.value(for: PersistenceKey<Date>("date")) == date)
        #expect(try others.value(for: PersistenceKey<Data>("data")) == Data([0, 255]))
        #expect(try others.value(for: PersistenceKey<[String]>("array")) == ["a", "b"])
        #expect(try others.value(for: PersistenceKey<[String: Int]>("dictionary")) == ["k": 1])
        #expect(try others.value(for: PersistenceKey<Window>("window")) == window)
        #expect(try others.value(for: PersistenceKey<String>("nothing")) == nil)
        #expect(
            try others.names()
                == ["array", "bool", "data", "date", "dictionary", "integer", "real", "string", "window"]
        )
    }

    @Test(.enabled(if: PythonOracle.isExpected), arguments: [Defaults.Format.binary, .xml])
    func `other programs can read and write the settings`(format: Defaults.Format) throws {
        try defaults.setFormat(format)
        try defaults.set(["a", "b"], for: PersistenceKey<[String]>("array"))
        try defaults.set(Date(timeIntervalSinceReferenceDate: 0), for: PersistenceKey<Date>("date"))
        try defaults.set(Data([1, 2]), for: PersistenceKey<Data>("data"))
        try defaults.set(false, for: PersistenceKey<Bool>("bool"))
        try defaults.set(3, for: PersistenceKey<Int>("integer"))
        let seen = try python("print(sorted(plistlib.load(open(p, 'rb')).items()))")
        #expect(
            seen
                == "[('array', ['a', 'b']), ('bool', False), ('data', b'\\x01\\x02'), "
                + "('date', datetime.datetime(2001, 1, 1, 0, 0)), ('integer', 3)]\n"
        )
        let start = try Data(contentsOf: URL(filePath: defaults.path)).prefix(6)
        #expect((start == Data("bplist".utf8)) == (format == .binary))
        let name = format == .binary ? "FMT_BINARY" : "FMT_XML"
        _ = try python(
            "d = plistlib.load(open(p, 'rb')); d['real'] = 2; plistlib.dump(d, open(p, 'wb'), fmt=plistlib.\(name))"
        )
        // An integer that another program wrote is read as a number.
        #expect(try defaults.value(for: PersistenceKey<Double>("real")) == 2)
        try defaults.set(4, for: PersistenceKey<Int>("integer"))
        #expect(
            (try Data(contentsOf: URL(filePath: defaults.path)).prefix(6) == Data("bplist".utf8)) == (format == .binary)
        )
        #expect(try python("print(plistlib.load(open(p, 'rb'))['real'])") == "2\n")
    }

    @Test func `a registered value applies where none is set, and is not stored`() throws {
        let size = PersistenceKey<Int>("size")
        try defaults.register(14, for: size)
        #expect(try defaults.value(for: size) == 14)
        #expect(try others().value(for: size) == nil)
        #expect(!sample.has("com.example.app"))
        try defaults.set(16, for: size)
        #expect(try defaults.value(for: size) == 16)
        try defaults.remove(size)
        #expect(try defaults.value(for: size) == 14)
    }

    @Test func `suites are separate, and the same name gives the same object`() throws {
        let app = try sample.app()
        let suite = try app.defaults(suite: "group.example")
        let key = PersistenceKey<Int>("key")
        try app.defaults.set(1, for: key)
        try suite.set(2, for: key)
        #expect(try app.defaults.value(for: key) == 1)
        #expect(try app.defaults(suite: "group.example") === suite)
        #expect(try app.defaults(suite: "com.example.app") === app.defaults)
        #expect(sample.has("com.example.app/Preferences/group.example.plist"))
        for name in ["", "../x", ".hidden", "a/b", "a\0b"] {
            #expect(throws: PersistenceError.invalidIdentifier(name)) { try app.defaults(suite: name) }
        }
    }

    @Test func `several changes take effect together or not at all`() throws {
        let (one, two) = (PersistenceKey<Int>("one"), PersistenceKey<Int>("two"))
        try defaults.set(0, for: two)
        try defaults.update { changes throws(PersistenceError) in
            try changes.set(1, for: one)
            changes.remove(two)
        }
        #expect(try defaults.names() == ["one"])
        #expect(throws: PersistenceError.busy(path: "x")) {
            try defaults.update { changes throws(PersistenceError) in
                try changes.set(2, for: one)
                throw .busy(path: "x")
            }
        }
        #expect(try defaults.value(for: one) == 1)
    }

    @Test func `a value of another type causes an error and is kept`() throws {
        try defaults.set("text", for: PersistenceKey<String>("key"))
        #expect(throws: PersistenceError.cannotDecode("Int")) { try defaults.value(for: PersistenceKey<Int>("key")) }
        #expect(try defaults.value(for: PersistenceKey<String>("key")) == "text")
    }

    @Test func `nil cannot be stored in a property list`() throws {
        #expect(throws: PersistenceError.self) { try defaults.set(nil, for: PersistenceKey<Int?>("key")) }
        #expect(try defaults.names() == [])
    }

    @Test(arguments: ["no list", "", "bplist00", "<plist version=\"1.0\"><array/></plist>"])
    func `a file without settings causes an error and is left unchanged`(text: String) throws {
        try defaults.set(1, for: PersistenceKey<Int>("key"))
        try Data(text.utf8).write(to: URL(filePath: defaults.path))
        #expect(throws: PersistenceError.self) { try defaults.value(for: PersistenceKey<Int>("key")) }
        #expect(throws: PersistenceError.self) { try defaults.set(2, for: PersistenceKey<Int>("key")) }
        #expect(try Data(contentsOf: URL(filePath: defaults.path)) == Data(text.utf8))
    }

    @Test func `a file that is too large is an error`() throws {
        try defaults.set(1, for: PersistenceKey<Int>("key"))
        let handle = try FileHandle(forWritingTo: URL(filePath: defaults.path))
        try handle.truncate(atOffset: (16 << 20) + 1)
        #expect(throws: PersistenceError.tooLarge(path: defaults.path, limit: 16 << 20)) { try defaults.names() }
        let large = String(repeating: "x", count: (16 << 20) + 1)
        let suite = try sample.app().defaults(suite: "large")
        #expect(throws: PersistenceError.self) { try suite.set(large, for: PersistenceKey<String>("key")) }
        #expect(try suite.names() == [])
    }

    @Test func `an update sees the current values and takes effect as a whole`() throws {
        struct Refused: Error {}
        let (count, text) = (PersistenceKey<Int>("count"), PersistenceKey<String>("text"))
        try defaults.register(40, for: count)
        for _ in 0..<2 {
            try defaults.update { settings in
                try settings.set((settings.value(for: count) ?? 0) + 1, for: count)
                #expect(try settings.value(for: text) == nil)
            }
        }
        #expect(throws: Refused.self) {
            try defaults.update { settings in
                try settings.set("lost", for: text)
                #expect(try settings.value(for: text) == "lost")
                throw Refused()
            }
        }
        #expect(try others().value(for: count) == 42)
        #expect(try others().value(for: text) == nil)
    }

    // Foundation reads only the lower half of such a number.
    @Test func `a number beyond Foundation's range causes an error and is kept`() throws {
        let list: PropertyList = ["wide": [.integer(Int128.max)], "text": "kept"]
        try defaults.set(1, for: PersistenceKey<Int>("one"))
        try Data(list.binaryEncoded()).write(to: URL(filePath: defaults.path))
        #expect(throws: PersistenceError.cannotDecode("Array<Int>")) {
            try others().value(for: PersistenceKey<[Int]>("wide"))
        }
        #expect(throws: PersistenceError.cannotDecode("Array<Double>")) {
            try others().value(for: PersistenceKey<[Double]>("wide"))
        }
        try others().set("changed", for: PersistenceKey<String>("text"))
        #expect(
            try PropertyList(binary: Array(Data(contentsOf: URL(filePath: defaults.path)))).dictionary?["wide"] == [
                .integer(Int128.max)
            ]
        )
    }

    // Foundation writes "$null" for a missing value, and reads that text as nil.
    @Test func `a text that Foundation reads as nil is stored or rejected, never lost`() throws {
        struct Name: Codable, Equatable, Sendable {
            var name = "x"
            var nick: String?
        }
        try defaults.set("$null", for: PersistenceKey<String>("text"))
        #expect(try others().value(for: PersistenceKey<String>("text")) == "$null")
        try defaults.set([1, nil], for: PersistenceKey<[Int?]>("optional"))
        #expect(try others().value(for: PersistenceKey<[Int?]>("optional")) == [1, nil])
        #expect(throws: PersistenceError.self) { try defaults.set(["$null"], for: PersistenceKey<[String]>("array")) }
        for name in [Name(name: "$null"), Name(nick: "$null")] {
            #expect(throws: PersistenceError.self) { try defaults.set(name, for: PersistenceKey<Name>("name")) }
        }
        #expect(throws: PersistenceError.self) { try defaults.set(nil, for: PersistenceKey<String?>("nothing")) }
        #expect(try defaults.names() == ["optional", "text"])
    }

    @Test func `an XML file stores whole seconds`() throws {
        let key = PersistenceKey<Date>("date")
        try defaults.setFormat(.xml)
        try defaults.set(Date(timeIntervalSinceReferenceDate: 1.75), for: key)
        #expect(try others().value(for: key) == Date(timeIntervalSinceReferenceDate: 1))
    }

    // MARK: - Observing

    /// The values that an observer received, with waiting.
    private final class ReceivedValues: Sendable {
        private let values = Mutex<[Int?]>([])
        private let news = DispatchSemaphore(value: 0)

        func append(_ value: Int?) {
            values.withLock { $0.append(value) }
            news.signal()
        }

        /// Whether the newest value is this one or becomes it within a minute.
        func comes(to value: Int?) -> Bool {
            while values.withLock({ $0.last }) != value, news.wait(timeout: .now() + 60) == .success {}
            return values.withLock { $0.last } == value
        }

        /// The values, once there are `count` of them; fewer after a minute.
        func values(count: Int) -> [Int?] {
            while values.withLock({ $0.count }) < count, news.wait(timeout: .now() + 60) == .success {}
            return values.withLock { $0 }
        }
    }

    @Test func `an observer is notified of local and remote changes to its key only`() throws {
        let key = PersistenceKey<Int>("key")
        let received = ReceivedValues()
        try defaults.set(1, for: key)
        let observation = try defaults.observe(key) { received.append($0) }
        try defaults.set(1, for: key)
        try defaults.set(5, for: PersistenceKey<Int>("other"))
        try defaults.set(2, for: key)
        #expect(received.values(count: 1) == [2])
        try others().set(3, for: key)
        #expect(received.values(count: 2) == [2, 3])
        try others().remove(key)
        #expect(received.values(count: 3) == [2, 3, nil])
        withExtendedLifetime(observation) {}
    }

    @Test func `an observer may use the settings, and is not called after its release`() throws {
        let key = PersistenceKey<Int>("key")
        let received = ReceivedValues()
        var observation: DefaultsObservation? = try defaults.observe(key) { [defaults] value in
            try? defaults.set(value ?? 0, for: PersistenceKey<Int>("copy"))
            received.append(value)
        }
        try defaults.set(1, for: key)
        #expect(received.values(count: 1) == [1])
        #expect(try defaults.value(for: PersistenceKey<Int>("copy")) == 1)
        withExtendedLifetime(observation) {}
        observation = nil
        try defaults.set(2, for: key)
        let second = ReceivedValues()
        let other = try defaults.observe(key) { second.append($0) }
        try defaults.set(3, for: key)
        #expect(second.values(count: 1) == [3])
        #expect(received.values(count: 1) == [1])
        withExtendedLifetime(other) {}
    }

    // Observers once received values in the wrong order: if one observer set the value again, the last value that
    // another received could be outdated.
    @Test func `an observer that changes the value leaves the others with the newest one`() throws {
        let key = PersistenceKey<Int>("key")
        let received = Mutex<[Int: Int?]>([:])
        let news = DispatchSemaphore(value: 0)
        let clamping = try defaults.observe(key) { [defaults] value in
            if value ?? 0 > 10 { try? defaults.set(10, for: key) }
        }
        let others = try (0..<4).map { number in
            try defaults.observe(key) { value in
                received.withLock { $0[number] = value }
                news.signal()
            }
        }
        try defaults.set(50, for: key)
        let expected: [Int: Int?] = [0: 10, 1: 10, 2: 10, 3: 10]
        while received.withLock({ $0 }) != expected, news.wait(timeout: .now() + 60) == .success {}
        try defaults.set(1, for: PersistenceKey<Int>("other"))
        #expect(received.withLock { $0 } == expected)
        withExtendedLifetime((clamping, others)) {}
    }

    // The watched directory was removed, and the one that replaced it was not watched.
    @Test func `an observer is notified of changes after the container was removed`() throws {
        let key = PersistenceKey<Int>("key")
        let received = ReceivedValues()
        let observing = try sample.app { $0.pollingNanoseconds = 1_000_000 }.defaults
        let observation = try observing.observe(key) { received.append($0) }
        for number in 1...3 {
            let other = try sample.app()
            try other.defaults.set(number, for: key)
            #expect(received.comes(to: number))
            try other.remove()
            #expect(received.comes(to: nil))
        }
        withExtendedLifetime(observation) {}
    }

    // An observer was once released under the lock that releasing another one waits for.
    @Test func `releasing an observer may release another`() throws {
        let key = PersistenceKey<Int>("key")
        let inner = try defaults.observe(key) { _ in }
        var outer: DefaultsObservation? = try defaults.observe(key) { [inner] _ in withExtendedLifetime(inner) {} }
        withExtendedLifetime(outer) {}
        outer = nil
        try defaults.set(1, for: key)
        #expect(try defaults.value(for: key) == 1)
    }

    @Test func `changes can be awaited`() async throws {
        let key = PersistenceKey<Int>("key")
        var changes = try defaults.changes(of: key).makeAsyncIterator()
        try await defaults.set(1, for: key)
        #expect(await changes.next() == 1)
        // A late reader may miss some values, but not the newest.
        for number in 2...4 { try await defaults.set(number, for: key) }
        while await changes.next() != 4 {}
        try await defaults.remove(key)
        #expect(await changes.next() == .some(nil))
    }

    @Test func `cancelling the task that awaits changes releases the settings`() async throws {
        weak var observed: Defaults?
        let task = try {
            let defaults = try others()
            observed = defaults
            let changes = try defaults.changes(of: PersistenceKey<Int>("key"))
            return Task { for await _ in changes {} }
        }()
        #expect(observed != nil)
        task.cancel()
        await task.value
        while observed != nil { await Task.yield() }
    }

    // A watch of a moved directory does not see the directory that has its path now.
    @Test func `an observer is notified of changes after the container was moved`() throws {
        let key = PersistenceKey<Int>("key")
        let received = ReceivedValues()
        try defaults.set(1, for: key)
        let observing = try sample.app { $0.pollingNanoseconds = 1_000_000 }
        let observation = try observing.defaults.observe(key) { received.append($0) }
        try FileManager.default.moveItem(atPath: observing.path, toPath: observing.path + ".trash")
        for number in 2...3 {
            try others().set(number, for: key)
            #expect(received.comes(to: number))
        }
        withExtendedLifetime(observation) {}
    }

    @Test func `threads do not undo each other's changes`() async throws {
        let (first, second) = (defaults, try others())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<4 {
                group.addTask {
                    for number in 0..<100 {
                        let defaults = number % 2 == 0 ? first : second
                        try defaults.set(number, for: PersistenceKey<Int>("\(task) \(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try defaults.names().count == 400)
    }
}
