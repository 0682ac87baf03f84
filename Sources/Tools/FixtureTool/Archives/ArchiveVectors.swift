/// The vectors for readers of keyed archives, in the layout that Apple's archivers write.
enum ArchiveVectors: ValueVectors {
    static var all: [Vector] {
        scalars + containers + canonicalOrder + uniqueness + accepted + objects + wholes + broken + keys + fields
            + limits
            + nodes
    }

    static let array = AppleNode.class("NSArray", "NSObject")
    static let dictionary = AppleNode.class("NSDictionary", "NSObject")

    // MARK: Scalars

    private static let scalars: [Vector] = [
        success("string", #""hello""#, "NSString").archive([.string("hello")]),
        success("string_unicode", #""\u{e9}\u{1f511}""#, "NSString beyond ASCII").archive([.string("é🔑")]),
        success("string_empty", #""""#, "empty NSString").archive([.string("")]),
        success("string_null_text", #""$null""#, "the text $null is text, not the null object")
            .archive([.string("$null")]),
        readable("mutable_string", #""hello""#, "NSMutableString")
            .archive([
                .instance(2, ("NS.string", .string("hello"))), .class("NSMutableString", "NSString", "NSObject"),
            ]),
        readable("string_as_bytes", #""h\u{e9}""#, "NSString stored as UTF-8 bytes")
            .archive([.instance(2, ("NS.bytes", .data([0x68, 0xC3, 0xA9]))), .class("NSString", "NSObject")]),
        readable("attributed_string", #""hi""#, "NSAttributedString is read as its text")
            .archive([
                .instance(5, ("NSString", .uid(2)), ("NSAttributes", .uid(3))),
                .string("hi"),
                .instance(4, ("NS.keys", .array([])), ("NS.objects", .array([]))),
                dictionary,
                .class("NSAttributedString", "NSObject"),
            ]),
        readable("mutable_attributed_string", #""hi""#, "NSMutableAttributedString whose text is an NSMutableString")
            .archive([
                .instance(4, ("NSString", .uid(2))),
                .instance(3, ("NS.string", .string("hi"))),
                .class("NSMutableString", "NSString", "NSObject"),
                .class("NSMutableAttributedString", "NSAttributedString", "NSObject"),
            ]),
        success("number_int", "5", "NSNumber").archive([.int(5)]),
        success("number_negative", "-5", "NSNumber").archive([.int(-5)]),
        success("number_int64_max", "9223372036854775807", "NSNumber").archive([.int(.max)]),
        success("number_bool", "true", "NSNumber of a Boolean").archive([.bool(true)]),
        success("number_real", "0.1", "NSNumber").archive([.real(0.1)]),
        readable("number_float", "0.5", "NSNumber of a Float").archive([.float(0.5)]),
        readable("number_object", "7", "NSNumber as an object, as interface files store it")
            .archive([.instance(2, ("NS.intval", .int(7))), .class("NSNumber", "NSValue", "NSObject")]),
        success("data", "<010203>", "NSData").archive([.data([1, 2, 3])]),
        readable("mutable_data", "<010203>", "NSMutableData")
            .archive([.instance(2, ("NS.data", .data([1, 2, 3]))), .class("NSMutableData", "NSData", "NSObject")]),
        success("date", "date(5.5)", "NSDate")
            .archive([.instance(2, ("NS.time", .real(5.5))), .class("NSDate", "NSObject")]),
        success("uuid", "uuid(e621e1f8-c36c-495a-93fc-0c247a3e6e5f)", "NSUUID")
            .archive([
                .instance(
                    2,
                    (
                        "NS.uuidbytes",
                        .data([
                            0xE6, 0x21, 0xE1, 0xF8, 0xC3, 0x6C, 0x49, 0x5A, 0x93, 0xFC, 0x0C, 0x24, 0x7A, 0x3E, 0x6E,
                            0x5F,
                        ])
                    )
                ), .class("NSUUID", "NSObject"),
            ]),
        success("url", #"url("https://example.com/a")"#, "NSURL")
            .archive([
                .instance(3, ("NS.base", .uid(0)), ("NS.relative", .uid(2))), .string("https://example.com/a"),
                .class("NSURL", "NSObject"),
            ]),
        success("url_with_base", #"url("b" in "https://example.com/a/")"#, "NSURL relative to another")
            .archive([
                .instance(4, ("NS.base", .uid(2)), ("NS.relative", .uid(5))),
                .instance(4, ("NS.base", .uid(0)), ("NS.relative", .uid(3))),
                .string("https://example.com/a/"),
                .class("NSURL", "NSObject"),
                .string("b"),
            ]),
        success("null", "null", "NSNull").archive([.instance(2), .class("NSNull", "NSObject")]),
        readable("nil_root", "null", "a root that is nil").archive([], top: [("root", .uid(0))]),
    ]

    // MARK: Containers

    private static let containers: [Vector] = [
        success("array_empty", "[]", "NSArray").archive([.instance(2, ("NS.objects", .array([]))), array]),
        success("array", #"[1, "a", "a"]"#, "NSArray with the same string twice")
            .archive([.instance(4, ("NS.objects", .uids(2, 3, 3))), .int(1), .string("a"), array]),
        readable("array_equal_strings", #"["a", "a"]"#, "two equal strings that were two objects")
            .archive([.instance(4, ("NS.objects", .uids(2, 3))), .string("a"), .string("a"), array]),
        readable("mutable_array", "[1]", "NSMutableArray")
            .archive([
                .instance(3, ("NS.objects", .uids(2))), .int(1), .class("NSMutableArray", "NSArray", "NSObject"),
            ]),
        readable("array_of_nil", "[null]", "a list with a hole")
            .archive([.instance(2, ("NS.objects", .uids(0))), array]),
        success("dictionary", #"{"n": 2, "key": "v"}"#, "NSDictionary: the shorter key first")
            .archive([
                .instance(6, ("NS.keys", .uids(2, 3)), ("NS.objects", .uids(4, 5))),
                .string("n"), .string("key"), .int(2), .string("v"), dictionary,
            ]),
        readable("dictionary_unsorted", #"{"n": 2, "key": "v"}"#, "the order of entries does not matter")
            .archive([
                .instance(6, ("NS.keys", .uids(2, 3)), ("NS.objects", .uids(4, 5))),
                .string("key"), .string("n"), .string("v"), .int(2), dictionary,
            ]),
        readable("mutable_dictionary", #"{"k": "v"}"#, "NSMutableDictionary")
            .archive([
                .instance(4, ("NS.keys", .uids(2)), ("NS.objects", .uids(3))), .string("k"), .string("v"),
                .class("NSMutableDictionary", "NSDictionary", "NSObject"),
            ]),
        success("dictionary_number_keys", "{1: true, -1: false}", "keys of any kind, by their encoded bytes")
            .archive([
                .instance(6, ("NS.keys", .uids(2, 3)), ("NS.objects", .uids(4, 5))),
                .int(1), .int(-1), .bool(true), .bool(false), dictionary,
            ]),
        success("set", #"set["x", "y"]"#, "NSSet")
            .archive([
                .instance(4, ("NS.objects", .uids(2, 3))), .string("x"), .string("y"), .class("NSSet", "NSObject"),
            ]),
        readable("mutable_set", "set[1]", "NSMutableSet")
            .archive([.instance(3, ("NS.objects", .uids(2))), .int(1), .class("NSMutableSet", "NSSet", "NSObject")]),
        success("nested", #"{"a": [{"b": 1}]}"#)
            .comment("nested collections; a class description follows the first object of its class")
            .archive([
                .instance(7, ("NS.keys", .uids(2)), ("NS.objects", .uids(3))),
                .string("a"),
                .instance(8, ("NS.objects", .uids(4))),
                .instance(7, ("NS.keys", .uids(5)), ("NS.objects", .uids(6))),
                .string("b"),
                .int(1),
                dictionary,
                array,
            ]),
        readable("shared_array", "[[1], [1]]", "one array in two places")
            .archive([
                .instance(4, ("NS.objects", .uids(2, 2))), .instance(4, ("NS.objects", .uids(3))), .int(1), array,
            ]),
        success(
            "keychain_item",
            #"{"acct": "kim", "cdat": date(600000000.25), "svce": "mail", "v_Data": <736573616d65>}"#,
            "an item as a helper class of iOS would archive it"
        )
        .archive([
            .instance(11, ("NS.keys", .uids(2, 3, 4, 5)), ("NS.objects", .uids(6, 7, 9, 10))),
            .string("acct"), .string("cdat"), .string("svce"), .string("v_Data"),
            .string("kim"),
            .instance(8, ("NS.time", .real(600_000_000.25))), .class("NSDate", "NSObject"),
            .string("mail"),
            .data(Array("sesame".utf8)),
            dictionary,
        ]),
    ]
}
