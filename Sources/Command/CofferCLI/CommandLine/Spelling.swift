extension String {
    /// The closest of the given words, if any is close enough to be what was meant.
    package func nearest(in words: [String]) -> String? {
        let ranked = words.compactMap { word in typingErrors(for: word).map { (word: word, count: $0) } }
        return ranked.min { $0.count < $1.count }?.word
    }

    /// How many typing errors make this of `word`; nil if they are too many for `word` to be meant.
    func typingErrors(for word: String) -> Int? {
        let limit = max(1, utf8.count / 3)
        guard abs(utf8.count - word.utf8.count) <= limit else { return nil }
        let count = distance(to: word)
        // In a word of one or two letters, a single wrong letter leaves too little to go by.
        return count <= limit && count + 1 < utf8.count ? count : nil
    }

    /// How many letters must be changed, added, removed or swapped to get `other`.
    private func distance(to other: String) -> Int {
        let (own, other) = (Array(utf8), Array(other.utf8))
        guard own.count < 64, other.count < 64 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for row in 1...max(own.count, 1) where !own.isEmpty {
            var current = [row]
            for column in 1...max(other.count, 1) where !other.isEmpty {
                let isSame = own[row - 1] == other[column - 1]
                var cost = Swift.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, own[row - 1] == other[column - 2], own[row - 2] == other[column - 1] {
                    cost = Swift.min(cost, beforeLast[column - 2] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[other.count]
    }
}
