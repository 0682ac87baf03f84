import Foundation
import TestSupport
import Testing

/// A line of `Spec/status-codes.tsv`: a status code, the number that Apple publishes for it, and its message.
struct StatusCodeLine: Sendable, CustomTestStringConvertible {
    let name: String
    let number: Int32
    let message: String

    var testDescription: String { name }

    /// The whole table.
    static let all: [StatusCodeLine] = {
        let path = Repository.root.appending(path: "Spec/status-codes.tsv")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard fields.count == 3, let number = Int32(fields[1]) else { return nil }
            return StatusCodeLine(name: String(fields[0]), number: number, message: String(fields[2]))
        }
    }()
}
