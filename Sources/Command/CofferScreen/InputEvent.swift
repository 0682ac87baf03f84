package import CofferBasics

/// What a terminal reports.
package enum InputEvent {
    /// A key was pressed, or held until it repeats.
    case key(PressedKey, KeyModifiers)
    case mouse(MouseAction, Position, KeyModifiers)
    /// The bytes that the user pasted, as they are; nil if there were more than `InputDecoder.pasteByteCountLimit`.
    case paste(HeldSecret?)
    /// The answer to `ScreenSequence.backgroundQuery`.
    case background(isLight: Bool)
}

/// A key.
package enum PressedKey: Equatable, Sendable {
    /// A character, in upper case if Shift was held; a letter with Control is in lower case.
    case character(Unicode.Scalar)
    case up, down, left, right, home, end, pageUp, pageDown, insert, delete
    case tab, enter, backspace, escape
    /// F1 to F12.
    case function(Int)
}

/// The keys that were held; the values are those of xterm's parameters, less one.
package struct KeyModifiers: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let shift = KeyModifiers(rawValue: 1)
    package static let alt = KeyModifiers(rawValue: 2)
    package static let control = KeyModifiers(rawValue: 4)
}

/// What the mouse did.
package enum MouseAction: Equatable, Sendable {
    case press(MouseButton), drag(MouseButton), release(MouseButton)
    case wheelUp, wheelDown
}

/// A button of the mouse.
package enum MouseButton: Int, Sendable {
    case left, middle, right
}
