// Keys that are not text or are stored as UTF-16, and fields of the wrong kind.

extension ArchiveVectors {
    private static let null = AppleNode.class("NSNull", "NSObject")

    // MARK: Keys

    private static let keyNames = [
        "$version", "$archiver", "$top", "$objects", "root", "$class", "$classname", "$classes",
    ]

    /// An archive of the date 1 whose keys are the objects 0 to 7 of `names`, followed by `others`.
    ///
    /// Each of the four dictionaries may have one more entry, the key of which is the object with this number, and the
    /// value `$null`.
    private static func keyed(
        _ names: [RawObject] = keyNames.map { .ascii($0) },
        _ others: [RawObject] = [],
        root: Int? = nil,
        top: Int? = nil,
        instance: Int? = nil,
        class: Int? = nil
    ) -> [UInt8] {
        func entries(_ more: Int?, _ known: (key: Int, value: Int)...) -> RawObject {
            .dictionary(known + (more.map { [(key: $0, value: 16)] } ?? []))
        }
        return RawPropertyList(
            objects: [
                entries(root, (1, 9), (2, 10), (3, 11), (4, 12)),
                names[0], names[1], names[2], names[3], names[4], names[5], names[6], names[7],
                .int(100_000, byteCount: 4), .ascii("NSKeyedArchiver"),
                entries(top, (5, 13)),
                .array([16, 14, 15]),
                .uid(1),
                entries(instance, (17, 18), (6, 19)),
                entries(`class`, (7, 20), (8, 21)),
                .ascii("$null"), .ascii("NS.time"), .real(1), .uid(2), .ascii("NSDate"), .array([20]),
            ] + others
        ).bytes
    }

    static var keys: [Vector] {
        let wide = keyNames.map { RawObject.utf16(Array($0.utf16)) }
        let notText = "propertyList(keyIsNotAString(offset: "
        return [
            readable("keys_utf16", "date(1.0)", "the archive's own keys stored as UTF-16").bytes(keyed(wide)),
            malformed("class_twice_utf16", "duplicateKey(uid: 1)")
                .comment("two entries for $class, the key of one stored as UTF-16")
                .bytes(keyed(keyNames.map { .ascii($0) }, [.utf16(Array("$class".utf16))], instance: 22)),
            malformed("root_key_not_text", notText + "84))", "a key of the root is an integer").bytes(keyed(root: 9)),
            malformed("top_key_not_text", notText + "82))", "a key of $top is an integer").bytes(keyed(top: 9)),
            malformed("instance_key_not_text", notText + "82))", "a key of a date is an integer")
                .bytes(keyed(instance: 9)),
            malformed("class_key_not_text", notText + "82))", "a key of a class is an integer").bytes(keyed(class: 9)),
            malformed("instance_key_not_ascii", "propertyList(invalidString(offset: 161))")
                .comment("a key that nothing looks for, with a byte of 128")
                .bytes(keyed(keyNames.map { .ascii($0) }, [.bytes([0x51, 0x80])], instance: 22)),
        ]
    }

    // MARK: Fields

    private static func object(
        _ name: String,
        _ className: String,
        _ comment: String,
        _ fields: [(String, AppleNode)],
        _ others: AppleNode...
    ) -> Vector {
        malformed(name, "malformedObject(className: \"\(className)\", uid: 1)", comment)
            .archive([.dictionary(fields + [("$class", .uid(2))]), .class(className, "NSObject")] + others)
    }

    private static func badge(_ name: String, _ comment: String, _ field: AppleNode) -> Vector {
        malformed(name, #"malformedObject(className: "Badge", uid: 1)"#, classes: "Badge", comment)
            .archive([.instance(2, ("x", field)), .class("Badge", "NSObject")])
    }

    static let fields: [Vector] = [
        object("number_boolval_of_integer", "NSNumber", "NS.boolval is an integer", [("NS.boolval", .int(1))]),
        object("number_intval_of_real", "NSNumber", "NS.intval is a real", [("NS.intval", .real(1))]),
        object("number_dblval_of_integer", "NSNumber", "NS.dblval is an integer", [("NS.dblval", .int(1))]),
        object("number_by_reference", "NSNumber", "NS.intval is a UID", [("NS.intval", .uid(3))], .int(1)),
        readable("number_boolval_first", "true", "NS.boolval is there, so NS.intval is not looked for")
            .archive([
                .instance(2, ("NS.intval", .real(1)), ("NS.boolval", .bool(true))), .class("NSNumber", "NSObject"),
            ]),
        object(
            "string_by_nil",
            "NSString",
            "NS.string is UID 0, which is not a string; NS.bytes is not looked for",
            [("NS.string", .uid(0)), ("NS.bytes", .data([0x61]))]
        ),
        object(
            "string_of_number",
            "NSString",
            "NS.string is a number; NS.bytes is not looked for",
            [("NS.string", .int(1)), ("NS.bytes", .data([0x61]))]
        ),
        readable("string_bytes_twice", #""a""#, "NS.string is there, so two NS.bytes do not matter")
            .archive([
                .instance(2, ("NS.bytes", .int(1)), ("NS.bytes", .int(2)), ("NS.string", .string("a"))),
                .class("NSString", "NSObject"),
            ]),
        object(
            "url_base_inline_null",
            "NSURL",
            "NS.base is a null of the property list",
            [("NS.base", .bare(.bytes([0]))), ("NS.relative", .string("a"))]
        ),
        readable("url_base_is_null", #"url("a")"#, "NS.base is the UID of a null")
            .archive([
                .instance(2, ("NS.base", .uid(3)), ("NS.relative", .string("a"))), .class("NSURL", "NSObject"),
                .instance(4), null,
            ]),
        malformed("object_field_twice", "duplicateKey(uid: 1)", classes: "Badge")
            .comment("two fields of the same name in an object of an application class")
            .archive([.instance(2, ("x", .int(1)), ("x", .int(2))), .class("Badge", "NSObject")]),
        badge("object_field_null", "a field that is a null of the property list", .bare(.bytes([0]))),
        badge("object_field_set", "a field that is a set of the property list", .bare(.set([]))),
        badge("object_field_dictionary", "a field that is a dictionary of the property list", .dictionary([])),
        malformed("class_list_number_behind", "malformedClass(uid: 2)")
            .comment("the second name of a class with a row is not text")
            .archive([
                .instance(2),
                .dictionary([
                    ("$classname", .string("NSNull")), ("$classes", .array([.string("NSNull"), .int(1)])),
                ]),
            ]),
        malformed("root_list", "notAKeyedArchive(top)", "the root is a list")
            .archive([.int(1)], top: [("root", .uids(1))]),
        malformed("root_inline_null", "notAKeyedArchive(top)", "the root is a null of the property list")
            .archive([], top: [("root", .bare(.bytes([0])))]),
    ]
}
