// Search for text in text, character by character.
//
// The search of the standard library belongs to the module of its regular expressions, which is linked as a whole: it makes
// a static command 1.2 MB larger.

extension StringProtocol {
    /// The first range of `text`; nil if it is empty, or not found.
    package func firstRange(ofText text: String) -> Range<Index>? {
        guard !text.isEmpty else { return nil }
        guard let start = indices.first(where: { self[$0...].starts(with: text) }) else { return nil }
        return start..<index(start, offsetBy: text.count)
    }

    /// The ranges of `text`, which do not overlap.
    package func ranges(ofText text: String) -> [Range<Index>] {
        var ranges: [Range<Index>] = []
        var rest = self[...]
        while let range = rest.firstRange(ofText: text) {
            ranges.append(range)
            rest = rest[range.upperBound...]
        }
        return ranges
    }

    /// Whether `text` is a part of this text; an empty one is.
    package func contains(text: String) -> Bool { text.isEmpty || firstRange(ofText: text) != nil }

    /// The parts between the first `maxSplits` occurrences of `separator`, empty parts too.
    package func parts(separatedBy separator: String, maxSplits: Int = .max) -> [SubSequence] {
        var parts: [SubSequence] = []
        var start = startIndex
        for range in ranges(ofText: separator).prefix(maxSplits) {
            parts.append(self[start..<range.lowerBound])
            start = range.upperBound
        }
        return parts + [self[start...]]
    }

    /// The text with `replacement` in place of each `text`.
    package func replacing(text: String, with replacement: String) -> String {
        parts(separatedBy: text).joined(separator: replacement)
    }
}
