/// How a cell looks.
package struct CellStyle: Equatable, Sendable {
    package var foreground: Color
    package var background: Color
    package var attributes: Attributes

    package init(foreground: Color = .default, background: Color = .default, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    /// What a style adds to its colors.
    package struct Attributes: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        package static let reverse = Attributes(rawValue: 16)
    }
}

/// A color of text or of its background.
package enum Color: Equatable, Sendable {
    /// The terminal's own color.
    case `default`
    /// A color of the terminal's palette.
    case ansi(AnsiColor)
    /// An exact color; the nearest of the palette where the terminal has no others.
    case rgb(UInt8, UInt8, UInt8)
}

/// The colors of a terminal's palette; their numbers are those of ECMA-48, and the bright ones follow.
package enum AnsiColor: UInt8, CaseIterable, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow, brightBlue, brightMagenta, brightCyan, brightWhite

    /// What xterm displays, in the order of the cases.
    private static let exact: [(Int, Int, Int)] = [
        (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
        (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
        (255, 255, 255),
    ]

    /// The color of the palette that is most like another one.
    init(nearestTo red: UInt8, _ green: UInt8, _ blue: UInt8) {
        func distance(_ color: AnsiColor) -> Int {
            let exact = Self.exact[Int(color.rawValue)]
            let differences = [exact.0 - Int(red), exact.1 - Int(green), exact.2 - Int(blue)]
            return differences.reduce(0) { $0 + $1 * $1 }
        }
        self = Self.allCases.min { distance($0) < distance($1) } ?? .black
    }
}

/// The colors that a terminal can display.
package enum ColorDepth: Sendable {
    /// None, as for `NO_COLOR`: styles show as bold, underlined or reversed text.
    case none
    /// The 16 colors of the palette.
    case sixteen
    /// All colors.
    case full
}

extension CellStyle {
    /// The parameters of SGR (ECMA-48, 8.3.117) that select the style, whatever was selected before.
    func parameters(for depth: ColorDepth) -> String {
        var parameters = ""
        func add(_ code: String) { parameters += parameters.isEmpty ? "0;" + code : ";" + code }
        if attributes.contains(.bold) { add("1") }
        if attributes.contains(.underline) { add("4") }
        if attributes.contains(.reverse) { add("7") }
        guard depth != .none else { return parameters }
        if attributes.contains(.dim) { add("2") }
        if attributes.contains(.italic) { add("3") }
        if let code = foreground.code(for: depth, first: 30) { add(code) }
        if let code = background.code(for: depth, first: 40) { add(code) }
        return parameters
    }
}

extension Color {
    /// The parameters for the color: `first` is the code of black, 30 for text and 40 for backgrounds.
    fileprivate func code(for depth: ColorDepth, first: UInt8) -> String? {
        switch self {
        case .default: nil
        case .ansi(let color): String(color.rawValue < 8 ? first + color.rawValue : first + 52 + color.rawValue)
        case .rgb(let red, let green, let blue):
            depth == .full
                ? "\(first + 8);2;\(red);\(green);\(blue)"
                : Color.ansi(AnsiColor(nearestTo: red, green, blue)).code(for: depth, first: first)
        }
    }
}
