import KeyedArchive
import Testing

@Suite("Lines of XML") struct XMLLinesTests {
    private func lines(_ document: String) throws -> XMLLines {
        try PropertyList.readingLines(xml: Array(document.utf8)).lines
    }

    private static let document = """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
            <key>name</key>
            <string>two
            lines</string>
            <key>groups</key>
            <array>
                <string>a</string> <string>b</string>

                <array><string>inner</string>
                </array>
                <true/>
            </array>
        </dict>
        </plist>
        """

    @Test func `a value is on the line where it begins, whatever line its key is on`() throws {
        let lines = try lines(Self.document)
        #expect(lines.root == 3)
        #expect(lines["name"] == 5)
        #expect(lines["groups"] == 8)
    }

    @Test func `elements of an array have lines, but their contents do not`() throws {
        let lines = try lines(Self.document)
        #expect((-1...4).map { lines["groups", $0] } == [nil, 9, 9, 11, 13, nil])
    }

    @Test func `missing values have no line`() throws {
        let lines = try lines(Self.document)
        #expect(lines["absent"] == nil)
        #expect(lines["absent", 0] == nil)
        #expect(lines["name", 0] == nil)
    }

    @Test func `reading with lines gives the same value as reading without`() throws {
        let bytes = Array(Self.document.utf8)
        #expect(try PropertyList.readingLines(xml: bytes).list == PropertyList(xml: bytes))
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `every kind of line end counts once`(end: String) throws {
        let lines = try lines(
            ["<dict>", "<key>a</key>", "<array>", "<true/>", "", "<true/>", "</array>", "</dict>"].joined(
                separator: end
            )
        )
        #expect([lines.root, lines["a"], lines["a", 0], lines["a", 1]] == [1, 3, 4, 6])
    }

    @Test func `lines count in comments, instructions and CDATA, but not for a byte-order mark`() throws {
        let lines = try lines(
            "\u{FEFF}<!--\n--><dict><?a\n?><key>a<![CDATA[\n]]></key>\n<string/><key>b</key><!-- <array>\n --><true/></dict>"
        )
        #expect([lines.root, lines["a\n"], lines["b"]] == [2, 5, 6])
    }

    @Test func `keys are distinguished by their decoded text`() throws {
        let lines = try lines(
            """
            <dict><key>a&amp;&#x62;</key>
            <true/><key>\u{E9}</key>
            <true/><key>e\u{301}</key>
            <true/></dict>
            """
        )
        #expect([lines["a&b"], lines["\u{E9}"], lines["e\u{301}"]] == [2, 3, 4])
    }

    @Test func `nested keys and arrays are not mistaken for those at the root`() throws {
        let lines = try lines(
            """
            <dict>
            <key>a</key><dict><key>b</key><array>
            <true/></array><key>c</key>
            <true/></dict>
            <key>b</key>
            <array>
            <dict><key>a</key>
            <array><true/></array></dict>
            <true/></array>
            </dict>
            """
        )
        #expect([lines["a"], lines["a", 0], lines["b"], lines["b", 0], lines["b", 1]] == [2, nil, 6, 7, 9])
        #expect(lines["b", 2] == nil)
        #expect(lines["c"] == nil)
    }

    @Test func `a root that is not a dictionary has a line, but its contents do not`() throws {
        #expect(try lines("\n<plist>\n<string/></plist>").root == 3)
        let lines = try lines(
            "<array>\n<array>\n<true/></array><dict><key>a</key><array><true/></array></dict></array>"
        )
        #expect(lines.root == 1)
        #expect(lines["a"] == nil)
    }

    @Test func `an invalid document gives the same error as without lines`() {
        let error = XMLPropertyListError(kind: .duplicateKey, line: 2, key: "a")
        #expect(throws: error) { try lines("<dict><key>a</key><true/>\n<key>a</key><true/></dict>") }
    }

    // This would take minutes if anything were quadratic.
    @Test func `many lines are counted in linear time`() throws {
        let elements = String(repeating: "<true/>\n", count: 100_000)
        let keys = (0..<50_000).reversed().map { "<key>\($0)</key>\n<true/>" }.joined()
        let lines = try lines("<dict><key>a</key><array>\(elements)</array>\(keys)</dict>")
        #expect(lines["a", 99_999] == 100_000)
        #expect(lines["0"] == 150_001)
    }
}
