import KeyedArchive
import Testing

@Suite("XML text") struct XMLTextTests {
    @Test(arguments: [
        Accepted("<string> a\tb\n </string>", " a\tb\n "),
        Accepted("<string>a\r\nb\rc\r\r\nd</string>", "a\nb\nc\n\nd"),
        Accepted("<string>a&#13;\n&#xD;&#10;</string>", "a\r\n\r\n"),
        Accepted("<string>&amp;&lt;&gt;&quot;&apos;</string>", "&<>\"'"),
        Accepted("<string>&#65;&#x42;&#x000043;&#x1F600;&#x10ffff;&#9;</string>", "ABC\u{1F600}\u{10FFFF}\t"),
        Accepted("<string>&amp;lt;</string>", "&lt;"),
        Accepted("<string>a<![CDATA[<b>&amp;]]]]><![CDATA[>]]>c</string>", "a<b>&amp;]]>c"),
        Accepted("<string><![CDATA[]]></string>", ""),
        Accepted("<string>a<!-- b -->c<?d e?>f</string>", "acf"),
        Accepted("<string>]] > ]]&gt; ></string>", "]] > ]]> >"),
        Accepted("<string>\u{7F}\u{85}\u{FFFD}\u{FEFF}\u{10000}</string>", "\u{7F}\u{85}\u{FFFD}\u{FEFF}\u{10000}"),
        Accepted("<dict><key>a&amp;<![CDATA[<]]></key><true/></dict>", ["a&<": true]),
        Accepted("<integer><![CDATA[1]]>&#50;<!-- -->3</integer>", 123),
    ])
    func `text is decoded according to XML`(accepted: Accepted) throws { try accepted.expect() }

    @Test func `text is never normalized`() throws {
        let string = try #require(try read("<string>e\u{301}</string>").string)
        #expect(Array(string.unicodeScalars) == ["e", "\u{301}"])
    }

    @Test(arguments: [
        Refused("<string>\n&nbsp;</string>", .markup(.undefinedEntity), line: 2),
        Refused("<string>&AMP;</string>", .markup(.undefinedEntity)),
        Refused("<string>a & b</string>", .markup(.malformedReference)),
        Refused("<string>\n\n&amp</string>", .markup(.malformedReference), line: 3),
        Refused("<string>&;</string>", .markup(.malformedReference)),
        Refused("<string>&#;</string>", .markup(.malformedReference)),
        Refused("<string>&#x;</string>", .markup(.malformedReference)),
        Refused("<string>&#X41;</string>", .markup(.malformedReference)),
        Refused("<string>&#6A;</string>", .markup(.malformedReference)),
        Refused("<string>&#65</string>", .markup(.malformedReference)),
        Refused("<string>&", .markup(.malformedReference)),
        Refused("<dict><key>a</key>\n<string>]]></string></dict>", .markup(.strayCharacterDataEnd), line: 2, key: "a"),
    ])
    func `other references are refused`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        "0", "8", "11", "31", "xB", "xD800", "xDFFF", "xFFFE", "xFFFF", "x110000", "99999999999999999999",
    ])
    func `references to anything but XML characters are rejected`(number: String) {
        Refused("<string>\n&#\(number);</string>", .forbiddenCharacter, line: 2).expect()
    }

    @Test(arguments: ["\0", "\u{1}", "\u{B}", "\u{C}", "\u{1B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}"])
    func `forbidden characters are rejected everywhere`(character: String) {
        Refused("<string>\n\(character)</string>", .forbiddenCharacter, line: 2).expect()
        Refused("<!-- \(character) --><true/>", .forbiddenCharacter).expect()
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x41], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
            [0xE2, 0x82], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]]
    )
    func `invalid UTF-8 is rejected`(bytes: [UInt8]) {
        let document = Array("<string>\n".utf8) + bytes + Array("</string>".utf8)
        #expect(throws: XMLPropertyListError(kind: .invalidUTF8, line: 2, key: nil)) {
            try PropertyList(xml: document)
        }
        #expect(throws: XMLPropertyListError(kind: .invalidUTF8, line: 2, key: nil)) {
            try PropertyList(xml: document.dropLast("</string>".utf8.count))
        }
    }

    @Test(arguments: [[0xFE, 0xFF, 0x00, 0x3C], [0xFF, 0xFE, 0x3C, 0x00]] as [[UInt8]])
    func `UTF-16 has its own error`(bytes: [UInt8]) {
        #expect(throws: XMLPropertyListError(kind: .utf16, line: 1, key: nil)) { try PropertyList(xml: bytes) }
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func `every kind of line end counts once`(lineEnd: String) {
        Refused("<array>\(lineEnd)\(lineEnd)<a/></array>", .unknownElement("a"), line: 3).expect()
    }
}
