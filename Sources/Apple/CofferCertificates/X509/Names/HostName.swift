extension String {
    /// Whether the text has the form of a host name, in which asterisks are allowed.
    package var looksLikeHostName: Bool {
        guard utf8.count <= 255 else { return false }
        let labels = utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let dash = UInt8(ascii: "-")
        let isWellFormed = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != dash && label.last != dash
                && label.allSatisfy { $0.isLetter || $0.isDigit || "-_*".utf8.contains($0) }
        }
        return isWellFormed && labels.last?.contains { $0.isLetter } == true
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
