import Glibc

/// A record of what a worker did, line by line, in a file that outlives the worker.
///
/// A line that was cut short, because the worker was killed, counts as not written.
package struct Journal {
    /// A line of a journal.
    package enum Line: Equatable {
        /// It starts operation `number`, which gives its items the states in `changes`, nil for deleted.
        ///
        /// If the operation succeeds, it adds one to `counter`.
        case intent(number: Int, changes: [String: Int?], counter: Int?)
        /// The operation was acknowledged.
        case done(Int)
        /// The operation failed, so nothing has changed.
        case failed(Int)
        /// The operation during which the worker was killed has happened or not.
        case resolved(Int, hasHappened: Bool)
        case compacted(hasSucceeded: Bool)
        /// It saw another generation of the vault than before.
        case generation(Int)
        /// It compared what it read with what it had written.
        case checked
        /// Something is wrong.
        case violation(String)
    }

    package let path: String
    private let descriptor: Int32

    /// Opens the journal of worker `worker` to write at its end.
    package init(of worker: Int, in directory: String) {
        path = Self.path(of: worker, in: directory)
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        precondition(descriptor >= 0, "the journal cannot be written")
        // A line that was cut short becomes a line of its own.
        write(Array("\n".utf8))
    }

    package static func path(of worker: Int, in directory: String) -> String { "\(directory)/journal.\(worker)" }

    package func append(_ line: Line) {
        write(Array("\(line.text) ;\n".utf8))
    }

    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            precondition(count > 0, "the journal cannot be written")
            rest = rest.dropFirst(count)
        }
    }

    /// The lines of the journal of worker `worker`.
    package static func lines(of worker: Int, in directory: String) -> [Line] {
        guard let file = fopen(path(of: worker, in: directory), "re") else { return [] }
        defer { fclose(file) }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            guard count > 0 else { break }
            text += buffer[..<count]
        }
        return text.split(separator: UInt8(ascii: "\n")).compactMap { Line(String(decoding: $0, as: UTF8.self)) }
    }
}

extension Journal.Line {
    fileprivate var text: String {
        switch self {
        case .intent(let number, let changes, let counter):
            let changes = changes.map { " \($0.key)=\($0.value.map(String.init) ?? "-")" }.sorted().joined()
            return "intent \(number)\(changes)" + (counter.map { " +\($0)" } ?? "")
        case .done(let number): return "done \(number)"
        case .failed(let number): return "failed \(number)"
        case .resolved(let number, let hasHappened): return "resolved \(number) \(hasHappened ? "yes" : "no")"
        case .compacted(let hasSucceeded): return "compacted \(hasSucceeded ? "yes" : "no")"
        case .generation(let number): return "generation \(number)"
        case .checked: return "checked"
        case .violation(let message): return "violation " + message.split(separator: "\n").joined(separator: " ")
        }
    }

    fileprivate init?(_ text: String) {
        var words = text.split(separator: " ")
        guard words.popLast() == ";", let kind = words.first else { return nil }
        let number = words.count > 1 ? Int(words[1]) ?? 0 : 0
        switch kind {
        case "intent":
            var changes: [String: Int?] = [:]
            var counter: Int?
            for word in words.dropFirst(2) {
                let parts = word.split(separator: "=")
                if parts.count == 2 {
                    changes.updateValue(Int(parts[1]), forKey: String(parts[0]))
                } else {
                    counter = Int(word.dropFirst())
                }
            }
            self = .intent(number: number, changes: changes, counter: counter)
        case "done": self = .done(number)
        case "failed": self = .failed(number)
        case "resolved": self = .resolved(number, hasHappened: words.last == "yes")
        case "compacted": self = .compacted(hasSucceeded: words.last == "yes")
        case "generation": self = .generation(number)
        case "checked": self = .checked
        case "violation": self = .violation(words.dropFirst().joined(separator: " "))
        default: return nil
        }
    }
}
