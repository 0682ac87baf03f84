import CofferBasics
import CofferScreen
import TestSupport
import Testing

/// An event that can be compared.
private enum Seen: Equatable {
    case key(PressedKey, KeyModifiers)
    case mouse(MouseAction, Position, KeyModifiers)
    case paste([UInt8]?)
    case background(isLight: Bool)

    init(_ event: InputEvent) {
        switch event {
        case .key(let key, let modifiers): self = .key(key, modifiers)
        case .mouse(let action, let place, let modifiers): self = .mouse(action, place, modifiers)
        case .paste(let secret):
            self = .paste(secret?.withSpan { bytes in [UInt8](copying: bytes) })
        case .background(let isLight): self = .background(isLight: isLight)
        }
    }

    static func character(_ scalar: Unicode.Scalar, _ modifiers: KeyModifiers = []) -> Seen {
        .key(.character(scalar), modifiers)
    }
}

extension InputDecoder {
    fileprivate mutating func events(_ bytes: [UInt8]) -> [Seen] { bytes.compactMap { next($0).map(Seen.init) } }
    fileprivate mutating func events(_ text: String) -> [Seen] { events(Array(text.utf8)) }
}

@Suite("The input decoder") struct InputDecoderTests {
    private static func events(_ text: String) -> [Seen] {
        var decoder = InputDecoder()
        let events = decoder.events(text)
        #expect(!decoder.isPending)
        return events
    }

    private static let position = Position(column: 0, row: 0)

    // MARK: - Keys

    @Test(
        arguments: [
            ("a", PressedKey.character("a"), KeyModifiers()), ("Z", .character("Z"), []), ("ß", .character("ß"), []),
            ("語", .character("語"), []), ("🔑", .character("🔑"), []), (" ", .character(" "), []),
            ("\r", .enter, []), ("\n", .enter, []), ("\t", .tab, []), ("\u{7F}", .backspace, []),
            ("\u{8}", .backspace, []),
            ("\u{1}", .character("a"), .control), ("\u{17}", .character("w"), .control),
            ("\u{1A}", .character("z"), .control), ("\u{0}", .character(" "), .control),
            ("\u{1C}", .character("\\"), .control), ("\u{1F}", .character("_"), .control),
            ("\u{1B}x", .character("x"), .alt), ("\u{1B}ü", .character("ü"), .alt),
            ("\u{1B}\r", .enter, .alt), ("\u{1B}\u{7F}", .backspace, .alt),
            ("\u{1B}\u{1}", .character("a"), [.alt, .control]),
        ] as [(String, PressedKey, KeyModifiers)]
    )
    func `characters and controls are keys`(text: String, key: PressedKey, modifiers: KeyModifiers) {
        #expect(Self.events(text) == [.key(key, modifiers)])
    }

    /// Keys as xterm, VTE, kitty, tmux, rxvt and the Linux console send them, after ESC.
    @Test(
        arguments: [
            ("[A", PressedKey.up, KeyModifiers()), ("[B", .down, []), ("[C", .right, []), ("[D", .left, []),
            ("OA", .up, []), ("OB", .down, []), ("OC", .right, []), ("OD", .left, []),
            ("[H", .home, []), ("[F", .end, []), ("OH", .home, []), ("OF", .end, []),
            ("[1~", .home, []), ("[4~", .end, []), ("[7~", .home, []), ("[8~", .end, []),
            ("[2~", .insert, []), ("[3~", .delete, []), ("[5~", .pageUp, []), ("[6~", .pageDown, []),
            ("[Z", .tab, .shift), ("OM", .enter, []),
            ("OP", .function(1), []), ("OQ", .function(2), []), ("OR", .function(3), []), ("OS", .function(4), []),
            ("[11~", .function(1), []), ("[12~", .function(2), []), ("[13~", .function(3), []),
            ("[14~", .function(4), []),
            ("[15~", .function(5), []), ("[17~", .function(6), []), ("[18~", .function(7), []),
            ("[19~", .function(8), []),
            ("[20~", .function(9), []), ("[21~", .function(10), []), ("[23~", .function(11), []),
            ("[24~", .function(12), []),
            ("[[A", .function(1), []), ("[[B", .function(2), []), ("[[E", .function(5), []),
            ("[1;2A", .up, .shift), ("[1;3B", .down, .alt), ("[1;5A", .up, .control), ("[1;5D", .left, .control),
            ("[1;6C", .right, [.shift, .control]), ("[1;8H", .home, [.shift, .alt, .control]),
            ("[1;5P", .function(1), .control),
            ("[1;2S", .function(4), .shift), ("O5P", .function(1), .control), ("O1;2Q", .function(2), .shift),
            ("[3;5~", .delete, .control), ("[5;3~", .pageUp, .alt), ("[24;2~", .function(12), .shift),
            ("[3$", .delete, .shift), ("[3^", .delete, .control), ("[5@", .pageUp, [.shift, .control]),
            ("[a", .up, .shift), ("[d", .left, .shift), ("Oa", .up, .control), ("Oc", .right, .control),
            ("\u{1B}[A", .up, .alt), ("\u{1B}OA", .up, .alt), ("\u{1B}[3~", .delete, .alt),
            ("[97;5u", .character("a"), .control), ("[97;2u", .character("A"), []),
            ("[97;6u", .character("a"), .control),
            ("[252;3u", .character("ü"), .alt), ("[13;5u", .enter, .control), ("[27u", .escape, []),
            ("[9;2u", .tab, .shift), ("[127;5u", .backspace, .control), ("[32;5u", .character(" "), .control),
            ("[97;1:1u", .character("a"), []), ("[97:65;2u", .character("A"), []), ("[1;1:2A", .up, []),
            ("[97;65u", .character("a"), []), ("[27;5;13~", .enter, .control), ("[27;6;65~", .character("a"), .control),
        ] as [(String, PressedKey, KeyModifiers)]
    )
    func `sequences are keys`(sequence: String, key: PressedKey, modifiers: KeyModifiers) {
        #expect(Self.events("\u{1B}" + sequence) == [.key(key, modifiers)])
    }

    @Test(arguments: [
        // Focus, device attributes, modes, cursor keys without a meaning, releases in kitty's protocol.
        "[I", "[O", "[?1;2c", "[>0;115;0c", "[?2026;2$y", "[E", "[25~", "[99~", "[~", "[;;;~", "[u", "[1;5:3A",
        "[97;5:3u",
        "[57399u", "[128u", "[99999999999999999999u", "[1114112u", "[55296u", "[200;5q", "[ q", "[1 q", "Oz",
        // Strings of other kinds, as answers to queries that others sent.
        "]0;title\u{7}", "]52;c;c2VjcmV0\u{1B}\\", "P>|xterm(390)\u{1B}\\", "_Gi=31;OK\u{1B}\\", "^private\u{1B}\\",
        "]11;rgb:zz/00/00\u{7}", "]11;rgb:ff/ff\u{7}", "]11;rgb:fffff/ff/ff\u{7}", "]11;blue\u{7}", "]cancelled\u{18}",
        // Mice.
        "[<0;0;5M", "[<0;5M", "[<3;5;5M", "[<35;5;5M", "[<66;5;5M", "[<128;5;5M", "[<0;99999999999999999999;5M",
        "[M !!", "[<0;-1;5M",
    ])
    func `other sequences are dropped as a whole`(sequence: String) {
        #expect(Self.events("\u{1B}" + sequence) == [])
        #expect(Self.events("\u{1B}" + sequence + "x") == [.character("x")])
    }

    // MARK: - Pending sequences

    @Test(arguments: [
        ("\u{1B}", [Seen.key(.escape, [])]), ("\u{1B}\u{1B}", [.key(.escape, [])]),
        ("\u{1B}[", [.character("[", .alt)]),
        ("\u{1B}O", [.character("O", .alt)]), ("\u{1B}]", [.character("]", .alt)]),
        ("\u{1B}P", [.character("P", .alt)]),
        ("\u{1B}X", [.character("X", .alt)]), ("\u{1B}[1;", []), ("\u{1B}[[", []), ("\u{1B}[M!", []),
        ("\u{1B}]11;", []),
        ("\u{1B}]11;\u{1B}", []),
    ])
    fileprivate func `what has no end is flushed`(text: String, events: [Seen]) {
        var decoder = InputDecoder()
        #expect(!decoder.isPending)
        #expect(decoder.events(text) == [])
        #expect(decoder.isPending)
        #expect([decoder.flush()].compactMap { $0.map(Seen.init) } == events)
        #expect(!decoder.isPending)
        #expect(decoder.events("x") == [.character("x")])
    }

    @Test func `a character in pieces is one event`() {
        var decoder = InputDecoder()
        #expect(decoder.events([0xE8, 0xAA]) == [])
        #expect(decoder.isPending)
        #expect(decoder.events([0x9E]) == [.character("語")])
    }

    @Test(
        arguments: [
            [0x80], [0xFF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5], [0xF0, 0x80, 0x80, 0x80], [0xE0, 0x83, 0xA9], [0xF0, 0x82, 0x82, 0xAC], [0xE8, 0xAA], [0xF0, 0x9F],
            [0xC2, 0x9B],
        ] as [[UInt8]]
    )
    func `bytes that are not UTF-8 are dropped`(bytes: [UInt8]) {
        var decoder = InputDecoder()
        #expect(decoder.events(bytes + Array("a".utf8)) == [.character("a")])
    }

    @Test(arguments: [
        ("\u{1B}[1;\u{1B}[A", [Seen.key(.up, [])]), ("\u{1B}[12\r", [.key(.enter, [])]),
        ("\u{1B}[1ü", [.character("ü")]),
        ("\u{1B}[[\u{1B}[B", [.key(.down, [])]), ("\u{1B}[M\u{1B}[A", [.key(.up, [])]),
        ("\u{1B}]0;x\u{1B}[A", [.key(.up, [])]), ("\u{1B}\u{1B}\u{1B}[A", [.key(.up, .alt)]),
    ])
    fileprivate func `another sequence ends a broken one`(text: String, events: [Seen]) {
        #expect(Self.events(text) == events)
    }

    @Test(arguments: ["[", "O", "]", "P", "[<"]) func `an endless sequence takes no memory and ends`(start: String) {
        var decoder = InputDecoder()
        let endless = Array("\u{1B}\(start)".utf8) + [UInt8](repeating: UInt8(ascii: "1"), count: 1_000_000)
        #expect(decoder.events(endless) == [])
        #expect(decoder.isPending)
        #expect(decoder.events("\u{1B}[A").last == .key(.up, []))
        #expect(decoder.events("x") == [.character("x")])
    }

    // MARK: - Mouse and background

    @Test(
        arguments: [
            ("[<0;1;1M", MouseAction.press(.left), 0, 0, KeyModifiers()), ("[<1;80;24M", .press(.middle), 79, 23, []),
            ("[<2;1;1M", .press(.right), 0, 0, []), ("[<0;1;1m", .release(.left), 0, 0, []),
            ("[<32;300;100M", .drag(.left), 299, 99, []), ("[<34;2;3M", .drag(.right), 1, 2, []),
            ("[<64;5;6M", .wheelUp, 4, 5, []), ("[<65;5;6M", .wheelDown, 4, 5, []),
            ("[<4;1;1M", .press(.left), 0, 0, .shift),
            ("[<8;1;1M", .press(.left), 0, 0, .alt), ("[<16;1;1M", .press(.left), 0, 0, .control),
            ("[<80;1;1M", .wheelUp, 0, 0, .control), ("[<60;1;1M", .drag(.left), 0, 0, [.shift, .alt, .control]),
        ] as [(String, MouseAction, Int, Int, KeyModifiers)]
    )
    func `the mouse reports what happened where`(
        sequence: String,
        action: MouseAction,
        column: Int,
        row: Int,
        modifiers: KeyModifiers
    ) {
        let place = Position(column: column, row: row)
        #expect(Self.events("\u{1B}" + sequence) == [.mouse(action, place, modifiers)])
    }

    @Test(arguments: [
        ("rgb:0000/0000/0000", false), ("rgb:ffff/ffff/ffff", true), ("rgb:ff/ff/ff", true), ("rgb:f/f/f", true),
        ("rgb:0000/2b2b/3636", false), ("rgb:fdfd/f6f6/e3e3", true), ("rgb:0000/0000/ffff", false),
        ("rgb:0000/ffff/0000", true), ("rgba:ffff/ffff/ffff/0000", true),
    ])
    func `the background is light or dark`(color: String, isLight: Bool) {
        #expect(Self.events("\u{1B}]11;\(color)\u{1B}\\") == [.background(isLight: isLight)])
        #expect(Self.events("\u{1B}]11;\(color)\u{7}") == [.background(isLight: isLight)])
    }

    // MARK: - Pastes

    @Test(arguments: [
        "", "pass word\nü", "\u{1B}[A", "\u{1B}", "\u{1B}\u{1B}[20", "\u{1B}[201", "\u{3}\u{0}", "[201~",
    ])
    func `what was pasted is one event`(text: String) {
        let events = Self.events("a\u{1B}[200~\(text)\u{1B}[201~b")
        #expect(events == [.character("a"), .paste(Array(text.utf8)), .character("b")])
    }

    @Test func `line ends of a paste are line feeds`() {
        #expect(Self.events("\u{1B}[200~a\rb\r\nc\n\r\rd\u{1B}[201~") == [.paste(Array("a\nb\nc\n\n\nd".utf8))])
    }

    @Test func `a paste goes on after a pause`() {
        var decoder = InputDecoder()
        #expect(decoder.events("\u{1B}[200~ab\u{1B}[") == [])
        #expect(decoder.flush() == nil)
        #expect(decoder.events("201~") == [.paste(Array("ab".utf8))])
    }

    @Test func `esc ends a paste that has no end`() {
        var decoder = InputDecoder()
        #expect(decoder.events("\u{1B}[200~ab\u{1B}") == [])
        #expect(decoder.flush().map(Seen.init) == .key(.escape, []))
        #expect(decoder.events("x\u{1B}[200~c\u{1B}[201~") == [.character("x"), .paste(Array("c".utf8))])
    }

    @Test(arguments: [(InputDecoder.pasteByteCountLimit, false), (InputDecoder.pasteByteCountLimit + 1, true)])
    func `a paste that is too long is reported as such`(byteCount: Int, isTooLong: Bool) {
        var decoder = InputDecoder()
        let pasted = [UInt8](repeating: UInt8(ascii: "p"), count: byteCount)
        let events = decoder.events(Array("\u{1B}[200~".utf8) + pasted + Array("\u{1B}[201~x".utf8))
        #expect(events == [.paste(isTooLong ? nil : pasted), .character("x")])
    }

    // MARK: - Anything

    @Test(arguments: UInt64(0)..<200) func `no bytes stop the decoder`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "\u{1B}", "[", "O", "]", "11;rgb:", "ff/", "<0;", "1;5", "A", "~", "M", "u", "200~", "\u{7}", "\\", "é",
            "🔑",
        ]
        let bytes = (0..<500).flatMap { _ -> [UInt8] in
            Bool.random(using: &random)
                ? [UInt8.random(in: 0...255, using: &random)] : Array((pieces.randomElement(using: &random) ?? "").utf8)
        }
        var decoder = InputDecoder()
        for byte in bytes {
            _ = decoder.next(byte)
            if Int.random(in: 0..<50, using: &random) == 0 { _ = decoder.flush() }
        }
        // The end of a paste, Esc, and a pause that ends whatever is open.
        _ = decoder.events("\u{1B}[201~\u{1B}")
        _ = decoder.flush()
        #expect(!decoder.isPending)
        #expect(decoder.events("\u{1B}[Aé") == [.key(.up, []), .character("é")])
    }
}
