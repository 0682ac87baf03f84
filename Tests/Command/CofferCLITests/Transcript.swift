import Foundation
import TestSupport
import Testing
import VaultFiles

/// A file in `Transcripts`: commands and their output.
///
/// A line that begins with `$` is a command, one with `@` prepares the next command or changes the machine, and `#`
/// begins a comment. A command is followed by its output: `! ` begins a line of standard error, `> ` a line written to
/// the terminal, `? ` the exit code, unless it is 0; everything else is standard output. `[..]` stands for any text
/// within a line, `...` for any lines, `~` for the home directory, and `\c` at the end of a line for a missing newline.
struct Transcript: CustomTestStringConvertible, Sendable {
    /// A command with its output, or a directive.
    struct Step: Sendable {
        let lineNumber: Int
        let words: TranscriptWords
        let isDirective: Bool
        var expected: [String] = []
    }

    let name: String
    let steps: [Step]

    var testDescription: String { name }

    /// All transcripts.
    static let all: [Transcript] = {
        let directory = Repository.root.appending(path: "Tests/Command/CofferCLITests/Transcripts")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        return names.filter { $0.hasSuffix(".txt") }.sorted().compactMap { name in
            (try? String(contentsOf: directory.appending(path: name), encoding: .utf8)).map { Transcript(name, $0) }
        }
    }()

    init(_ name: String, _ text: String) {
        self.name = name
        var steps: [Step] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("$ ") || line.hasPrefix("@ ") {
                let words = TranscriptWords(line.dropFirst(2))
                steps.append(Step(lineNumber: index + 1, words: words, isDirective: line.hasPrefix("@ ")))
            } else if !steps.isEmpty {
                steps[steps.count - 1].expected.append(String(line))
            }
        }
        self.steps = steps
    }
}

/// The words of a line, split by the shell rules that transcripts need.
struct TranscriptWords: Sendable {
    /// A word, and whether it is unquoted and so may be a special word such as `<`.
    struct Word: Equatable, Sendable {
        var text = ""
        var isPlain = true
    }

    private(set) var words: [Word] = []

    init(_ line: Substring) {
        var rest = line
        var word: Word?
        while let character = rest.popFirst() {
            switch character {
            case " ":
                if let whole = word { words.append(whole) }
                word = nil
            case "'", "\"":
                let end = rest.firstIndex(of: character) ?? rest.endIndex
                word = Word(text: (word?.text ?? "") + rest[..<end], isPlain: false)
                rest = rest[end...].dropFirst()
            case "$" where rest.first == "'":
                rest = rest.dropFirst()
                let end = rest.firstIndex(of: "'") ?? rest.endIndex
                word = Word(text: (word?.text ?? "") + Self.unescaped(rest[..<end]), isPlain: false)
                rest = rest[end...].dropFirst()
            default: word = Word(text: (word?.text ?? "") + String(character), isPlain: word?.isPlain ?? true)
            }
        }
        if let whole = word { words.append(whole) }
    }

    /// Returns the text with `\n`, `\t`, `\e` and `\xHH` replaced; bytes become scalars below 256.
    static func unescaped(_ text: Substring) -> String {
        var result = String.UnicodeScalarView()
        var rest = text.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let letter = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            switch letter {
            case "n": result.append("\n")
            case "t": result.append("\t")
            case "r": result.append("\r")
            case "e": result.append("\u{1B}")
            case "x":
                let digits = String(String.UnicodeScalarView(rest.prefix(2)))
                rest = rest.dropFirst(2)
                result.append(Unicode.Scalar(UInt8(digits, radix: 16) ?? 63))
            default: result.append(letter)
            }
        }
        return String(result)
    }
}
