/// Colors for terminals.
enum Style {
    static func error(_ text: String, _ isOn: Bool) -> String { withColor(text, "1;31", isOn) }
    static func warning(_ text: String, _ isOn: Bool) -> String { withColor(text, "1;33", isOn) }
    static func hint(_ text: String, _ isOn: Bool) -> String { withColor(text, "36", isOn) }
    static func heading(_ text: String, _ isOn: Bool) -> String { withColor(text, "1", isOn) }
    static func good(_ text: String, _ isOn: Bool) -> String { withColor(text, "32", isOn) }
    static func faint(_ text: String, _ isOn: Bool) -> String { withColor(text, "2", isOn) }

    private static func withColor(_ text: String, _ code: String, _ isOn: Bool) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
