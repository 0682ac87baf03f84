extension BinaryInteger {
    /// The number in decimal with a comma between thousands, for messages: `65,536`.
    package var grouped: String {
        var digits = Array(String(self))
        let end = self < 0 ? 1 : 0
        for position in stride(from: digits.count - 3, to: end, by: -3) { digits.insert(",", at: position) }
        return String(digits)
    }
}
