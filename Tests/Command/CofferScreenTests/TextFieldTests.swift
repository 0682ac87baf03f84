import CofferBasics
import CofferScreen
import TestSupport
import Testing

extension HeldSecret {
    fileprivate convenience init(_ text: String) {
        self.init(copying: Array(text.utf8).span)
    }
}

extension TextField {
    fileprivate init(_ text: String, isMasked: Bool = false) throws {
        self = try #require(TextField(HeldSecret(text), isMasked: isMasked))
    }

    /// Presses keys: `<` and `>` are arrows, `^x` is Ctrl-X, `~x` is Alt-X; others are characters.
    fileprivate mutating func press(_ keys: String) {
        var modifiers: KeyModifiers = []
        for scalar in keys.unicodeScalars {
            switch scalar {
            case "^": modifiers.insert(.control)
            case "~": modifiers.insert(.alt)
            default:
                let key: PressedKey = scalar == "<" ? .left : scalar == ">" ? .right : .character(scalar)
                let isHandled = handle(key, modifiers)
                #expect(isHandled)
                modifiers = []
            }
        }
    }

    /// What is drawn in a row of `columnCount` columns, and where the cursor is.
    fileprivate mutating func drawn(_ columnCount: Int) -> (text: String, cursor: Int) {
        var grid = Grid(columnCount: columnCount + 2, rowCount: 1)
        let rect = Rect(column: 1, columnCount: columnCount, rowCount: 1)
        let cursor = draw(on: &grid, in: rect)
        #expect(cursor.row == 0)
        #expect(
            grid[Position(column: 0, row: 0)].text == " " && grid[Position(column: columnCount + 1, row: 0)].text == " "
        )
        return (String(grid.text.dropFirst()), cursor.column - 1)
    }
}

@Suite("Text fields") struct TextFieldTests {
    @Test(arguments: [
        ("", "abc", "abc|"), ("abc", "<x", "abx|c"), ("abc", "<<<<x", "x|abc"), ("abc", "^ax", "x|abc"),
        ("abc", "^a^ex", "abcx|"), ("abc", "^a^fx", "ax|bc"), ("abc", "^bx", "abx|c"),
        ("one two  three", "^w", "one two  |"), ("one two  three", "^w^w", "one |"), ("one two", "<<^w", "one |wo"),
        ("one.two", "^w", "one.|"), ("one two", "<<<^u", "|two"), ("one two", "<<<^k", "one |"),
        ("one two", "^a~d", "| two"),
        ("one two three", "~b~bx", "one x|two three"), ("one two three", "^a~fx", "onex| two three"),
        ("one two", "^<x", "one x|two"), ("one two", "^a^>x", "onex| two"), ("abc", "^a^d", "|bc"),
        ("abc", "^d", "abc|"),
        ("日本語", "<<x", "日x|本語"), ("👨‍👩‍👧‍👦a", "<<x", "x|👨‍👩‍👧‍👦a"), ("e", "\u{301}x", "e\u{301}x|"),
        // An inserted letter joins the accent that was drawn alone before.
        ("\u{301}", "<ex", "e\u{301}x|"),
    ])
    func `keys edit the text`(text: String, keys: String, result: String) throws {
        var field = try TextField(text)
        field.press(keys)
        #expect(field.text == result.filter { $0 != "|" })
        // The cursor is where the next character goes.
        field.press("|")
        #expect(field.text == result)
    }

    @Test func `keys without a character edit the text, too`() throws {
        var field = try TextField("one two three")
        let keys: [(PressedKey, KeyModifiers)] = [
            (.backspace, []), (.home, []), (.delete, []), (.end, []), (.backspace, .alt), (.left, .alt),
            (.delete, .control),
        ]
        for (key, modifiers) in keys { _ = field.handle(key, modifiers) }
        #expect(field.text == "ne  ")
    }

    @Test(
        arguments: [
            (PressedKey.enter, KeyModifiers()), (.escape, []), (.up, []), (.tab, []), (.function(1), []),
            (.character("c"), .control),
            (.character("x"), .alt), (.character("x"), [.control, .alt]),
        ] as [(PressedKey, KeyModifiers)]
    )
    func `other keys are left to the caller`(key: PressedKey, modifiers: KeyModifiers) throws {
        var field = try TextField("abc")
        let isDone = field.handle(key, modifiers)
        #expect(!isDone)
        #expect(field.text == "abc")
    }

    @Test(arguments: [
        ("pass", "12pass34"), ("pass\n", "12pass34"), ("pass\r\n", "12pass34"), ("a\nb", "12a\nb34"), ("", "1234"),
    ])
    func `what is pasted is inserted without line breaks at its end`(pasted: String, result: String) throws {
        var field = try TextField("1234")
        field.press("<<")
        let isDone = field.insert(HeldSecret(pasted))
        #expect(isDone)
        #expect(field.text == result)
    }

    @Test func `bytes that are not UTF-8 are refused`() throws {
        let invalid = HeldSecret(copying: ([0x61, 0xFF] as [UInt8]).span)
        #expect(TextField(invalid) == nil)
        var field = try TextField("abc")
        let isDone = field.insert(invalid)
        #expect(!isDone)
        #expect(field.text == "abc")
    }

    @Test func `a text has a bounded length`() throws {
        let longest = String(repeating: "a", count: TextField.byteCountLimit)
        #expect(TextField(HeldSecret(longest + "a")) == nil)
        var field = try TextField(longest)
        let isInserted = field.insert(HeldSecret("b"))
        #expect(!isInserted)
        _ = field.handle(.character("b"), [])
        #expect(field.text == longest)
    }

    @Test func `a secret is drawn as dots and has one word`() throws {
        var field = try TextField("pass word", isMasked: true)
        #expect(field.drawn(20) == ("•••••••••", 9))
        field.isMasked = false
        #expect(field.drawn(20) == ("pass word", 9))
        field.isMasked = true
        field.press("^w")
        #expect(field.text == "")
    }

    @Test func `the content has the bytes of the text`() throws {
        var field = TextField(isMasked: true)
        field.press("sécret")
        let bytes = field.content.withSpan { bytes in [UInt8](copying: bytes) }
        #expect(bytes == Array("sécret".utf8))
    }

    @Test func `the view follows the cursor`() throws {
        var field = try TextField("0123456789")
        #expect(field.drawn(5) == ("6789", 4))
        field.press("<<")
        #expect(field.drawn(5) == ("6789", 2))
        field.press("<<<<")
        #expect(field.drawn(5) == ("45678", 0))
        field.press("^a")
        #expect(field.drawn(5) == ("01234", 0))
        field.press("^e^u")
        #expect(field.drawn(5) == ("", 0))
        #expect(field.drawn(0).cursor == 0)
    }

    @Test func `the view scrolls back when the text fits again`() throws {
        var field = try TextField("0123456789")
        #expect(field.drawn(5) == ("6789", 4))
        #expect(field.drawn(10) == ("123456789", 9))
        #expect(field.drawn(11) == ("0123456789", 10))
    }

    @Test func `wide and escaped characters are whole in the view`() throws {
        var field = try TextField("日本\u{7}語")
        #expect(field.drawn(20) == ("日本\\u{7}語", 11))
        #expect(field.drawn(6) == ("語", 2))
        field.press("<<")
        #expect(field.drawn(6) == ("\\u{7}", 0))
    }

    @Test(arguments: UInt64(0)..<30) func `the cursor is in the view whatever is pressed`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys: [PressedKey] = [
            .left, .right, .home, .end, .backspace, .delete, .character("a"), .character(" "), .character("日"),
            .character("\u{301}"), .character("w"), .character("u"), .character("k"),
        ]
        var field = TextField(isMasked: Bool.random(using: &random))
        for _ in 0..<200 {
            let modifiers: KeyModifiers = Int.random(in: 0..<8, using: &random) == 0 ? .control : []
            _ = keys.randomElement(using: &random).map { field.handle($0, modifiers) }
            let width = Int.random(in: 2...12, using: &random)
            let cursor = field.drawn(width).cursor
            #expect((0..<width).contains(cursor))
        }
    }
}
