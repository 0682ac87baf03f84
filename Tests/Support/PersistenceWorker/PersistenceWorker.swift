import Foundation
import LocalPersistence

/// A program that stores values as its tests request: each input line is a command and gets one line in response.
@main struct PersistenceWorker {
    /// A value with more than texts and numbers.
    private struct Visit: Codable, Equatable {
        var time: Date
        var cookie: Data
        var id: UUID
        var page: URL?

        static let example = Visit(
            time: Date(timeIntervalSinceReferenceDate: 1.5),
            cookie: Data([1, 2]),
            id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
            page: URL(string: "https://example.com/a")
        )
    }

    private static let count = PersistenceKey<Int>("count")

    private let app: AppContainer
    private var observation: DefaultsObservation?

    static func main() throws {
        var environment = PersistenceEnvironment()
        // Other tests use the disk and the processors too.
        environment.lockNanoseconds = 60_000_000_000
        let home = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
        let name = "com.example.shared"
        let app = try AppContainer(name, in: home, keychain: nil, environment: environment)
        var worker = PersistenceWorker(app: app)
        while let line = readLine() {
            do {
                print(try worker.answer(to: line.split(separator: " ").map(String.init)))
            } catch {
                print("error: \(error)")
            }
            // All streams, since the C global `stdout` cannot be used here.
            fflush(nil)
        }
    }

    private mutating func answer(to words: [String]) throws -> String {
        switch words.first {
        case "set":
            try app.defaults.set(words[2], for: PersistenceKey<String>(words[1]))
            return "set"
        case "get": return try app.defaults.value(for: PersistenceKey<String>(words[1])) ?? "none"
        case "count":
            for _ in 0..<(Int(words[1]) ?? 0) {
                try app.defaults.update { try $0.set(($0.value(for: Self.count) ?? 0) + 1, for: Self.count) }
            }
            return "counted"
        case "observe":
            let told = DispatchSemaphore(value: 0)
            observation = try app.defaults.observe(PersistenceKey<String>(words[1])) { value in
                if value == words[2] { told.signal() }
            }
            print("observing")
            fflush(nil)
            return told.wait(timeout: .now() + 60) == .success ? "told" : "not told"
        case "encrypt":
            try app.archive.encrypted().set(words[2], for: PersistenceKey<String>(words[1]))
            return "encrypted"
        case "decrypt": return try app.archive.encrypted().value(for: PersistenceKey<String>(words[1])) ?? "none"
        case "archive":
            try app.archive.set(Visit.example, for: PersistenceKey<Visit>(words[1]))
            return "archived"
        case "read":
            return try app.archive.value(for: PersistenceKey<Visit>(words[1])) == .example ? "the same" : "none"
        case "fill":
            for number in 0..<(Int(words[2]) ?? 0) {
                try app.defaults.set(number, for: PersistenceKey<Int>("\(words[1]) \(number)"))
                try app.archive.set([number], for: PersistenceKey<[Int]>("\(words[1]) \(number)"))
            }
            return "filled"
        // Runs until the process is killed.
        case "churn":
            var number = 0
            while true {
                number += 1
                try app.defaults.set(number, for: PersistenceKey<Int>("churn"))
                try app.archive.set(Array(repeating: number, count: 1000), for: PersistenceKey<[Int]>("churn"))
            }
        case "save":
            try app.secrets.set(words[2], for: PersistenceKey<String>(words[1]))
            return "saved"
        case "load": return try app.secrets.value(for: PersistenceKey<String>(words[1])) ?? "none"
        case "identifier":
            return try DeviceIdentifier(service: app.identifier).value().uuidString
        // The place of the app's container without a directory given by the test.
        case "place": return try AppContainer(app.identifier).path
        case "remove":
            try app.remove()
            return "removed"
        default: return "error: no such command"
        }
    }
}
