/// The vectors for readers of XML property lists.
enum XMLVectors: ValueVectors {
    static var all: [Vector] { accepted + expansions + characters + structure + scalars + limits + forms }

    static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """
    static let tail = "\n</plist>\n"

    /// An error of this kind in a line, at the value of a key.
    static func malformed(
        _ name: String,
        _ kind: String,
        line: Int = 1,
        key: String? = nil,
        _ comment: String = ""
    ) -> Claim {
        malformed(name, error(kind, line, key), classes: nil, comment)
    }

    private static func limit(_ name: String, _ kind: String, line: Int = 1, _ comment: String = "") -> Claim {
        limit(name, error(kind, line, nil), classes: nil, comment)
    }

    private static func error(_ kind: String, _ line: Int, _ key: String?) -> String {
        "kind: \(kind), line: \(line), key: \(key.map { "\"\($0)\"" } ?? "nil")"
    }

    // MARK: Accepted

    private static let accepted: [Vector] = [
        success(
            "entitlements",
            #"{"application-identifier": "TEAMID.com.example.app", "keychain-access-groups": ["TEAMID.com.example.shared"]}"#,
            "as an application declares its groups"
        )
        .text(
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
        success("every_type", #"[1, -1, 1.5, true, false, "t", <01>, date(0.0), uid(7), [], {}]"#, "each element once")
            .text(
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
        readable("without_prolog", "true", "a single element").text("<true/>"),
        readable("byte_order_mark", "true", "a mark before the document").text("\u{FEFF}<plist><true/></plist>"),
        readable("carriage_returns", #""a\u{a}b\u{a}c\u{d}""#, "line ends become LF")
            .text("<string>a\r\nb\rc&#13;</string>"),
        readable("references", #""<&>\"'\u{e9}\u{1f511}""#, "the five entities and numbers")
            .text("<string>&lt;&amp;&gt;&quot;&apos;&#233;&#x1F511;</string>"),
        readable("cdata", #""<a>&amp;""#, "text without markup").text("<string><![CDATA[<a>&amp;]]></string>"),
        readable("integer_hexadecimal", "-255", "as CoreFoundation reads it").text("<integer> -0xFf </integer>"),
        readable("uid_lookalike", #"{"CF$UID": 4294967296}"#, "too large for a reference")
            .text("<dict><key>CF$UID</key><integer>4294967296</integer></dict>"),
    ]

    // MARK: Entities

    private static let expansions: [Vector] = [
        malformed("billion_laughs", "markup(internalSubset)", line: 2, "entities that contain entities")
            .text(
                """
                <?xml version="1.0"?>
                <!DOCTYPE plist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
                <plist><string>&b;</string></plist>
                """
            ),
        malformed("external_entity", "markup(internalSubset)", "an entity that is a file")
            .text(
                #"<!DOCTYPE plist SYSTEM "a.dtd" [<!ENTITY x SYSTEM "file:///etc/passwd">]><plist><string>&x;</string></plist>"#
            ),
        malformed("entity_declaration", "markup(markupDeclaration)", "an entity outside a document type")
            .text(#"<!ENTITY a "b"><plist><true/></plist>"#),
        malformed("entity_undefined", "markup(undefinedEntity)", line: 2, key: "a", "an entity of HTML")
            .text("<dict><key>a</key>\n<string>&nbsp;</string></dict>"),
        malformed("document_type_other", #"markup(wrongDocumentType("html"))"#, "another kind of document")
            .text("<!DOCTYPE html><plist><true/></plist>"),
    ]

    // MARK: Characters

    private static let characters: [Vector] = [
        malformed("utf16", "utf16", "only UTF-8 is supported")
            .bytes([0xFE, 0xFF] + "<true/>".utf16.flatMap { bigEndian(UInt64($0), 2) }),
        malformed("utf8_overlong", "invalidUTF8", "a slash in two bytes")
            .bytes(Array("<string>".utf8) + [0xC0, 0xAF] + Array("</string>".utf8)),
        malformed("utf8_surrogate", "invalidUTF8", "half of a UTF-16 pair in three bytes")
            .bytes(Array("<string>".utf8) + [0xED, 0xA0, 0x80] + Array("</string>".utf8)),
        readable("encoding_mixed_case", "true", "the name of the encoding in upper and lower case")
            .text(#"<?xml version="1.0" encoding="uTf-8"?><true/>"#),
        malformed("encoding_other", "unsupportedEncoding", "a declared encoding")
            .text(#"<?xml version="1.0" encoding="ISO-8859-1"?><true/>"#),
        malformed("control_character", "forbiddenCharacter", "NUL in text").text("<string>\u{0}</string>"),
        malformed("control_reference", "forbiddenCharacter", "NUL by number").text("<string>&#0;</string>"),
        malformed("surrogate_reference", "forbiddenCharacter", "half of a pair by number")
            .text("<string>&#xD800;</string>"),
        malformed("reference_of_2_40", "forbiddenCharacter", "a number beyond Unicode")
            .text("<string>&#1099511627776;</string>"),
    ]

    // MARK: Structure

    private static let structure: [Vector] = [
        malformed("empty", "noValue", "no bytes at all").text(""),
        malformed("plist_empty", "noValue", "no value").text("<plist/>"),
        malformed("plist_of_two", "severalValues", line: 2, "two values").text("<plist><true/>\n<true/></plist>"),
        malformed("text_behind", "textOutsideRoot", line: 2, "text after the document").text("<true/>\nx"),
        malformed("element_unknown", #"unknownElement("strin")"#, line: 2, key: "keychain-access-groups")
            .comment("a name with a letter missing")
            .text("<dict><key>keychain-access-groups</key>\n<strin>a</strin></dict>"),
        malformed("element_unclosed", #"markup(unclosedElement("dict"))"#, line: 2)
            .comment("the line is that of the opening tag")
            .text("<plist>\n<dict>\n\n"),
        malformed("element_crossed", #"markup(mismatchedEndTag(found: "dict", open: "array", openLine: 2))"#, line: 3)
            .comment("closed in the wrong order")
            .text("<dict><key>a</key>\n<array>\n</dict></array>".replacing("<dict><key>a</key>\n", with: "<plist>\n")),
        malformed("attribute", #"markup(unexpectedAttribute("string"))"#, "only plist has attributes")
            .text(#"<string a="b">c</string>"#),
        malformed("key_without_value", "keyWithoutValue", line: 2, key: "a", "a dictionary that ends too early")
            .text("<dict>\n<key>a</key></dict>"),
        malformed("value_without_key", #"valueWithoutKey("true")"#, "a value where a key was expected")
            .text("<dict><true/></dict>"),
        malformed("key_twice", "duplicateKey", line: 3, key: "a", "a duplicate key is rejected")
            .text("<dict><key>a</key><true/>\n<key>b</key><true/>\n<key>a</key><false/></dict>"),
        malformed("key_in_array", #"misplacedElement("key", in: "array")"#, "only dictionaries have keys")
            .text("<array><key>a</key></array>"),
        malformed("element_in_text", #"markup(unescapedLessThan(in: "string"))"#, "text cannot contain elements")
            .text("<string>a<true/></string>"),
    ]

    // MARK: Scalars

    private static let scalars: [Vector] = [
        malformed("integer_text", "malformedInteger", "no digits").text("<integer>one</integer>"),
        malformed("integer_empty", "malformedInteger", "nothing").text("<integer/>"),
        malformed("integer_2_127", "integerOutOfRange", "one more than 128 bits hold")
            .text("<integer>170141183460469231731687303715884105728</integer>"),
        malformed("real_text", "malformedReal", "no number").text("<real>1.5.0</real>"),
        malformed("real_hexadecimal", "malformedReal", "a form that only C knows").text("<real>0x1p3</real>"),
        malformed("date_text", "malformedDate", "no date").text("<date>yesterday</date>"),
        malformed("date_30_february", "noSuchDate", "a day that does not exist")
            .text("<date>2024-02-30T00:00:00Z</date>"),
        malformed("date_leap_year", "noSuchDate", "1900 was not a leap year").text("<date>1900-02-29T00:00:00Z</date>"),
        malformed("data_character", #"malformedData(unexpectedCharacter)"#, "not a base64 character")
            .text("<data>A*==</data>"),
        malformed("data_incomplete", "malformedData(incomplete)", "three characters of four").text("<data>AQE</data>"),
        malformed("data_stray_bits", "malformedData(nonZeroPaddingBits)", "bits that no byte holds")
            .text("<data>AR==</data>"),
    ]

    // MARK: Limits

    private static let limits: [Vector] = [
        limit("depth_65", "tooDeep(limit: 64)", "one deeper than the limit")
            .text(String(repeating: "<array>", count: 64) + "<true/>" + String(repeating: "</array>", count: 64)),
        limit("depth_100000", "tooDeep(limit: 64)", line: 65, "never closed")
            .text(String(repeating: "<array>\n", count: 100_000)),
        limit("values_262145", "tooManyValues(limit: 262144)", "one more than the limit")
            .text("<array>" + String(repeating: "<true/>", count: 262_144) + "</array>"),
    ]
}
