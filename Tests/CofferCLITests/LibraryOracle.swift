import Foundation
import TestSupport

/// What Python's library answers.
enum LibraryOracle {
    /// The answers to `items`, each by itself, to a question of `Oracle/library_oracle.py`.
    static func answers(_ question: String, _ items: [[UInt8]]) throws -> [[UInt8]] {
        let oracle = PythonOracle(
            script: "Tests/CofferCLITests/Oracle/library_oracle.py",
            directory: try TemporaryDirectory.current
        )
        return try oracle.answer(to: items, arguments: [question])
    }

    /// The answers to texts, as texts.
    static func texts(_ question: String, _ items: [String]) throws -> [String] {
        try answers(question, items.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
    }
}
