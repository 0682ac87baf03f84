// Named objects, broken archives, and archives beyond the limits.

extension ArchiveVectors {
    // MARK: Named objects

    private static let badge = AppleNode.class("Badge", "NSObject")

    static let objects: [Vector] = [
        success("object", #"object Badge:NSObject {"level": inline 3, "title": "Founder"}"#, classes: "Badge")
            .comment("an object of an application class")
            .archive([.instance(3, ("level", .int(3)), ("title", .uid(2))), .string("Founder"), badge]),
        success("object_nil_field", #"object Badge:NSObject {"next": nil}"#, classes: "Badge", "a field that is nil")
            .archive([.instance(2, ("next", .uid(0))), badge]),
        success("object_list_field", #"object Badge:NSObject {"parts": list [1, 2]}"#, classes: "Badge")
            .comment("a field that lists objects itself")
            .archive([.instance(4, ("parts", .uids(2, 3))), .int(1), .int(2), badge]),
        success("object_dollar_field", #"object Badge:NSObject {"$$id": inline 1}"#, classes: "Badge")
            .comment("archivers double a leading dollar sign")
            .archive([.instance(2, ("$$id", .int(1))), badge]),
        success(
            "object_inline_kinds",
            #"object Badge:NSObject {"a": inline true, "b": inline 0.5, "c": inline <01>, "d": inline "t"}"#,
            classes: "Badge",
            "numbers, bytes and text inside an object"
        )
        .archive([
            .instance(2, ("a", .bool(true)), ("b", .real(0.5)), ("c", .data([1])), ("d", .string("t"))), badge,
        ]),
        readable("object_class_hints", #"object Shade:Colour:NSObject {"hue": inline 3}"#, classes: "Shade")
            .comment("hints at replacement classes are ignored")
            .archive([
                .instance(2, ("hue", .int(3))),
                .dictionary([
                    ("$classname", .string("Shade")),
                    ("$classes", .array([.string("Shade"), .string("Colour"), .string("NSObject")])),
                    ("$classhints", .array([.string("Colour")])),
                ]),
            ]),
        malformed("object_not_allowed", #"classNotAllowed("Badge", uid: 2)"#, "a class that is not allowed")
            .archive([.instance(2), badge]),
    ]

    // MARK: The archive as a whole

    static let wholes: [Vector] = [
        malformed("not_a_property_list", "propertyList(notABinaryPropertyList)", "an archive in XML is not supported")
            .bytes(Array("<?xml version=\"1.0\"?><plist><dict/></plist>".utf8)),
        malformed("root_not_dictionary", "notAKeyedArchive(root)", "a property list of an array").archive(.array([])),
        malformed("archiver_missing", "notAKeyedArchive(archiver)", "no $archiver").archive(.whole(archiver: nil)),
        malformed("archiver_other", #"unsupportedArchiver("NRKeyedArchiver")"#, "an archiver with its own rules")
            .archive(.whole(archiver: .string("NRKeyedArchiver"))),
        malformed("archiver_kelvin", #"unsupportedArchiver("NS\u{212a}eyedArchiver")"#)
            .comment("a name that is equal after Unicode normalization")
            .archive(.whole(archiver: .string("NS\u{212A}eyedArchiver"))),
        malformed("version_missing", "notAKeyedArchive(version)", "no $version").archive(.whole(version: nil)),
        malformed("version_200000", "unsupportedVersion(200000)", "a future version")
            .archive(.whole(version: .int(200_000))),
        malformed("top_not_dictionary", "notAKeyedArchive(top)", "$top is an array").archive(.whole(top: .array([]))),
        malformed("objects_empty", "notAKeyedArchive(objects)", "not even $null").archive(.whole(objects: .array([]))),
        malformed("objects_not_array", "notAKeyedArchive(objects)", "$objects is text")
            .archive(.whole(objects: .string("$null"))),
        malformed("objects_without_null", "notAKeyedArchive(objects)", "another string in the place of $null")
            .archive(.whole(top: .dictionary([("root", .uid(0))]), objects: .array([.string("null")]))),
        malformed("root_missing", #"noTopValue("root")"#, "values, but none called root")
            .archive([.int(1)], top: [("user", .uid(1))]),
        readable("root_inline", "5", "a number inside $top, as encode(_: Int, forKey:) puts it")
            .archive([], top: [("root", .int(5))]),
    ]

    // MARK: Broken objects

    private static func object(_ name: String, _ className: String, _ comment: String = "") -> Claim {
        malformed(name, "malformedObject(className: \"\(className)\", uid: 1)", comment)
    }

    static let broken: [Vector] = [
        malformed("uid_out_of_range", "referenceOutOfRange(uid: 9)", "a root that does not exist")
            .archive([.int(1)], top: [("root", .uid(9))]),
        malformed("class_uid_out_of_range", "referenceOutOfRange(uid: 9)", "a class that does not exist")
            .archive([.instance(9)]),
        malformed("class_is_string", "malformedClass(uid: 2)", "a class that is text")
            .archive([.instance(2), .string("NSDate")]),
        malformed("class_without_name", "malformedClass(uid: 2)", "no $classname")
            .archive([.instance(2), .dictionary([("$classes", .array([.string("NSNull")]))])]),
        malformed("class_without_list", "malformedClass(uid: 2)", "no $classes")
            .archive([.instance(2), .dictionary([("$classname", .string("NSNull"))])]),
        malformed("class_list_empty", "malformedClass(uid: 2)", "an empty $classes")
            .archive([.instance(2), .dictionary([("$classname", .string("NSNull")), ("$classes", .array([]))])]),
        malformed("class_list_of_numbers", "malformedClass(uid: 2)", "$classes of numbers")
            .archive([.instance(2), .dictionary([("$classname", .string("NSNull")), ("$classes", .array([.int(1)]))])]),
        malformed("class_names_disagree", "malformedClass(uid: 2)", "a harmless name in front of another class")
            .archive([
                .instance(2),
                .dictionary([("$classname", .string("NSNull")), ("$classes", .array([.string("Badge")]))]),
            ]),
        malformed("class_as_value", "notAValue(uid: 1)", "a class description as the root").archive([badge]),
        malformed("instance_without_class", "notAValue(uid: 1)", "no $class")
            .archive([.dictionary([("NS.time", .real(1))])]),
        malformed("bare_array", "notAValue(uid: 1)", "an array that is not an object").archive([.array([])]),
        malformed("bare_uid", "notAValue(uid: 1)", "a reference where an object belongs").archive([.uid(1)]),
        malformed("bare_date", "notAValue(uid: 1)", "a date that is not an object").archive([.date(1)]),
        object("date_without_time", "NSDate", "no NS.time").archive([.instance(2), .class("NSDate", "NSObject")]),
        object("date_of_text", "NSDate", "NS.time is text")
            .archive([.instance(2, ("NS.time", .string("now"))), .class("NSDate", "NSObject")]),
        object("uuid_15_bytes", "NSUUID", "one byte short")
            .archive([
                .instance(2, ("NS.uuidbytes", .data(Array(repeating: 1, count: 15)))), .class("NSUUID", "NSObject"),
            ]),
        object("url_without_text", "NSURL", "no NS.relative")
            .archive([.instance(2, ("NS.base", .uid(0))), .class("NSURL", "NSObject")]),
        object("url_base_is_text", "NSURL", "a base that is not a URL")
            .archive([
                .instance(3, ("NS.base", .uid(2)), ("NS.relative", .uid(2))), .string("a"),
                .class("NSURL", "NSObject"),
            ]),
        object("string_bytes_not_utf8", "NSString", "NS.bytes that are not UTF-8")
            .archive([.instance(2, ("NS.bytes", .data([0xFF]))), .class("NSString", "NSObject")]),
        object("string_without_text", "NSString", "neither text nor bytes")
            .archive([.instance(2), .class("NSString", "NSObject")]),
        object("data_without_bytes", "NSData", "no NS.data")
            .archive([.instance(2), .class("NSMutableData", "NSData", "NSObject")]),
        object("number_without_value", "NSNumber", "no value").archive([.instance(2), .class("NSNumber", "NSObject")]),
        object("array_of_inline_numbers", "NSArray", "elements that are not references")
            .archive([.instance(2, ("NS.objects", .array([.int(1)]))), array]),
        object("array_without_elements", "NSArray", "no NS.objects").archive([.instance(2), array]),
        object("array_of_dictionary", "NSArray", "a dictionary in the place of the elements")
            .archive([.instance(2, ("NS.objects", .dictionary([]))), array]),
        object("dictionary_uneven", "NSDictionary", "two keys and one value")
            .archive([.instance(4, ("NS.keys", .uids(2, 3)), ("NS.objects", .uids(2))), .int(1), .int(2), dictionary]),
        malformed("field_twice", "duplicateKey(uid: 1)", "a date with two times")
            .archive([.instance(2, ("NS.time", .real(1)), ("NS.time", .real(2))), .class("NSDate", "NSObject")]),
        malformed("class_twice", "duplicateKey(uid: 1)", "an object of two classes")
            .archive([.instance(2, ("$class", .uid(2))), .class("NSNull", "NSObject")]),
        malformed("class_name_twice", "duplicateKey(uid: 2)", "a class of two names")
            .archive([
                .instance(2),
                .dictionary([
                    ("$classname", .string("NSNull")), ("$classname", .string("Badge")),
                    ("$classes", .array([.string("NSNull")])),
                ]),
            ]),
        malformed("root_twice", "duplicateKey(uid: 0)", "two roots")
            .archive([.int(1), .int(2)], top: [("root", .uid(1)), ("root", .uid(2))]),
        malformed("dictionary_key_twice", "duplicateKey(uid: 1)", "the same key in two objects")
            .archive([
                .instance(4, ("NS.keys", .uids(2, 3)), ("NS.objects", .uids(2, 2))), .string("a"), .string("a"),
                dictionary,
            ]),
    ]

    // MARK: Limits

    private static func chain(_ count: Int) -> AppleNode {
        let arrays = (1..<count).map { AppleNode.instance(UInt64(count + 1), ("NS.objects", .uids(UInt64($0 + 1)))) }
        return .archive(arrays + [.instance(UInt64(count + 1), ("NS.objects", .array([]))), array])
    }

    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    static var limits: [Vector] {
        let doubling = (1...24).map { AppleNode.instance(26, ("NS.objects", .uids(UInt64($0 + 1), UInt64($0 + 1)))) }
        let many = Array(repeating: AppleNode.uid(2), count: 300_000)
        return [
            malformed("self_reference", "cycle(uid: 1)")
                .comment("an array that contains itself: Foundation's reader overflows its stack")
                .archive([.instance(2, ("NS.objects", .uids(1))), array]),
            malformed("cycle_of_two", "cycle(uid: 1)", "two arrays that contain each other")
                .archive([.instance(3, ("NS.objects", .uids(2))), .instance(3, ("NS.objects", .uids(1))), array]),
            malformed("cycle_through_url_base", "cycle(uid: 1)", "a URL that is its own base")
                .archive([
                    .instance(3, ("NS.base", .uid(1)), ("NS.relative", .uid(2))), .string("a"),
                    .class("NSURL", "NSObject"),
                ]),
            malformed("cycle_through_string", "cycle(uid: 1)", "a string whose text is itself")
                .archive([.instance(2, ("NS.string", .uid(1))), .class("NSString", "NSObject")]),
            success("depth_64", nested(64), "the deepest value").archive(chain(64)),
            limit("depth_through_shared", "tooDeep(limit: 64)")
                .comment("an array of 40 levels, once at the top and once 50 levels down")
                .archive(
                    [.instance(92, ("NS.objects", .uids(52, 2)))]
                        + (2...90).map { .instance(92, ("NS.objects", .uids(UInt64($0 + 1)))) }
                        + [.instance(92, ("NS.objects", .array([]))), array]
                ),
            limit("depth_65", "tooDeep(limit: 64)", "one deeper than the limit").archive(chain(65)),
            limit("depth_10000", "tooDeep(limit: 64)")
                .comment("ten thousand nested arrays: Foundation's reader overflows its stack")
                .archive(chain(10_000)),
            limit("shared_refs_24", "tooManyNodes(limit: 262144)")
                .comment("24 levels of two references to one child: sixteen million values")
                .archive(doubling + [.instance(26, ("NS.objects", .array([]))), array]),
            limit("wide_array", "tooManyNodes(limit: 262144)", "300,000 references to one string")
                .archive([.instance(3, ("NS.objects", .array(many))), .string("a"), array]),
            limit("shared_string", "tooManyNodes(limit: 262144)", "1,000 references to 64 KiB of text")
                .archive([
                    .instance(3, ("NS.objects", .array(Array(repeating: .uid(2), count: 1000)))),
                    .string(String(repeating: "a", count: 1 << 16)), array,
                ]),
            limit("shared_string_bytes", "tooManyNodes(limit: 262144)")
                .comment("60 nested arrays of 14 strings each, all with the same 64 KiB of UTF-8: 54 MB")
                .archive(sharedStringBytes),
            limit("class_of_2000_superclasses", "tooManyNodes(limit: 262144)", classes: "C0")
                .comment("2,000 objects of a class with 2,000 superclasses: comparing them would take seconds")
                .archive(
                    AppleArchiver.archive(
                        .set((0..<2000).map { .object((0..<2000).map { "C\($0)" }, [("id", .inline(.int($0)))]) })
                    )
                ),
            limit("many_empty_slots", "propertyList(tooManyObjects(count: 300001, limit: 262144))")
                .comment("$objects lists one number 300,000 times")
                .archive(Array(repeating: .int(1), count: 300_000)),
            limit("shared_fields", "tooManyNodes(limit: 262144)")
                .comment("1,000 objects that share one dictionary of 1,000 fields")
                .list(sharedFields),
        ]
    }

    private static var sharedStringBytes: AppleNode {
        // Object 1 + 15 n is an array, followed by its fourteen strings; the classes come last.
        let bytes = AppleNode.data(Array(repeating: 0x61, count: 1 << 16))
        var objects: [AppleNode] = []
        for level in 0..<60 {
            let first = UInt64(1 + 15 * level)
            let next = level < 59 ? [first + 15] : []
            objects.append(
                .instance(901, ("NS.objects", .array((((first + 1)...(first + 14)) + next).map { .uid($0) })))
            )
            objects += Array(repeating: .instance(902, ("NS.bytes", bytes)), count: 14)
        }
        return .archive(objects + [array, .class("NSMutableString", "NSString", "NSObject")])
    }

    /// An array of the objects 2 to 1001, which all share one dictionary of the property list.
    private static var sharedFields: RawPropertyList {
        let uids = (0..<1000).map { RawObject.uid(UInt64($0 + 2), byteCount: 2) }
        let names = (0..<1000).map { RawObject.ascii("field\($0)") }
        let firstUID = 24
        let firstName = firstUID + uids.count
        return RawPropertyList(
            objects: [
                .dictionary([(1, 5), (2, 6), (3, 7), (4, 10)]),
                .ascii("$version"), .ascii("$archiver"), .ascii("$top"), .ascii("$objects"),
                .int(100_000, byteCount: 4), .ascii("NSKeyedArchiver"),
                .dictionary([(8, 9)]), .ascii("root"), .uid(1),
                .array([11, 12] + Array(repeating: 13, count: 1000) + [14, 15]),
                .ascii("$null"),
                .dictionary([(16, 17), (18, 19)]),
                .dictionary(names.indices.map { (firstName + $0, 5) } + [(18, 20)]),
                .dictionary([(21, 22), (23, firstName + 1000)]),
                .dictionary([(21, firstName + 1001), (23, firstName + 1002)]),
                .ascii("NS.objects"), .array(uids.indices.map { firstUID + $0 }),
                .ascii("$class"), .uid(1002, byteCount: 2), .uid(1003, byteCount: 2),
                .ascii("$classname"), .ascii("NSArray"), .ascii("$classes"),
            ] + uids + names + [.array([22]), .ascii("NSNull"), .array([firstName + 1001])],
            referenceByteCount: 2
        )
    }
}
