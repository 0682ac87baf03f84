import Foundation
import TestSupport
import Testing

@Suite("Transcripts", .temporaryDirectory) struct TranscriptTests {
    @Test(arguments: Transcript.all)
    func `commands print what the transcript shows`(transcript: Transcript) throws {
        let run = try TranscriptRun()
        for step in transcript.steps {
            let seen = try run.play(step)
            let isAsExpected = matches(seen[...], step.expected[...])
            #expect(
                isAsExpected,
                """
                line \(step.lineNumber): \(step.words.words.map(\.text).joined(separator: " "))
                expected:
                \(step.expected.joined(separator: "\n"))
                seen:
                \(seen.joined(separator: "\n"))
                """
            )
        }
    }

    @Test func `transcripts are found`() {
        #expect(!Transcript.all.isEmpty)
    }

    @Test(arguments: [
        (["a b c"], ["a [..] c"], true), (["a c"], ["a [..] c"], false), (["a", "b"], ["..."], true),
        (["a", "b", "c"], ["...", "c"], true), (["a", "b"], ["a"], false), ([], ["a"], false), ([], ["..."], true),
        (["[..]"], ["[..]"], true), (["xab"], ["[..]ab"], true), (["xabc"], ["[..]ab"], false),
    ])
    func `wildcards match text and lines`(seen: [String], expected: [String], isMatch: Bool) {
        #expect(matches(seen[...], expected[...]) == isMatch)
    }

    @Test(arguments: [
        ("a b", ["a", "b"]), ("a 'b c'", ["a", "b c"]), ("a $'x\\ny'", ["a", "x\ny"]), ("''", [""]), ("a'b'c", ["abc"]),
    ])
    func `words are split as in a shell`(line: String, words: [String]) {
        #expect(TranscriptWords(line[...]).words.map(\.text) == words)
    }

    /// Whether the lines match the expected lines.
    private func matches(_ lines: ArraySlice<String>, _ expected: ArraySlice<String>) -> Bool {
        guard let first = expected.first else { return lines.isEmpty }
        if first == "..." {
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], expected.dropFirst()) }
        }
        guard let line = lines.first, matches(line, first) else { return false }
        return matches(lines.dropFirst(), expected.dropFirst())
    }

    private func matches(_ line: String, _ pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "[..]")
        guard parts.count > 1 else { return line == pattern }
        guard line.hasPrefix(parts[0]), line.hasSuffix(parts[parts.count - 1]),
            line.count >= parts[0].count + parts[parts.count - 1].count
        else { return false }
        var rest = line.dropFirst(parts[0].count).dropLast(parts[parts.count - 1].count)
        for part in parts.dropFirst().dropLast() {
            guard let range = rest.range(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
