import Foundation
import TestSupport

/// The answers of Python's library.
enum LibraryOracle {
    /// Returns the answers of `Oracle/library_oracle.py` to a question about each of `items`.
    static func answers(_ question: String, _ items: [[UInt8]]) throws -> [[UInt8]] {
        let oracle = PythonOracle(
            script: "Tests/Command/CofferCLITests/Oracle/library_oracle.py",
            directory: try TemporaryDirectory.current
        )
        return try oracle.answer(to: items, arguments: [question])
    }

    /// Returns the answers about texts, as texts.
    static func texts(_ question: String, _ items: [String]) throws -> [String] {
        try answers(question, items.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
    }
}
