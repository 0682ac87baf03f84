/// Colors for terminals.
enum Style {
    static func error(_ text: String, _ isOn: Bool) -> String { withColor(text, "1;31", isOn) }
    static func warning(_ text: String, _ isOn: Bool) -> String { withColor(text, "1;33", isOn) }
    static func hint(_ text: String, _ isOn: Bool) -> String { withColor(text, "36", isOn) }
    static func heading(_ text: String, _ isOn: Bool) -> String { withColor(text, "1", isOn) }
    static func good(_ text: String, _ isOn: Bool) -> String { withColor(text, "32", isOn) }
    static func faint(_ text: String, _ isOn: Bool) -> String { withColor(text, "2", isOn) }

    // Codes of colors.
    static let green = "32"
    static let yellow = "33"
    static let blue = "34"
    static let magenta = "35"
    static let cyan = "36"
    static let dim = "2"

    /// Text in the color of a code.
    static func withColor(_ text: String, _ code: String, _ isOn: Bool) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
