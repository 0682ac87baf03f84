/// Formats sizes as text.
package enum ByteSize {
    private static let units = ["KiB", "MiB", "GiB", "TiB"]

    /// A size for people: `640 bytes`, `1.2 MiB`.
    package static func text(_ byteCount: Int) -> String {
        guard byteCount >= 1024 else { return byteCount == 1 ? "1 byte" : "\(byteCount) bytes" }
        var value = Double(byteCount) / 1024
        var unit = 0
        // A value that would be rounded to 1024 becomes 1.0 of the next unit.
        while value >= 1023.95, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        return "\(Decimal.text(value, digits: 1)) \(units[unit])"
    }
}

extension Output {
    /// A size as text: in KiB, MiB and so on at a terminal, otherwise in bytes.
    func size(_ byteCount: Int) -> String { isTerminal ? ByteSize.text(byteCount) : String(byteCount) }
}

extension Int {
    /// The number with a noun in the singular or plural: `1 item`, `2 items`.
    func counted(_ thing: String, _ things: String? = nil) -> String {
        "\(self) \(self == 1 ? thing : things ?? thing + "s")"
    }
}
