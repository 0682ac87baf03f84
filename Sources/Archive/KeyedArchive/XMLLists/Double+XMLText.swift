extension Double {
    /// The shortest decimal text that reads back as this number, formatted as by Python's `repr`.
    ///
    /// Swift finds the same digits as Python, but switches to an exponent at a different magnitude.
    var xmlText: String {
        guard isFinite else { return isNaN ? "nan" : (self < 0 ? "-inf" : "inf") }
        let sign = self.sign == .minus ? "-" : ""
        let (digits, pointPosition) = magnitude.shortestDigits
        if pointPosition < -3 || pointPosition > 16 {
            let exponent = pointPosition - 1
            let fraction = digits.count > 1 ? ".\(digits.dropFirst())" : ""
            let padding = abs(exponent) < 10 ? "0" : ""
            return "\(sign)\(digits.prefix(1))\(fraction)e\(exponent < 0 ? "-" : "+")\(padding)\(abs(exponent))"
        }
        guard pointPosition > 0 else {
            return "\(sign)0.\(String(repeating: "0", count: -pointPosition))\(digits)"
        }
        guard digits.count > pointPosition else {
            return "\(sign)\(digits)\(String(repeating: "0", count: pointPosition - digits.count)).0"
        }
        return "\(sign)\(digits.prefix(pointPosition)).\(digits.dropFirst(pointPosition))"
    }

    /// The significant digits of a finite, nonnegative number, and the position of the decimal point among them.
    ///
    /// 0.25 gives ("25", 0), 2500 gives ("25", 4), zero gives ("0", 1).
    private var shortestDigits: (digits: String, pointPosition: Int) {
        let parts = description.split(separator: "e")
        let mantissa = (parts.first ?? "").split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let whole = mantissa.first ?? ""
        let all = mantissa.joined()
        let significant = all.drop { $0 == "0" }
        let trailingZeroCount = significant.reversed().prefix { $0 == "0" }.count
        guard !significant.isEmpty else { return ("0", 1) }
        let pointPosition = whole.count + exponent - (all.count - significant.count)
        return (String(significant.dropLast(trailingZeroCount)), pointPosition)
    }
}
