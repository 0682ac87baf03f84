/// A complete control sequence: what follows CSI or SS3.
struct ControlSequence {
    /// The parameters, each with its parts: `1;5:3` is `[[1], [5, 3]]`, and what is not a number is nil.
    private let parameters: [[Int?]]
    /// `<` or `?` before the parameters.
    private let prefix: UInt8?
    private let final: UInt8
    private let isSingleShift: Bool

    init(_ bytes: [UInt8], final: UInt8, isSingleShift: Bool) {
        let prefix = bytes.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
        parameters = bytes.dropFirst(prefix == nil ? 0 : 1)
            .split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { parameter in
                parameter.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
                    .map { Int(String(decoding: $0, as: UTF8.self)) }
            }
        self.prefix = prefix
        self.final = final
        self.isSingleShift = isSingleShift
    }

    private func parameter(_ index: Int, part: Int = 0) -> Int? {
        guard index < parameters.count, part < parameters[index].count else { return nil }
        return parameters[index][part]
    }

    var beginsPaste: Bool { prefix == nil && final == UInt8(ascii: "~") && parameter(0) == 200 }

    /// The event, if the sequence is one of a key or of the mouse.
    func event(_ alt: KeyModifiers) -> InputEvent? {
        switch prefix {
        case nil: keyEvent(alt)
        case UInt8(ascii: "<"): mouseEvent
        default: nil
        }
    }

    // MARK: - Keys

    private func keyEvent(_ alt: KeyModifiers) -> InputEvent? {
        // Kitty's protocol reports repeated presses as 2 and releases as 3.
        guard parameter(1, part: 1) != 3 else { return nil }
        let modifiers = alt.union(modifiers(parameter(1)))
        switch final {
        case UInt8(ascii: "u"): return .key(code: parameter(0), modifiers)
        case UInt8(ascii: "~") where parameter(0) == 27: return .key(code: parameter(2), modifiers)
        case UInt8(ascii: "~"): return numberedKey.map { .key($0, modifiers) }
        // The forms of rxvt.
        case UInt8(ascii: "$"): return numberedKey.map { .key($0, modifiers.union(.shift)) }
        case UInt8(ascii: "^"): return numberedKey.map { .key($0, modifiers.union(.control)) }
        case UInt8(ascii: "@"): return numberedKey.map { .key($0, modifiers.union([.shift, .control])) }
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            let modifier: KeyModifiers = isSingleShift ? .control : .shift
            return letterKey(final - 0x20).map { .key($0, modifiers.union(modifier)) }
        case UInt8(ascii: "Z"): return .key(.tab, modifiers.union(.shift))
        // In old forms, SS3 has the modifiers as its only parameter.
        default:
            let modifiers = isSingleShift && parameters.count == 1 ? alt.union(self.modifiers(parameter(0))) : modifiers
            return letterKey(final).map { .key($0, modifiers) }
        }
    }

    private func modifiers(_ parameter: Int?) -> KeyModifiers {
        guard let parameter, (1...256).contains(parameter) else { return [] }
        return KeyModifiers(rawValue: UInt8(parameter - 1)).intersection([.shift, .alt, .control])
    }

    private func letterKey(_ letter: UInt8) -> PressedKey? {
        switch letter {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(letter - UInt8(ascii: "P")) + 1)
        case UInt8(ascii: "M") where isSingleShift: .enter
        default: nil
        }
    }

    private var numberedKey: PressedKey? {
        guard let number = parameter(0) else { return nil }
        return switch number {
        case 1, 7: .home
        case 2: .insert
        case 3: .delete
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        case 11...15: .function(number - 10)
        case 17...21: .function(number - 11)
        case 23, 24: .function(number - 12)
        default: nil
        }
    }

    // MARK: - Mouse

    private var mouseEvent: InputEvent? {
        let isRelease = final == UInt8(ascii: "m")
        guard isRelease || final == UInt8(ascii: "M"), let code = parameter(0),
            let column = parameter(1), let row = parameter(2), column > 0, row > 0
        else { return nil }
        // Bits 2 to 4 of the code are modifiers, bit 5 is set while the mouse moves.
        let action: MouseAction
        switch (code & ~0b111100, MouseButton(rawValue: code & 0b11)) {
        case (0...2, let button?):
            action = isRelease ? .release(button) : code & 32 != 0 ? .drag(button) : .press(button)
        case (64, _): action = .wheelUp
        case (65, _): action = .wheelDown
        default: return nil
        }
        let modifiers = KeyModifiers(rawValue: UInt8(code >> 2 & 0b111))
        return .mouse(action, Position(column: column - 1, row: row - 1), modifiers)
    }
}

extension InputEvent {
    /// The event of a byte of ASCII.
    static func key(byte: UInt8, _ modifiers: KeyModifiers) -> InputEvent {
        switch byte {
        case 0x09: .key(.tab, modifiers)
        case 0x0A, 0x0D: .key(.enter, modifiers)
        case 0x08, 0x7F: .key(.backspace, modifiers)
        case 0x00: .key(.character(" "), modifiers.union(.control))
        case 0x01...0x1A: .key(.character(Unicode.Scalar(byte + 0x60)), modifiers.union(.control))
        case 0x1B: .key(.escape, modifiers)
        case 0x1C...0x1F: .key(.character(Unicode.Scalar(byte + 0x40)), modifiers.union(.control))
        default: .key(.character(Unicode.Scalar(byte)), modifiers)
        }
    }

    /// The event of a key that is reported by the number of its character.
    fileprivate static func key(code: Int?, _ modifiers: KeyModifiers) -> InputEvent? {
        guard let code, let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
        switch scalar.value {
        case 0x08, 0x09, 0x0D, 0x1B, 0x7F: return key(byte: UInt8(scalar.value), modifiers)
        // Controls, and keys without a character, which kitty's protocol numbers in the private-use area.
        case ..<0x20, 0x80..<0xA0, 0xE000...0xF8FF: return nil
        default:
            return .key(.character(scalar.withCase(modifiers)), modifiers.subtracting(.shift))
        }
    }
}

extension Unicode.Scalar {
    /// The character that a key has with the modifiers, if it is a letter of ASCII.
    fileprivate func withCase(_ modifiers: KeyModifiers) -> Unicode.Scalar {
        guard isASCII, properties.isAlphabetic else { return self }
        let lower = UInt8(value) | 0x20
        return Unicode.Scalar(modifiers.contains(.shift) && !modifiers.contains(.control) ? lower & ~0x20 : lower)
    }
}
