import Foundation
import LocalPersistence

/// A program that keeps things as its tests tell it: a command a line, and a line in answer.
@main struct PersistenceWorker {
    private let app: AppContainer
    private var observation: DefaultsObservation?

    static func main() throws {
        var worker = PersistenceWorker(app: try AppContainer("com.example.shared"))
        while let line = readLine() {
            do {
                print(try worker.answer(to: line.split(separator: " ").map(String.init)))
            } catch {
                print("error: \(error)")
            }
            // All streams: the one that is meant is a variable of C.
            fflush(nil)
        }
    }

    private mutating func answer(to words: [String]) throws -> String {
        switch words.first {
        case "set":
            try app.defaults.set(words[2], for: PersistenceKey<String>(words[1]))
            return "set"
        case "get": return try app.defaults.value(for: PersistenceKey<String>(words[1])) ?? "none"
        case "fill":
            for number in 0..<(Int(words[2]) ?? 0) {
                try app.defaults.set(number, for: PersistenceKey<Int>("\(words[1]) \(number)"))
                try app.archive.set([number], for: PersistenceKey<[Int]>("\(words[1]) \(number)"))
            }
            return "filled"
        // Until somebody ends the process.
        case "churn":
            var number = 0
            while true {
                number += 1
                try app.defaults.set(number, for: PersistenceKey<Int>("churn"))
                try app.archive.set(Array(repeating: number, count: 1000), for: PersistenceKey<[Int]>("churn"))
            }
        case "save":
            try app.secrets.save(words[2], for: PersistenceKey<String>(words[1]))
            return "saved"
        case "load": return try app.secrets.load(for: PersistenceKey<String>(words[1])) ?? "none"
        case "identifier":
            return try DeviceIdentifier(service: app.identifier).value().uuidString
        case "remove":
            try app.remove()
            return "removed"
        default: return "error: no such command"
        }
    }
}
