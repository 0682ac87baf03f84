// Text from outside, such as names and paths, made safe for logs, terminals and shells.

extension Unicode.Scalar {
    /// Whether the character is invisible or changes how others are displayed.
    ///
    /// These are controls, bidirectional controls, line and paragraph separators, private-use and unassigned
    /// characters, and everything that Unicode ignores by default, such as U+200B, tags and variation selectors.
    package var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}

extension String {
    /// Whether the text has no invisible character.
    package var isVisible: Bool { !unicodeScalars.contains { $0.isInvisible } }

    /// The text with quotes, backslashes and invisible characters escaped.
    ///
    /// A hostile name can then neither break a line nor control a terminal, and two different names look different.
    package var printable: String {
        escaped { scalar in
            if scalar.isInvisible { return scalar.escape }
            return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : nil
        }
    }

    /// The text with invisible characters escaped, for code that writes lines.
    ///
    /// It does not change text that is already `printable`.
    package var escapingInvisible: String { escaped { $0.isInvisible ? $0.escape : nil } }

    /// The text with invisible characters except newlines escaped, for text of several lines.
    package var escapingInvisibleInLines: String {
        escaped { $0.isInvisible && $0 != "\n" ? $0.escape : nil }
    }

    /// The text as one shell word.
    ///
    /// Text with invisible characters becomes a call of `printf`, which every shell understands.
    package var shellWord: String {
        guard isVisible else {
            let escaped = utf8.map { byte in
                let isPlain = (0x20..<0x7F).contains(byte) && !"'\\%-".utf8.contains(byte)
                return isPlain ? String(Unicode.Scalar(byte)) : "\\" + byte.octal
            }.joined()
            // A shell drops newlines at the end of a command's output, so only bash, zsh and ksh can take those.
            return utf8.last == UInt8(ascii: "\n") ? "$'\(escaped)'" : "\"$(printf '\(escaped)')\""
        }
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
                true
            default: false
            }
        }
        return isPlain && !isEmpty ? self : "'\(replacingQuotes)'"
    }

    /// The path as one shell word that no command takes for an option.
    package var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }

    /// The text with single quotes escaped, for use between single quotes in a shell.
    package var replacingQuotes: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "'" { text += "'\\''" } else { text.unicodeScalars.append(scalar) }
        }
    }

    private func escaped(_ escape: (Unicode.Scalar) -> String?) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if let escape = escape(scalar) { text += escape } else { text.unicodeScalars.append(scalar) }
        }
    }
}

extension Unicode.Scalar {
    fileprivate var escape: String { "\\u{\(String(value, radix: 16, uppercase: true))}" }
}

extension UInt8 {
    /// Three octal digits.
    fileprivate var octal: String { "\(self >> 6)\(self >> 3 & 7)\(self & 7)" }
}
