// The forms of each element, and the markup around elements.

extension XMLVectors {
    static var forms: [Vector] { markup + refusedMarkup + scalarForms + refusedScalars + written }

    // MARK: Markup

    private static func attributes(_ count: Int) -> String {
        (0..<count).map { " a\($0)='&lt;'" }.joined()
    }

    private static let markup: [Vector] = [
        readable("attributes_of_plist", "true", "16 attributes").text("<plist\(attributes(16))><true/></plist>"),
        readable("elements_empty", #"{"": ["", <>, "", <>, [], {}, true, false]}"#)
            .comment("an element without content may have two tags or one")
            .text(
                "<dict><key/><array><string/><data/><string></string><data></data><array></array><dict></dict>"
                    + "<true></true><false> </false></array></dict>"
            ),
        readable("comments_and_instructions", #"["ab"]"#, "in all places where they may be")
            .text(
                "<?xml version='1.0'?><!-- - --><?a?><!DOCTYPE plist><!----><plist><?b c?><array><!-- <x> -->"
                    + "<string>a<!-- & -->b<?c ?></string></array></plist><!-- --> <?d?>"
            ),
        readable("declaration_ascii", "true", "a document in ASCII that says so")
            .text("<?xml version=\"1.0\" encoding=\"us-ascii\" standalone=\"yes\" ?><true/>"),
        readable("document_type_system", "true", "a document type with a system identifier only")
            .text("<!DOCTYPE plist SYSTEM 'a.dtd' ><plist><true/></plist>"),
    ]

    private static let refusedMarkup: [Vector] = [
        markup("attributes_17", #"tooManyAttributes("plist")"#, "one attribute more than readers take")
            .text("<plist\(attributes(17))><true/></plist>"),
        markup("attribute_twice", #"duplicateAttribute("plist")"#, "two attributes of one name")
            .text("<plist a='1' a='2'><true/></plist>"),
        markup("attribute_name_not_ascii", #"malformedTag"#, "a name beyond ASCII")
            .text("<plist \u{E9}='1'><true/></plist>"),
        markup("attribute_entity", "undefinedEntity", "an entity that the document type could define")
            .text("<!DOCTYPE plist SYSTEM 'a.dtd'><plist a='&b;'><true/></plist>"),
        markup("entity_of_document_type", "undefinedEntity", "an entity that the document type could define")
            .text("<!DOCTYPE plist SYSTEM 'a.dtd'><plist><string>&b;</string></plist>"),
        markup("instruction_name_not_ascii", "malformedInstruction", "a name beyond ASCII").text("<?\u{E9} a?><true/>"),
        markup("instruction_xml", "misplacedDeclaration", "a second declaration")
            .text("<?xml version='1.0'?><?XML a?><true/>"),
        markup("declaration_behind_space", "misplacedDeclaration", "not at the beginning")
            .text(" <?xml version='1.0'?><true/>"),
        markup("declaration_version_1_1", "unsupportedXMLVersion", "another version")
            .text("<?xml version='1.1'?><true/>"),
        markup("declaration_reference", "malformedDeclaration", "a character reference in the declaration")
            .text("<?xml version='1&#46;0'?><true/>"),
        malformed("declaration_ascii_wrong", "notASCII", "a document that says ASCII, and is not")
            .text("<?xml version='1.0' encoding='US-ASCII'?><string>\u{E9}</string>"),
        markup("document_type_twice", "misplacedDocumentType", "two").text("<!DOCTYPE plist><!DOCTYPE plist><true/>"),
        markup("comment_two_hyphens", "malformedComment", "two hyphens in a comment").text("<!-- a -- b --><true/>"),
        markup("text_section_end", "strayCharacterDataEnd", "]]> in text").text("<string>]]></string>"),
        malformed("text_between", #"unexpectedText(in: "array")"#, "text between elements")
            .text("<array>a<true/></array>"),
        malformed("cdata_between", #"unexpectedText(in: "array")"#, "a section between elements, if only of blanks")
            .text("<array><![CDATA[ ]]><true/></array>"),
        malformed("cdata_between_empty", #"unexpectedText(in: "array")"#, "an empty section between elements")
            .text("<array><![CDATA[]]><true/></array>"),
        readable("bool_blanks", "[true, false]", "blanks in a bool, as a reference and in a section")
            .text("<array><true>&#32;</true><false><![CDATA[ ]]>\n</false></array>"),
        malformed("reference_between", #"unexpectedText(in: "array")"#)
            .comment("a reference between elements, if only to a blank")
            .text("<array> &#32; <true/></array>"),
        malformed("plist_in_array", #"misplacedElement("plist", in: "array")"#, "plist is no value")
            .text("<array><plist><true/></plist></array>"),
        malformed("key_at_root", #"misplacedElement("key", in: nil)"#, "a key is no value").text("<key>a</key>"),
        malformed("noncharacter", "forbiddenCharacter", "U+FFFE").text("<string>\u{FFFE}</string>"),
    ]

    private static func markup(_ name: String, _ error: String, _ comment: String = "") -> Claim {
        malformed(name, "markup(\(error))", comment)
    }

    // MARK: Scalars

    private static func array(_ element: String, _ texts: [String]) -> String {
        "<array>" + texts.map { "<\(element)>\($0)</\(element)>" }.joined() + "</array>"
    }

    private static let scalarForms: [Vector] = [
        readable(
            "integer_forms",
            "[7, 7, 0, 31, 255, -16, 1, 1, 170141183460469231731687303715884105727, "
                + "-170141183460469231731687303715884105728]",
            "signs, zeros in front, both radixes, blanks, a comment, a section, the limits"
        )
        .text(
            array(
                "integer",
                [
                    "+7", "007", "-0", "0x1f", "0XFF", "-0x10", " \t\r\n1\n", "<!-- --><![CDATA[1]]>",
                    "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728",
                ]
            )
        ),
        readable(
            "real_forms",
            "[1.0, 1.0, 0.5, -0.5, 50.0, 0.001, -0.0, inf, 0.0, nan, inf, inf, -inf, inf, inf, -inf]",
            "decimal forms, numbers too large and too small, names in any case"
        )
        .text(
            array(
                "real",
                [
                    "1", "1.", ".5", " -.5 ", "+0.5E+2", "1e-3", "-0", "1e400", "1e-400", "NaN", "inf", "+Inf", "-INF",
                    "infinity", "+Infinity", "-INFINITY",
                ]
            )
        ),
        readable("date_forms", "[date(-63113904000.0), date(252423993599.0), date(-26481600.0)]")
            .comment("the first and the last second, and a leap day")
            .text(array("date", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2000-02-29T12:00:00Z"])),
        readable("data_forms", "[<>, <01>, <0102>]", "blanks anywhere")
            .text(array("data", [" \n", " A Q = \t= ", "AQ\nI="])),
        readable("uid_forms", #"[uid(0), uid(4294967295), {"CF$UID": -1}, {"CF$UID": 1.0}, {"CF$UID": 1, "a": 1}]"#)
            .comment("an integer from 0 to 2^32 - 1 and nothing else")
            .text(
                "<array>"
                    + [
                        "<integer>0</integer>", "<integer>0xFFFFFFFF</integer>", "<integer>-1</integer>",
                        "<real>1</real>",
                    ]
                    .map { "<dict><key>CF$UID</key>\($0)</dict>" }.joined()
                    + "<dict><key>CF$UID</key><integer>1</integer><key>a</key><integer>1</integer></dict></array>"
            ),
    ]

    private static let refusedScalars: [Vector] = [
        malformed("true_text", #"unexpectedText(in: "true")"#, "text in a bool").text("<true>1</true>"),
        malformed("integer_sign", "malformedInteger", "a sign alone").text("<integer>-</integer>"),
        malformed("integer_prefix", "malformedInteger", "a prefix alone").text("<integer>0x</integer>"),
        malformed("integer_space_inside", "malformedInteger", "a blank behind the sign").text("<integer>- 1</integer>"),
        malformed("integer_of_real", "malformedInteger", "a fraction").text("<integer>1.0</integer>"),
        malformed("integer_below", "integerOutOfRange", "one less than 128 bits hold")
            .text("<integer>-170141183460469231731687303715884105729</integer>"),
        malformed("real_empty", "malformedReal", "nothing").text("<real/>"),
        malformed("real_point", "malformedReal", "a point alone").text("<real>.</real>"),
        malformed("real_exponent_empty", "malformedReal", "an exponent without digits").text("<real>1e</real>"),
        malformed("real_nan_sign", "malformedReal", "a sign before nan").text("<real>-nan</real>"),
        malformed("real_nan_payload", "malformedReal", "a form that only C knows").text("<real>nan(1)</real>"),
        malformed("date_blank", "malformedDate", "a blank before the date").text("<date> 2001-01-01T00:00:00Z</date>"),
        malformed("date_fraction", "malformedDate", "tenths of a second").text("<date>2001-01-01T00:00:00.0Z</date>"),
        malformed("date_zone", "malformedDate", "another time zone").text("<date>2001-01-01T00:00:00+00:00</date>"),
        malformed("date_year_0", "noSuchDate", "before the first year").text("<date>0000-12-31T00:00:00Z</date>"),
        malformed("date_second_60", "noSuchDate", "a leap second").text("<date>2016-12-31T23:59:60Z</date>"),
        malformed("date_hour_24", "noSuchDate", "an hour too many").text("<date>2001-01-01T24:00:00Z</date>"),
        malformed("data_unpadded", "malformedData(incomplete)", "without padding").text("<data>AQ</data>"),
        malformed("data_behind_padding", "malformedData(misplacedPadding)", "text behind padding")
            .text("<data>AQ==AQ==</data>"),
        malformed("data_padding_only", "malformedData(misplacedPadding)", "padding in second place")
            .text("<data>A===</data>"),
    ]

    // MARK: Writers

    private static let written: [Vector] = [
        success(
            "written_reals",
            "[0.0, -0.0, 1.0, 0.1, 0.0001, 1e-05, 1.5e-05, 1234567890123456.0, 1e+16, 1.5e+300, 5e-324, inf, -inf, nan]",
            "the fewest digits; an exponent below 0.0001 and from 10^16"
        )
        .text(
            head + "<array>\n"
                + [
                    "0.0", "-0.0", "1.0", "0.1", "0.0001", "1e-05", "1.5e-05", "1234567890123456.0", "1e+16",
                    "1.5e+300",
                    "5e-324", "inf", "-inf", "nan",
                ].map { "\t<real>\($0)</real>\n" }.joined() + "</array>" + tail
        ),
        success("written_text", #"{"\u{9}\u{a}\u{d}": "<&>\"'\u{e9}\u{7f}", "a": [], "b": {}}"#)
            .comment("text is escaped no more than necessary, but for CR and >")
            .text(
                head + "<dict>\n\t<key>\t\n&#13;</key>\n\t<string>&lt;&amp;&gt;\"'\u{E9}\u{7F}</string>\n"
                    + "\t<key>a</key>\n\t<array/>\n\t<key>b</key>\n\t<dict/>\n</dict>" + tail
            ),
        success("written_data", "[<>, <" + String(repeating: "00", count: 52) + ">]")
            .comment("a line has 76 columns, a tab counting eight")
            .text(
                head + "<array>\n\t<data>\n\t</data>\n\t<data>\n\t" + String(repeating: "A", count: 68) + "\n\tAA==\n"
                    + "\t</data>\n</array>" + tail
            ),
        success(
            "written_data_deep",
            String(repeating: "[", count: 8) + "<00000000000000000000000000>" + String(repeating: "]", count: 8),
            "a line of data has no fewer than 16 characters"
        )
        .text(
            head + (0..<8).map { String(repeating: "\t", count: $0) + "<array>\n" }.joined()
                + ["<data>", "AAAAAAAAAAAAAAAA", "AA==", "</data>"]
                .map { String(repeating: "\t", count: 8) + $0 + "\n" }.joined()
                + (0..<8).reversed().map { String(repeating: "\t", count: $0) + "</array>" }.joined(separator: "\n")
                + tail
        ),
    ]
}
