import KeyedArchive
import Testing

@Suite("XML writer") struct XMLWriterTests {
    @Test func `a document has header, tabs and sorted keys`() throws {
        let value: PropertyList = ["b": [1, [], [:]], "a": ["c": true], "A": .data(Array("hello".utf8)), "": "x"]
        let document = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key></key>
            \t<string>x</string>
            \t<key>A</key>
            \t<data>
            \taGVsbG8=
            \t</data>
            \t<key>a</key>
            \t<dict>
            \t\t<key>c</key>
            \t\t<true/>
            \t</dict>
            \t<key>b</key>
            \t<array>
            \t\t<integer>1</integer>
            \t\t<array/>
            \t\t<dict/>
            \t</array>
            </dict>
            </plist>

            """
        #expect(String(decoding: try value.xmlEncoded(), as: UTF8.self) == document)
    }

    @Test(
        arguments: [
            (false, "<false/>"),
            (.integer(.min), "<integer>-170141183460469231731687303715884105728</integer>"),
            (.integer(.max), "<integer>170141183460469231731687303715884105727</integer>"),
            ("", "<string></string>"),
            ("&<>\"'\t\n", "<string>&amp;&lt;&gt;\"'\t\n</string>"),
            ("a\r\nb\r", "<string>a&#13;\nb&#13;</string>"),
            ("\u{E9}\u{1F600}\u{7F}", "<string>\u{E9}\u{1F600}\u{7F}</string>"),
            (.data([]), "<data>\n</data>"),
            (.uid(7), "<dict>\n\t<key>CF$UID</key>\n\t<integer>7</integer>\n</dict>"),
            (["CF$UID": -1], "<dict>\n\t<key>CF$UID</key>\n\t<integer>-1</integer>\n</dict>"),
            (["<&>": 1], "<dict>\n\t<key>&lt;&amp;&gt;</key>\n\t<integer>1</integer>\n</dict>"),
        ] as [(PropertyList, String)]
    )
    func `values are written as plistlib writes them`(value: PropertyList, text: String) throws {
        #expect(try written(value) == text)
    }

    // Each text is the result of Python's repr.
    @Test(
        arguments: [
            (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (-2500.0, "-2500.0"), (0.25, "0.25"), (123.456, "123.456"),
            (0.0001, "0.0001"), (0.00012345, "0.00012345"), (0.00001, "1e-05"), (-1.5e-7, "-1.5e-07"),
            (1e15, "1000000000000000.0"), (1e16, "1e+16"), (9_007_199_254_740_994.0, "9007199254740994.0"),
            (12_345_678_901_234_568.0, "1.2345678901234568e+16"), (1e22, "1e+22"), (1.5e100, "1.5e+100"),
            (.leastNonzeroMagnitude, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
            (.infinity, "inf"), (-.infinity, "-inf"), (.nan, "nan"), (-.nan, "nan"),
        ] as [(Double, String)]
    )
    func `reals are formatted as in Python`(number: Double, text: String) throws {
        #expect(try written(.real(number)) == "<real>\(text)</real>")
    }

    @Test(arguments: [(0, 57, 76), (1, 51, 68), (7, 15, 20), (8, 12, 16), (20, 12, 16)])
    func `deeper indentation makes lines of data shorter`(level: Int, byteCount: Int, characterCount: Int) throws {
        var value = PropertyList.data(Array(repeating: 0, count: byteCount + 1))
        for _ in 0..<level { value = [value] }
        let tabs = String(repeating: "\t", count: level)
        let lines = ["<data>", String(repeating: "A", count: characterCount), "AA==", "</data>"].map { tabs + $0 }
        #expect(try written(value).contains(lines.joined(separator: "\n")))
    }

    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.999, "2001-01-01T00:00:00Z"), (-0.001, "2000-12-31T23:59:59Z"),
            (-63_113_904_000, "0001-01-01T00:00:00Z"), (252_423_993_599.5, "9999-12-31T23:59:59Z"),
            (-26_438_401, "2000-02-29T23:59:59Z"), (-26_438_400, "2000-03-01T00:00:00Z"),
            (3_129_235_199, "2100-02-28T23:59:59Z"),
            (3_129_235_200, "2100-03-01T00:00:00Z"),
            (-3_182_198_400, "1900-03-01T00:00:00Z"),
            (12_596_256_000, "2400-02-29T00:00:00Z"),
            (12_596_342_400, "2400-03-01T00:00:00Z"),
            (12_622_780_799, "2400-12-31T23:59:59Z"),
        ] as [(Double, String)]
    )
    func `dates are rounded down to whole seconds`(seconds: Double, text: String) throws {
        #expect(try written(.date(secondsSinceReferenceDate: seconds)) == "<date>\(text)</date>")
    }

    @Test(
        arguments: [
            (.null, .nullNotRepresentable),
            (.set([]), .setNotRepresentable),
            (.date(secondsSinceReferenceDate: .nan), .dateNotRepresentable),
            (.date(secondsSinceReferenceDate: .infinity), .dateNotRepresentable),
            (.date(secondsSinceReferenceDate: -63_113_904_000.5), .dateNotRepresentable),
            (.date(secondsSinceReferenceDate: 252_423_993_600), .dateNotRepresentable),
            (.date(secondsSinceReferenceDate: 9e18), .dateNotRepresentable),
            (.date(secondsSinceReferenceDate: -.greatestFiniteMagnitude), .dateNotRepresentable),
            ("\0", .forbiddenCharacter), ("\u{1B}", .forbiddenCharacter), ("\u{FFFE}", .forbiddenCharacter),
            (["CF$UID": 0], .uidLookalike), (["CF$UID": 4_294_967_295], .uidLookalike),
        ] as [(PropertyList, XMLPropertyListError.Kind)]
    )
    func `a value that XML cannot represent is rejected under its key`(
        value: PropertyList,
        kind: XMLPropertyListError.Kind
    ) {
        #expect(throws: XMLPropertyListError(kind: kind, line: nil, key: nil)) { try value.xmlEncoded() }
        let nested: PropertyList = ["a": ["b": 1], "c": [["d": value, "e": 2]], "f": 3]
        #expect(throws: XMLPropertyListError(kind: kind, line: nil, key: "d")) { try nested.xmlEncoded() }
    }

    @Test func `a key with a forbidden character is refused`() {
        let value: PropertyList = ["a": ["b\u{1}": 1]]
        #expect(throws: XMLPropertyListError(kind: .forbiddenCharacter, line: nil, key: "b\u{1}")) {
            try value.xmlEncoded()
        }
    }
}
