// The canonical encoding of each value, and other encodings that readers accept.

extension ArchiveVectors {
    static let canonicalOrder: [Vector] = [
        success(
            "set_of_every_kind",
            #"set[null, false, true, 7, 256, 1.5, date(1.0), <00>, "b", "aa", "\#(wide)", "#
                + #"uuid(00000000-0000-0000-0000-000000000001), url("u"), [], set[], {}, object A:NSObject {}]"#,
            classes: "A",
            "scalars by their bytes, then UUIDs, URLs, arrays, sets, dictionaries, objects"
        )
        .root(
            .set([
                .null, .scalar(.bool(false)), .scalar(.bool(true)), .int(7), .int(256), .scalar(.real(1.5)), .date(1),
                .scalar(.data([0])), .string("b"), .string("aa"), .string("é"),
                .uuid(Array(repeating: 0, count: 15) + [1]), .url("u", base: nil), .array([]), .set([]),
                .dictionary([]), .object(["A", "NSObject"], []),
            ])
        ),
        success("set_of_dates", "set[date(0.0), date(1.0), date(-0.0), date(-1.0)]", "by the bits of the double")
            .root(.set([.date(0), .date(1), .date(-0.0), .date(-1)])),
        success("set_of_integers", "set[0, 255, 256, 65536, 4294967296, 9223372036854775807, -9223372036854775808, -1]")
            .comment("by width, then by bytes in two's complement")
            .root(.set([.int(0), .int(255), .int(256), .int(65536), .int(1 << 32), .int(.max), .int(.min), .int(-1)])),
        success(
            "set_of_uuids",
            "set[uuid(00000000-0000-0000-0000-0000000000ff), uuid(01000000-0000-0000-0000-000000000000)]",
            "by bytes, most significant byte first"
        )
        .root(.set([.uuid(Array(repeating: 0, count: 15) + [255]), .uuid([1] + Array(repeating: 0, count: 15))])),
        success("set_of_urls", #"set[url("z"), url("aa"), url("a" in "b"), url("a" in "a" in "a")]"#)
            .comment("by the number of bases, then text by text, the shorter text first")
            .root(
                .set([
                    .url("z", base: nil), .url("aa", base: nil), .url("a", base: .url("b", base: nil)),
                    .url("a", base: .url("a", base: .url("a", base: nil))),
                ])
            ),
        success("set_of_arrays", "set[[2], [1, 1], [1, 2]]", "by length, then element by element")
            .root(.set([.array([.int(2)]), .array([.int(1), .int(1)]), .array([.int(1), .int(2)])])),
        success("set_of_sets", "set[set[3], set[1, 2], set[1, 256]]")
            .comment("by size, then element by element in canonical order")
            .root(.set([.set([.int(3)]), .set([.int(1), .int(2)]), .set([.int(1), .int(256)])])),
        success("set_of_dictionaries", #"set[{"b": 1}, {"a": 1, "b": 1}, {"a": 1, "b": 2}]"#)
            .comment("by size, then key, value, key, value")
            .root(
                .set([
                    .dictionary([(.string("b"), .int(1))]),
                    .dictionary([(.string("a"), .int(1)), (.string("b"), .int(1))]),
                    .dictionary([(.string("a"), .int(1)), (.string("b"), .int(2))]),
                ])
            ),
        success(
            "set_of_objects",
            #"set[object B {}, object AA {}, object AA {"x": inline 1}, object AA {"x": 1}, object AA {"x": nil}, "#
                + #"object AA {"x": list []}, object AA:B {}]"#,
            classes: "AA B",
            "by class name, superclasses, fields; inline before reference before none before list"
        )
        .root(
            .set([
                .object(["B"], []), .object(["AA"], []), .object(["AA"], [("x", .inline(.int(1)))]),
                .object(["AA"], [("x", .reference(.int(1)))]), .object(["AA"], [("x", .noObject)]),
                .object(["AA"], [("x", .list([]))]), .object(["AA", "B"], []),
            ])
        ),
        success("dictionary_of_every_key", #"{null: 1, true: 2, 5: 3, date(1.0): 4, "a": 5, [1]: 6}"#)
            .comment("keys of any kind, in the order of a set")
            .root(
                .dictionary([
                    (.null, .int(1)), (.scalar(.bool(true)), .int(2)), (.int(5), .int(3)), (.date(1), .int(4)),
                    (.string("a"), .int(5)), (.array([.int(1)]), .int(6)),
                ])
            ),
        success("fields_by_utf8", #"object A {"\u{ffff}": inline 1, "\u{1f511}": inline 2}"#, classes: "A")
            .comment("the order of UTF-8, which is not that of UTF-16")
            .root(.object(["A"], [("\u{FFFF}", .inline(.int(1))), ("\u{1F511}", .inline(.int(2)))])),
    ]

    private static let wide = #"\u{e9}"#

    static let uniqueness: [Vector] = [
        success("scalars_stand_once", #"["a", "a", 5, 5, 1.5, 1.5, <01>, <01>, true, true]"#)
            .comment("equal scalars are one object")
            .root(
                .array([
                    .string("a"), .string("a"), .int(5), .int(5), .scalar(.real(1.5)), .scalar(.real(1.5)),
                    .scalar(.data([1])), .scalar(.data([1])), .scalar(.bool(true)), .scalar(.bool(true)),
                ])
            ),
        success("instances_stand_each", "[null, null, date(1.0), date(1.0), [], [], {}, {}]")
            .comment("equal instances are separate objects that share a class description")
            .root(
                .array([.null, .null, .date(1), .date(1), .array([]), .array([]), .dictionary([]), .dictionary([])])
            ),
        success("classes_by_all_names", "[object A:B {}, object A:C {}, object A:B {}]", classes: "A")
            .comment("two classes with the same name but different superclasses")
            .root(.array([.object(["A", "B"], []), .object(["A", "C"], []), .object(["A", "B"], [])])),
        success("text_like_structure", #"["NS.objects", "$class", "NSArray", "root", "NSKeyedArchiver"]"#)
            .comment("text that equals a name used by the archive shares its object in the property list")
            .root(
                .array([
                    .string("NS.objects"), .string("$class"), .string("NSArray"), .string("root"),
                    .string("NSKeyedArchiver"),
                ])
            ),
        success("array_of_300", "[\((0..<300).map(String.init).joined(separator: ", "))]")
            .comment("references of two bytes in the property list, and UIDs of two bytes")
            .root(.array((0..<300).map { .int($0) })),
    ]

    static let accepted: [Vector] = [
        readable("number_object_bool", "true", "NSNumber as an object")
            .archive([.instance(2, ("NS.boolval", .bool(true))), .class("NSNumber", "NSValue", "NSObject")]),
        readable("number_object_real", "2.5", "NSNumber as an object")
            .archive([.instance(2, ("NS.dblval", .real(2.5))), .class("NSNumber", "NSValue", "NSObject")]),
        readable("string_by_reference", #""a""#, "the text of an NSMutableString is an object")
            .archive([
                .instance(3, ("NS.string", .uid(2))), .string("a"),
                .class("NSMutableString", "NSString", "NSObject"),
            ]),
        readable("data_by_reference", "<01>", "the bytes of an NSMutableData are an object")
            .archive([.instance(3, ("NS.data", .uid(2))), .data([1]), .class("NSMutableData", "NSData", "NSObject")]),
        readable("string_before_bytes", #""a""#, "NS.string wins over NS.bytes")
            .archive([
                .instance(2, ("NS.bytes", .data([0x62])), ("NS.string", .string("a"))),
                .class("NSString", "NSObject"),
            ]),
        readable("url_text_is_mutable", #"url("a")"#, "the text of a URL is an NSMutableString")
            .archive([
                .instance(4, ("NS.base", .uid(0)), ("NS.relative", .uid(2))),
                .instance(3, ("NS.string", .string("a"))), .class("NSMutableString", "NSString", "NSObject"),
                .class("NSURL", "NSObject"),
            ]),
        readable("url_without_base", #"url("a")"#, "no NS.base at all")
            .archive([.instance(3, ("NS.relative", .uid(2))), .string("a"), .class("NSURL", "NSObject")]),
        readable("dictionary_nil_key", "{null: null}", "UID 0 as key and value")
            .archive([
                .instance(2, ("NS.keys", .uids(0)), ("NS.objects", .uids(0))), .class("NSDictionary", "NSObject"),
            ]),
        readable("object_list_with_nil", #"object A {"x": list [null]}"#, classes: "A", "UID 0 in a list")
            .archive([.instance(2, ("x", .uids(0))), .class("A")]),
        success("object_inline_date", #"object A {"x": inline date(1.0)}"#, classes: "A")
            .comment("a date of the property list inside an object")
            .archive([.instance(2, ("x", .date(1))), .class("A")]),
        readable("further_entries", "date(1.0)", "unused entries: next to root, in a date, in a class")
            .archive(
                [
                    .instance(2, ("NS.time", .real(1)), ("zone", .uid(99))),
                    .dictionary([
                        ("$classname", .string("NSDate")),
                        ("$classes", .array([.string("NSDate"), .string("NSObject")])), ("version", .int(1)),
                    ]),
                ],
                top: [("root", .uid(1)), ("other", .uid(99))]
            ),
        readable("objects_unused", "1", "unreferenced objects are not read, whatever they are")
            .archive([.int(1), .array([]), .instance(99), .instance(4, ("NS.objects", .uids(3))), array]),
        malformed("class_allowed_by_superclass", #"classNotAllowed("Unknown", uid: 2)"#)
            .comment("an allowed superclass does not allow its subclasses")
            .archive([.instance(2), .class("Unknown", "NSDictionary", "NSObject")]),
        malformed("version_real", "notAKeyedArchive(version)", "a version that is not an integer")
            .archive(.whole(version: .real(100_000))),
        malformed("date_of_integer", #"malformedObject(className: "NSDate", uid: 1)"#, "NS.time is an integer")
            .archive([.instance(2, ("NS.time", .int(1))), .class("NSDate", "NSObject")]),
        malformed("set_element_twice", "duplicateElement(uid: 1)", "the same element in two objects")
            .archive([
                .instance(4, ("NS.objects", .uids(2, 3))), .string("a"), .string("a"), .class("NSSet", "NSObject"),
            ]),
    ]
}
