/// Writes a picture in SVG.
struct SVG {
    private(set) var text = ""

    /// Adds an element without content, or the beginning of one.
    mutating func add(_ element: String) { text += element + "\n" }

    /// Adds a rectangle of a class.
    mutating func rect(
        _ style: String,
        _ x: Double,
        _ y: Double,
        _ width: Double,
        _ height: Double,
        _ more: String = ""
    ) {
        add(
            """
            <rect class="\(style)" x="\(x.digits)" y="\(y.digits)" width="\(width.digits)" height="\(height.digits)"\(more)/>
            """
        )
    }

    /// Adds a line through points.
    mutating func line(_ style: String, _ points: [(x: Double, y: Double)]) {
        let points = points.map { "\($0.x.digits),\($0.y.digits)" }.joined(separator: " ")
        add("<polyline class=\"\(style)\" points=\"\(points)\"/>")
    }

    /// Adds a line of text; `x` is its start, middle or end.
    mutating func text(_ text: String, _ style: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start) {
        let place = "x=\"\(x.digits)\" y=\"\(y.digits)\""
        let anchor = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        add("<text class=\"\(style)\" \(place)\(anchor)>\(text.escapedForXML)</text>")
    }

    enum Anchor: String { case start, middle, end }
}

extension Double {
    /// The number as a coordinate.
    var digits: String {
        let text = Decimal.text(self, digits: 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension String {
    /// The text with what has a meaning in XML escaped.
    var escapedForXML: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
    }
}
