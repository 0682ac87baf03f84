internal import CofferBasics

extension String {
    /// Whether the text has the form of a host name, in which asterisks are allowed.
    package var looksLikeHostName: Bool {
        guard utf8.count <= 255 else { return false }
        let labels = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let dash = UInt8(ascii: "-")
        let isWellFormed = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != dash && label.last != dash
                && label.allSatisfy { $0.isLetterOrDigit || "-_*".utf8.contains($0) }
        }
        return isWellFormed && labels.last?.contains { $0.isLetter } == true
    }
}
