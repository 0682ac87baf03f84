/// Bytes that prepare a terminal for a full-screen program and restore it.
///
/// The codes are those of xterm's control sequences; terminals ignore those that they do not know.
package enum ScreenSequence {
    /// Switches to the alternate screen, without a cursor and without wrapping, and turns on bracketed paste.
    package static let enter = bytes("[?1049h", "[?25l", "[?7l", "[?2004h")

    /// Turns everything off that the others turn on, and returns to the main screen.
    ///
    /// It erases the alternate screen first, so that no secret stays in the terminal's memory. A signal handler can
    /// write the bytes if it got them before the signal.
    package static let leave =
        bytes("[?2026l") + mouseOff + bytes("[?2004l", "[m", "[2J", "[?7h", "[?1049l", "[?25h")

    /// Turns on reports of buttons, drags and the wheel, with positions of any size.
    package static let mouseOn = bytes("[?1000h", "[?1002h", "[?1006h")
    /// Turns the reports of the mouse off, for example while the user selects text.
    package static let mouseOff = bytes("[?1006l", "[?1002l", "[?1000l")

    /// Asks for the background color; the answer is an `InputEvent.background`, or none.
    package static let backgroundQuery = bytes("]11;?", "\\")

    private static func bytes(_ sequences: String...) -> [UInt8] {
        sequences.flatMap { [0x1B] + Array($0.utf8) }
    }
}
