internal import CofferBasics

/// Turns the bytes that a terminal sends into events.
///
/// Whatever the bytes are, they are used up one by one, and take up no more memory than a paste of
/// `pasteByteCountLimit`. Invalid or unknown sequences are dropped.
package struct InputDecoder {
    /// The longest paste.
    package static let pasteByteCountLimit = 1 << 20
    /// The longest parameters of a sequence; those of longer ones are dropped.
    private static let parameterByteCountLimit = 48

    private static let pasteEnd = [0x1B] + Array("[201~".utf8)

    private enum State: Equatable {
        case ground
        /// After ESC.
        case escape
        /// After CSI or SS3.
        case control(isSingleShift: Bool)
        /// After `CSI [`, with which the Linux console begins F1 to F5.
        case linuxFunction
        /// After `CSI M`, with which old terminals begin reports of the mouse, of three more bytes.
        case oldMouse(Int)
        /// In a string, such as the answer to a query.
        case string
        /// After ESC in a string.
        case stringEscape
        /// In a character of several bytes, with its value so far.
        case character(UInt32, remaining: Int, least: UInt32)
        /// In a paste; `matched` bytes of its end have been seen.
        case paste(matched: Int)
    }

    private var state = State.ground
    /// Whether the sequence came after another ESC.
    private var isAlt = false
    private var parameters: [UInt8] = []
    private var areParametersTooLong = false
    private var paste = SecretBuilder()
    private var pasteByteCount = 0
    private var isAfterReturn = false

    package init() {}

    /// Whether a sequence has begun, so that `flush` is due when no more bytes have come for some 50 ms.
    package var isPending: Bool { state != .ground }

    /// Takes bytes, and returns the events that they complete.
    package mutating func events(in bytes: Span<UInt8>) -> [InputEvent] {
        var events: [InputEvent] = []
        for index in bytes.indices { if let event = next(bytes[index]) { events.append(event) } }
        return events
    }

    /// Takes the next byte, and returns the event that it completes.
    package mutating func next(_ byte: UInt8) -> InputEvent? {
        switch state {
        case .ground: return ground(byte)
        case .escape: return escape(byte)
        case .control(let isSingleShift): return control(byte, isSingleShift)
        case .linuxFunction:
            guard (0x41...0x45).contains(byte) else { return restart(byte) }
            return finish(.key(.function(Int(byte) - 0x40), altModifier))
        case .oldMouse(let remaining):
            guard byte >= 0x20 else { return restart(byte) }
            state = remaining > 1 ? .oldMouse(remaining - 1) : .ground
            return nil
        case .string: return string(byte)
        case .stringEscape:
            if byte == UInt8(ascii: "\\") { return finish(background) }
            begin(.escape)
            return escape(byte)
        case .character(let value, let remaining, let least): return character(byte, value, remaining, least)
        case .paste(let matched): return paste(byte, matched)
        }
    }

    /// Ends a sequence that is incomplete: what looked like its beginning may be a key, such as Esc.
    package mutating func flush() -> InputEvent? {
        switch state {
        case .escape, .paste(matched: 1):
            // Terminals remove ESC from what is pasted, so that in a paste without an end it is the key, too.
            clearPaste()
            return finish(.key(.escape, []))
        case .control(let isSingleShift) where parameters.isEmpty && !areParametersTooLong:
            return finish(.key(.character(isSingleShift ? "O" : "["), .alt))
        case .string where parameters.count == 1:
            return finish(.key(.character(Unicode.Scalar(parameters[0])), .alt))
        case .paste: return nil
        default: return finish(nil)
        }
    }

    private var altModifier: KeyModifiers { isAlt ? .alt : [] }

    private mutating func begin(_ state: State) {
        self.state = state
        parameters.removeAll(keepingCapacity: true)
        areParametersTooLong = false
    }

    private mutating func finish(_ event: InputEvent?) -> InputEvent? {
        begin(.ground)
        isAlt = false
        return event
    }

    /// Drops a broken sequence; `byte` begins something else.
    private mutating func restart(_ byte: UInt8) -> InputEvent? {
        _ = finish(nil)
        return ground(byte)
    }

    // MARK: - Characters

    private mutating func ground(_ byte: UInt8) -> InputEvent? {
        switch byte {
        case 0x1B: begin(.escape)
        case 0xC2...0xDF: state = .character(UInt32(byte & 0x1F), remaining: 1, least: 0x80)
        case 0xE0...0xEF: state = .character(UInt32(byte & 0x0F), remaining: 2, least: 0x800)
        case 0xF0...0xF4: state = .character(UInt32(byte & 0x07), remaining: 3, least: 0x10000)
        case 0x80...: return finish(nil)
        default: return finish(.key(byte: byte, altModifier))
        }
        return nil
    }

    private mutating func character(_ byte: UInt8, _ value: UInt32, _ remaining: Int, _ least: UInt32) -> InputEvent? {
        guard byte & 0xC0 == 0x80 else { return restart(byte) }
        let value = value << 6 | UInt32(byte & 0x3F)
        guard remaining == 1 else {
            state = .character(value, remaining: remaining - 1, least: least)
            return nil
        }
        // Neither overlong forms, surrogates nor C1 controls.
        guard value >= least, value >= 0xA0, let scalar = Unicode.Scalar(value) else { return finish(nil) }
        return finish(.key(.character(scalar), altModifier))
    }

    // MARK: - Sequences

    private mutating func escape(_ byte: UInt8) -> InputEvent? {
        switch byte {
        case 0x1B: isAlt = true
        case UInt8(ascii: "["): begin(.control(isSingleShift: false))
        case UInt8(ascii: "O"): begin(.control(isSingleShift: true))
        // OSC, DCS, APC, PM and SOS.
        case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"), UInt8(ascii: "X"):
            begin(.string)
            parameters.append(byte)
        default:
            isAlt = true
            return ground(byte)
        }
        return nil
    }

    private mutating func control(_ byte: UInt8, _ isSingleShift: Bool) -> InputEvent? {
        switch byte {
        // After a number, rxvt ends sequences with `$` for Shift.
        case UInt8(ascii: "$") where parameters.allSatisfy(\.isDigit) && !parameters.isEmpty: break
        case 0x20...0x3F:
            addParameter(byte)
            return nil
        case UInt8(ascii: "[") where parameters.isEmpty && !isSingleShift:
            state = .linuxFunction
            return nil
        case UInt8(ascii: "M") where parameters.isEmpty && !isSingleShift:
            state = .oldMouse(3)
            return nil
        case 0x40...0x7E: break
        default: return restart(byte)
        }
        guard !areParametersTooLong else { return finish(nil) }
        let sequence = ControlSequence(parameters, final: byte, isSingleShift: isSingleShift)
        guard !sequence.beginsPaste else {
            _ = finish(nil)
            state = .paste(matched: 0)
            return nil
        }
        return finish(sequence.event(altModifier))
    }

    private mutating func addParameter(_ byte: UInt8) {
        if parameters.count < Self.parameterByteCountLimit {
            parameters.append(byte)
        } else {
            areParametersTooLong = true
        }
    }

    // MARK: - Strings

    private mutating func string(_ byte: UInt8) -> InputEvent? {
        switch byte {
        case 0x1B: state = .stringEscape
        // BEL ends a string; CAN and SUB cancel it.
        case 0x07: return finish(background)
        case 0x18, 0x1A: return finish(nil)
        default: addParameter(byte)
        }
        return nil
    }

    /// The background color, if that is what the string reports.
    private var background: InputEvent? {
        let answer = String(decoding: parameters, as: UTF8.self)
        let prefixes = ["]11;rgb:", "]11;rgba:"]
        guard !areParametersTooLong, let prefix = prefixes.first(where: answer.hasPrefix) else { return nil }
        // One to four hexadecimal digits each, which make a fraction.
        let colors = answer.dropFirst(prefix.count).split(separator: "/").prefix(3).compactMap { digits in
            digits.count > 4 ? nil : UInt16(digits, radix: 16).map { Double($0) / Double(1 << (4 * digits.count) - 1) }
        }
        guard colors.count == 3 else { return nil }
        return .background(isLight: 0.2126 * colors[0] + 0.7152 * colors[1] + 0.0722 * colors[2] > 0.5)
    }

    // MARK: - Pastes

    private mutating func paste(_ byte: UInt8, _ matched: Int) -> InputEvent? {
        let end = Self.pasteEnd
        if byte == end[matched] {
            state = .paste(matched: matched + 1)
            guard matched + 1 == end.count else { return nil }
            let pasted = pasteByteCount <= Self.pasteByteCountLimit ? paste.held : nil
            clearPaste()
            return finish(.paste(pasted))
        }
        for byte in end[..<matched] { addPasted(byte) }
        // Only its first byte is ESC, so that the end cannot begin elsewhere in what matched.
        state = .paste(matched: byte == end[0] ? 1 : 0)
        if byte != end[0] { addPasted(byte) }
        return nil
    }

    /// Adds a byte; terminals send line ends as CR or CRLF.
    private mutating func addPasted(_ byte: UInt8) {
        defer { isAfterReturn = byte == 0x0D }
        guard pasteByteCount <= Self.pasteByteCountLimit, !isAfterReturn || byte != 0x0A else { return }
        pasteByteCount += 1
        if pasteByteCount <= Self.pasteByteCountLimit { paste.append(byte == 0x0D ? 0x0A : byte) }
    }

    private mutating func clearPaste() {
        paste = SecretBuilder()
        (pasteByteCount, isAfterReturn) = (0, false)
    }
}
