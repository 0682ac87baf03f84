/// The vectors for readers of XML property lists.
enum XMLVectors {
    static var all: [Vector] { accepted + expansions + characters + structure + scalars + limits + forms }

    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let tail = "\n</plist>\n"

    static func success(
        _ name: String,
        _ value: String,
        canonical: Bool = false,
        _ comment: String,
        _ document: String
    ) -> Vector {
        .success(name, value, canonical: canonical, comment, Array(document.utf8))
    }

    static func malformed(_ name: String, _ error: String, _ comment: String, _ document: String) -> Vector {
        Vector(name: name, outcome: .malformed(error), comment: comment, body: Array(document.utf8))
    }

    private static func limit(_ name: String, _ error: String, _ comment: String, _ document: String) -> Vector {
        Vector(name: name, outcome: .limitExceeded(error), comment: comment, body: Array(document.utf8))
    }

    // MARK: Accepted

    private static let accepted: [Vector] = [
        success(
            "entitlements",
            #"{"application-identifier": "TEAMID.com.example.app", "keychain-access-groups": ["TEAMID.com.example.shared"]}"#,
            canonical: true,
            "as an application declares its groups",
            head + """
                <dict>
                \t<key>application-identifier</key>
                \t<string>TEAMID.com.example.app</string>
                \t<key>keychain-access-groups</key>
                \t<array>
                \t\t<string>TEAMID.com.example.shared</string>
                \t</array>
                </dict>
                """ + tail
        ),
        success(
            "every_type",
            #"[1, -1, 1.5, true, false, "t", <01>, date(0.0), uid(7), [], {}]"#,
            canonical: true,
            "each element once",
            head + """
                <array>
                \t<integer>1</integer>
                \t<integer>-1</integer>
                \t<real>1.5</real>
                \t<true/>
                \t<false/>
                \t<string>t</string>
                \t<data>
                \tAQ==
                \t</data>
                \t<date>2001-01-01T00:00:00Z</date>
                \t<dict>
                \t\t<key>CF$UID</key>
                \t\t<integer>7</integer>
                \t</dict>
                \t<array/>
                \t<dict/>
                </array>
                """ + tail
        ),
        success("without_prolog", "true", "a single element", "<true/>"),
        success("byte_order_mark", "true", "a mark before the document", "\u{FEFF}<plist><true/></plist>"),
        success("carriage_returns", #""a\u{a}b\u{a}c\u{d}""#, "line ends become LF", "<string>a\r\nb\rc&#13;</string>"),
        success(
            "references",
            #""<&>\"'\u{e9}\u{1f511}""#,
            "the five entities and numbers",
            "<string>&lt;&amp;&gt;&quot;&apos;&#233;&#x1F511;</string>"
        ),
        success("cdata", #""<a>&amp;""#, "text without markup", "<string><![CDATA[<a>&amp;]]></string>"),
        success("integer_hexadecimal", "-255", "as CoreFoundation reads it", "<integer> -0xFf </integer>"),
        success(
            "uid_lookalike",
            #"{"CF$UID": 4294967296}"#,
            "too large for a reference",
            "<dict><key>CF$UID</key><integer>4294967296</integer></dict>"
        ),
    ]

    // MARK: Entities

    private static let expansions: [Vector] = [
        malformed(
            "billion_laughs",
            #"kind: markup(internalSubset), line: 2, key: nil"#,
            "entities that contain entities",
            """
            <?xml version="1.0"?>
            <!DOCTYPE plist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
            <plist><string>&b;</string></plist>
            """
        ),
        malformed(
            "external_entity",
            #"kind: markup(internalSubset), line: 1, key: nil"#,
            "an entity that is a file",
            #"<!DOCTYPE plist SYSTEM "a.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]><plist><string>&x;</string></plist>"#
        ),
        malformed(
            "entity_declaration",
            #"kind: markup(markupDeclaration), line: 1, key: nil"#,
            "an entity outside a document type",
            #"<!ENTITY a "b"><plist><true/></plist>"#
        ),
        malformed(
            "entity_undefined",
            #"kind: markup(undefinedEntity), line: 2, key: "a""#,
            "an entity of HTML",
            "<dict><key>a</key>\n<string>&nbsp;</string></dict>"
        ),
        malformed(
            "document_type_other",
            #"kind: markup(wrongDocumentType("html")), line: 1, key: nil"#,
            "another kind of document",
            "<!DOCTYPE html><plist><true/></plist>"
        ),
    ]

    // MARK: Characters

    private static let characters: [Vector] = [
        Vector(
            name: "utf16",
            outcome: .malformed("kind: utf16, line: 1, key: nil"),
            comment: "only UTF-8 is supported",
            body: [0xFE, 0xFF] + "<true/>".utf16.flatMap { bigEndian(UInt64($0), 2) }
        ),
        Vector(
            name: "utf8_overlong",
            outcome: .malformed("kind: invalidUTF8, line: 1, key: nil"),
            comment: "a slash in two bytes",
            body: Array("<string>".utf8) + [0xC0, 0xAF] + Array("</string>".utf8)
        ),
        Vector(
            name: "utf8_surrogate",
            outcome: .malformed("kind: invalidUTF8, line: 1, key: nil"),
            comment: "half of a UTF-16 pair in three bytes",
            body: Array("<string>".utf8) + [0xED, 0xA0, 0x80] + Array("</string>".utf8)
        ),
        success(
            "encoding_mixed_case",
            "true",
            "the name of the encoding in upper and lower case",
            #"<?xml version="1.0" encoding="uTf-8"?><true/>"#
        ),
        malformed(
            "encoding_other",
            "kind: unsupportedEncoding, line: 1, key: nil",
            "a declared encoding",
            #"<?xml version="1.0" encoding="ISO-8859-1"?><true/>"#
        ),
        malformed(
            "control_character",
            "kind: forbiddenCharacter, line: 1, key: nil",
            "NUL in text",
            "<string>\u{0}</string>"
        ),
        malformed(
            "control_reference",
            "kind: forbiddenCharacter, line: 1, key: nil",
            "NUL by number",
            "<string>&#0;</string>"
        ),
        malformed(
            "surrogate_reference",
            "kind: forbiddenCharacter, line: 1, key: nil",
            "half of a pair by number",
            "<string>&#xD800;</string>"
        ),
        malformed(
            "reference_of_2_40",
            "kind: forbiddenCharacter, line: 1, key: nil",
            "a number beyond Unicode",
            "<string>&#1099511627776;</string>"
        ),
    ]

    // MARK: Structure

    private static let structure: [Vector] = [
        malformed("empty", "kind: noValue, line: 1, key: nil", "no bytes at all", ""),
        malformed("plist_empty", "kind: noValue, line: 1, key: nil", "no value", "<plist/>"),
        malformed(
            "plist_of_two",
            "kind: severalValues, line: 2, key: nil",
            "two values",
            "<plist><true/>\n<true/></plist>"
        ),
        malformed("text_behind", "kind: textOutsideRoot, line: 2, key: nil", "text after the document", "<true/>\nx"),
        malformed(
            "element_unknown",
            #"kind: unknownElement("strin"), line: 2, key: "keychain-access-groups""#,
            "a name with a letter missing",
            "<dict><key>keychain-access-groups</key>\n<strin>a</strin></dict>"
        ),
        malformed(
            "element_unclosed",
            #"kind: markup(unclosedElement("dict")), line: 2, key: nil"#,
            "the line is that of the opening tag",
            "<plist>\n<dict>\n\n"
        ),
        malformed(
            "element_crossed",
            #"kind: markup(mismatchedEndTag(found: "dict", open: "array", openLine: 2)), line: 3, key: nil"#,
            "closed in the wrong order",
            "<dict><key>a</key>\n<array>\n</dict></array>".replacing("<dict><key>a</key>\n", with: "<plist>\n")
        ),
        malformed(
            "attribute",
            #"kind: markup(unexpectedAttribute("string")), line: 1, key: nil"#,
            "only plist has attributes",
            #"<string a="b">c</string>"#
        ),
        malformed(
            "key_without_value",
            #"kind: keyWithoutValue, line: 2, key: "a""#,
            "a dictionary that ends too early",
            "<dict>\n<key>a</key></dict>"
        ),
        malformed(
            "value_without_key",
            #"kind: valueWithoutKey("true"), line: 1, key: nil"#,
            "a value where a key was expected",
            "<dict><true/></dict>"
        ),
        malformed(
            "key_twice",
            #"kind: duplicateKey, line: 3, key: "a""#,
            "a duplicate key is rejected",
            "<dict><key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><false/></dict>"
        ),
        malformed(
            "key_in_array",
            #"kind: misplacedElement("key", in: "array"), line: 1, key: nil"#,
            "only dictionaries have keys",
            "<array><key>a</key></array>"
        ),
        malformed(
            "element_in_text",
            #"kind: markup(unescapedLessThan(in: "string")), line: 1, key: nil"#,
            "text cannot contain elements",
            "<string>a<true/></string>"
        ),
    ]

    // MARK: Scalars

    static func scalar(_ name: String, _ kind: String, _ comment: String, _ document: String) -> Vector {
        malformed(name, "kind: \(kind), line: 1, key: nil", comment, document)
    }

    private static let scalars: [Vector] = [
        scalar("integer_text", "malformedInteger", "no digits", "<integer>one</integer>"),
        scalar("integer_empty", "malformedInteger", "nothing", "<integer/>"),
        scalar(
            "integer_2_127",
            "integerOutOfRange",
            "one more than 128 bits hold",
            "<integer>170141183460469231731687303715884105728</integer>"
        ),
        scalar("real_text", "malformedReal", "no number", "<real>1.5.0</real>"),
        scalar("real_hexadecimal", "malformedReal", "a form that only C knows", "<real>0x1p3</real>"),
        scalar("date_text", "malformedDate", "no date", "<date>yesterday</date>"),
        scalar("date_30_february", "noSuchDate", "a day that does not exist", "<date>2024-02-30T00:00:00Z</date>"),
        scalar("date_leap_year", "noSuchDate", "1900 was not a leap year", "<date>1900-02-29T00:00:00Z</date>"),
        scalar("data_character", #"malformedData(unexpectedCharacter)"#, "not a base64 character", "<data>A*==</data>"),
        scalar("data_incomplete", "malformedData(incomplete)", "three characters of four", "<data>AQE</data>"),
        scalar("data_stray_bits", "malformedData(nonZeroPaddingBits)", "bits that no byte holds", "<data>AR==</data>"),
    ]

    // MARK: Limits

    private static let limits: [Vector] = [
        limit(
            "depth_65",
            "kind: tooDeep(limit: 64), line: 1, key: nil",
            "one deeper than the limit",
            String(repeating: "<array>", count: 64) + "<true/>" + String(repeating: "</array>", count: 64)
        ),
        limit(
            "depth_100000",
            "kind: tooDeep(limit: 64), line: 65, key: nil",
            "never closed",
            String(repeating: "<array>\n", count: 100_000)
        ),
        limit(
            "values_262145",
            "kind: tooManyValues(limit: 262144), line: 1, key: nil",
            "one more than the limit",
            "<array>" + String(repeating: "<true/>", count: 262_144) + "</array>"
        ),
    ]
}
