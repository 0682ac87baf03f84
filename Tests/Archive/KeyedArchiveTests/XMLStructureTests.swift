import KeyedArchive
import Testing

@Suite("XML structure") struct XMLStructureTests {
    @Test(arguments: [
        Accepted("<plist version=\"1.0\"><true/></plist>", true),
        Accepted("<plist version=\"1.0\"><array><integer>3</integer><true/></array></plist>", [3, true]),
        Accepted("<plist><dict/></plist>", [:]),
        Accepted("<dict></dict>", [:]),
        Accepted("<array><array/><dict><key>a</key><false/></dict></array>", [[], ["a": false]]),
        Accepted("<plist>\n <!-- a --> <?b c?> <string>x</string>\n</plist>\n<!-- d --><?e?>\n", "x"),
        Accepted("<dict><key>b</key><integer>1</integer><key>a</key><integer>2</integer></dict>", ["a": 2, "b": 1]),
        Accepted("<dict><key></key><string/></dict>", ["": ""]),
        Accepted("<dict><key/><data/></dict>", ["": .data([])]),
        Accepted("<array ><true ></true ><false> </false></array >", [true, false]),
    ])
    func `elements become values`(accepted: Accepted) throws { try accepted.expect() }

    @Test func `keys that differ only in normalization are two keys`() throws {
        let value = try read("<dict><key>\u{E9}</key><true/><key>e\u{301}</key><false/></dict>")
        #expect(value.dictionary?.map(\.key.unicodeScalars.count) == [2, 1])
    }

    @Test(arguments: [
        Refused("", .noValue),
        Refused("\n\n<!-- a -->\n", .noValue, line: 4),
        Refused("\n<plist/>", .noValue, line: 2),
        Refused("<plist>\n</plist>", .noValue),
        Refused("<plist><true/>\n<false/></plist>", .severalValues, line: 2),
        Refused("hello", .textOutsideRoot),
        Refused("<true/>\nx", .textOutsideRoot, line: 2),
        Refused("<true/>\n&#32;", .textOutsideRoot, line: 2),
        Refused("<plist><true/></plist>\n\n<plist/>", .elementAfterRoot, line: 3),
        Refused("<true/>\n</plist>", .markup(.strayEndTag("plist")), line: 2),
        Refused("</dict>", .markup(.strayEndTag("dict"))),
        Refused("<plist>x</plist>", .unexpectedText(in: "plist")),
    ])
    func `a document must have exactly one value`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Refused("<array>\n<strin/></array>", .unknownElement("strin"), line: 2),
        Refused("<String/>", .unknownElement("String")),
        Refused("<dict>\n<keys/></dict>", .unknownElement("keys"), line: 2),
        Refused("<key>a</key>", .misplacedElement("key", in: nil)),
        Refused("<array><key>a</key></array>", .misplacedElement("key", in: "array")),
        Refused("<plist><plist/></plist>", .misplacedElement("plist", in: "plist")),
        Refused("<dict><plist/></dict>", .misplacedElement("plist", in: "dict")),
        Refused("<string>a<true/></string>", .markup(.unescapedLessThan(in: "string"))),
        Refused("<dict><key>a\n<b/></key></dict>", .markup(.unescapedLessThan(in: "key")), line: 2),
        Refused("<array>\nx</array>", .unexpectedText(in: "array"), line: 2),
        Refused("<array>&#32;</array>", .unexpectedText(in: "array")),
        Refused("<array><![CDATA[ ]]></array>", .unexpectedText(in: "array")),
        Refused("<dict>x</dict>", .unexpectedText(in: "dict")),
        Refused("<true>x</true>", .unexpectedText(in: "true")),
    ])
    func `misplaced elements and text are rejected`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Refused("<dict>\n<true/></dict>", .valueWithoutKey("true"), line: 2),
        Refused("<dict><key>a</key><true/>\n<array/></dict>", .valueWithoutKey("array"), line: 2),
        Refused("<dict>\n<key>a</key>\n</dict>", .keyWithoutValue, line: 2, key: "a"),
        Refused("<dict>\n<key>a</key>\n<key>b</key><true/></dict>", .keyWithoutValue, line: 2, key: "a"),
        Refused(
            "<dict><key>a</key><true/>\n<key>b</key><true/>\n<key>a</key>\n<true/></dict>",
            .duplicateKey,
            line: 3,
            key: "a"
        ),
        Refused("<dict><key>&#97;</key><true/><key>a</key><true/></dict>", .duplicateKey, key: "a"),
    ])
    func `a dictionary that does not alternate keys and values is rejected`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Accepted("<dict><key>CF$UID</key><integer>0</integer></dict>", .uid(0)),
        Accepted("<dict><key>CF$UID</key><integer>0xFFFFFFFF</integer></dict>", .uid(.max)),
        Accepted("<dict><key>CF$UID</key><integer>4294967296</integer></dict>", ["CF$UID": 4_294_967_296]),
        Accepted("<dict><key>CF$UID</key><integer>-1</integer></dict>", ["CF$UID": -1]),
        Accepted("<dict><key>CF$UID</key><real>1</real></dict>", ["CF$UID": 1.0]),
        Accepted("<dict><key>CF$UID</key><integer>1</integer><key>a</key><true/></dict>", ["CF$UID": 1, "a": true]),
        Accepted("<dict><key>cf$uid</key><integer>1</integer></dict>", ["cf$uid": 1]),
    ])
    func `only CF$UID with an unsigned 32-bit integer is a uid`(accepted: Accepted) throws { try accepted.expect() }
}
