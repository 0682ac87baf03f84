internal import Coffer

/// Finds items by parts of their names, in any case and with letters left out.
struct FuzzySearch {
    private let terms: [[Unicode.Scalar]]

    /// A search for all words of `text`.
    init(_ text: String) {
        terms = text.split(whereSeparator: \.isWhitespace).map { $0.searchable }
    }

    /// Whether everything matches.
    var isEmpty: Bool { terms.isEmpty }

    /// How well an item matches, the greater the better; nil if one of the words is not in it.
    func score(_ item: SearchableItem) -> Int? {
        var sum = 0
        for term in terms {
            var best = 0
            for index in item.fields.indices where !item.fields[index].isEmpty {
                let score = Self.score(term, in: item.fields[index])
                if score > 0 { best = max(best, score + SearchableItem.weights[index]) }
            }
            guard best > 0 else { return nil }
            sum += best
        }
        return sum
    }

    /// How well a word matches a field; 0 if it is not in it.
    private static func score(_ term: [Unicode.Scalar], in field: [Unicode.Scalar]) -> Int {
        var best = 0
        for start in field.indices where field[start] == term[0] {
            let isWordStart = start == 0 || !field[start - 1].isWordCharacter
            var count = 1
            while count < term.count, start + count < field.count, field[start + count] == term[count] { count += 1 }
            if count == term.count {
                if start == 0 { return field.count == term.count ? 100 : 80 }
                best = max(best, isWordStart ? 60 : 40)
            } else if isWordStart, let span = span(of: term, in: field[start...]) {
                // With letters left out, the rest must not be far away.
                best = max(best, 30 - (span - term.count))
            }
        }
        return best
    }

    /// The number of characters over which the letters of a word are spread; nil if they are not all there, or too far.
    private static func span(of term: [Unicode.Scalar], in field: ArraySlice<Unicode.Scalar>) -> Int? {
        var rest = term[...]
        for (offset, scalar) in field.enumerated() where scalar == rest.first {
            rest.removeFirst()
            guard offset < term.count + 25 else { return nil }
            if rest.isEmpty { return offset + 1 }
        }
        return nil
    }
}

/// What a search compares of an item.
struct SearchableItem {
    /// What a match in each of the fields counts more.
    fileprivate static let weights = [9, 8, 6, 3, 0, 0]

    fileprivate let fields: [[Unicode.Scalar]]

    /// What is compared of `item`: its texts, or only what it is called.
    init(_ item: FoundItem, byName: Bool = false) {
        let names: [AttributeName] = [.label, .account, .path] + (byName ? [] : [.comment, .itemDescription])
        fields = ([item.service] + names.map { item.text($0) ?? "" }).map { ($0.string ?? "").searchable }
    }
}

extension FuzzySearch {
    /// The items that match, or whose names do, the best first; those that match equally well stay in their order.
    func matches(in items: [FoundItem], byName: Bool = false) -> [FoundItem] {
        let scored = items.compactMap { item in
            score(SearchableItem(item, byName: byName)).map { (item: item, score: $0) }
        }
        return scored.enumerated().sorted { one, other in
            one.element.score == other.element.score
                ? one.offset < other.offset : one.element.score > other.element.score
        }.map(\.element.item)
    }
}

extension StringProtocol {
    /// The characters in lower case.
    fileprivate var searchable: [Unicode.Scalar] { Array(lowercased().unicodeScalars) }
}

extension Unicode.Scalar {
    fileprivate var isWordCharacter: Bool { properties.isAlphabetic || properties.numericType != nil }
}
