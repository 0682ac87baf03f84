/// The vectors for readers of binary property lists.
enum PropertyListVectors {
    static var all: [Vector] { values + containers + headers + trailers + objects + limits }

    private static func success(
        _ name: String,
        _ value: String,
        canonical: Bool = true,
        _ comment: String,
        _ list: RawPropertyList
    ) -> Vector {
        Vector(
            name: name,
            outcome: .success(value),
            settings: [("canonical", canonical ? "yes" : "no")],
            comment: comment,
            body: list.bytes
        )
    }

    private static func malformed(
        _ name: String,
        _ error: String,
        _ comment: String,
        _ list: RawPropertyList
    ) -> Vector {
        Vector(name: name, outcome: .malformed(error), comment: comment, body: list.bytes)
    }

    private static func limit(_ name: String, _ error: String, _ comment: String, _ list: RawPropertyList) -> Vector {
        Vector(name: name, outcome: .limitExceeded(error), comment: comment, body: list.bytes)
    }

    private static func one(_ object: RawObject) -> RawPropertyList {
        RawPropertyList(objects: [object])
    }

    // MARK: Values

    private static let values: [Vector] = [
        success("null", "null", "marker 00", one(.bytes([0x00]))),
        success("false", "false", "marker 08", one(.bytes([0x08]))),
        success("true", "true", "marker 09", one(.bytes([0x09]))),
        success("int_1_byte", "255", "one byte is unsigned", one(.int(255))),
        success("int_2_bytes", "65535", "two bytes are unsigned", one(.int(65535, byteCount: 2))),
        success("int_4_bytes", "4294967295", "four bytes are unsigned", one(.int(0xFFFF_FFFF, byteCount: 4))),
        success("int_8_bytes", "4294967296", "eight bytes are signed", one(.int(1 << 32, byteCount: 8))),
        success("int_negative", "-1", "negative numbers take eight bytes", one(.int(-1, byteCount: 8))),
        success(
            "int_16_bytes",
            "18446744073709551615",
            "the largest unsigned 64-bit number takes sixteen bytes",
            one(.bytes([0x14] + bigEndian(0, 8) + bigEndian(.max, 8)))
        ),
        success(
            "int_16_bytes_negative",
            "-170141183460469231731687303715884105728",
            "the smallest 128-bit number",
            one(.bytes([0x14, 0x80] + bigEndian(0, 15)))
        ),
        success("int_wide", "5", canonical: false, "five in eight bytes", one(.int(5, byteCount: 8))),
        success("real", "1.5", "marker 23", one(.real(1.5))),
        success("real_negative_zero", "-0.0", "keeps its sign", one(.real(-0.0))),
        success("real_nan", "nan", "not a number is a number here", one(.real(.nan))),
        success(
            "real_4_bytes",
            "1.5",
            canonical: false,
            "marker 22; writers use eight bytes",
            one(.bytes([0x22, 0x3F, 0xC0, 0x00, 0x00]))
        ),
        success("date", "date(5.5)", "seconds since 2001", one(.date(5.5))),
        success("data_empty", "<>", "marker 40", one(.data([]))),
        success(
            "data_14_bytes",
            "<000102030405060708090a0b0c0d>",
            "the longest short count",
            one(.data(Array(0..<14)))
        ),
        success(
            "data_15_bytes",
            "<000102030405060708090a0b0c0d0e>",
            "the shortest count in an integer of its own",
            one(.data(Array(0..<15)))
        ),
        success(
            "data_count_wide",
            "<0102>",
            canonical: false,
            "a count of two in an integer of eight bytes",
            one(.bytes([0x4F, 0x13] + bigEndian(2, 8) + [1, 2]))
        ),
        success("string_empty", #""""#, "marker 50", one(.ascii(""))),
        success("string_ascii", #""kim\u{7f}\u{0}""#, "every ASCII character", one(.ascii("kim\u{7F}\u{0}"))),
        success("string_utf16", #""\u{e9}""#, "big-endian units", one(.utf16([0x00E9]))),
        success("string_surrogates", #""\u{1f511}""#, "a pair is one character", one(.utf16([0xD83D, 0xDD11]))),
        success(
            "string_utf16_ascii",
            #""a""#,
            canonical: false,
            "ASCII text in UTF-16 is read, not written",
            one(.utf16([0x61]))
        ),
        success("uid_1_byte", "uid(7)", "marker 80", one(.uid(7))),
        success("uid_2_bytes", "uid(256)", "marker 81", one(.uid(256, byteCount: 2))),
        success("uid_4_bytes", "uid(4294967295)", "marker 83", one(.uid(0xFFFF_FFFF, byteCount: 4))),
        success("uid_3_bytes", "uid(66051)", canonical: false, "marker 82", one(.uid(0x010203, byteCount: 3))),
        success(
            "uid_16_bytes",
            "uid(9)",
            canonical: false,
            "leading zeros do not count",
            one(.bytes([0x8F] + bigEndian(9, 16)))
        ),
    ]

    // MARK: Containers

    private static let containers: [Vector] = [
        success("array_empty", "[]", "marker a0", one(.array([]))),
        success("array", "[1, \"a\"]", "two parts", RawPropertyList(objects: [.array([1, 2]), .int(1), .ascii("a")])),
        success(
            "array_shared_part",
            "[[1], [1]]",
            canonical: false,
            "two references to one array",
            RawPropertyList(objects: [.array([1, 1]), .array([2]), .int(1)])
        ),
        success(
            "set",
            "set[1, 256, \"b\", \"aa\"]",
            "by encoded bytes: integers before strings, the shorter first",
            RawPropertyList(objects: [
                .set([1, 2, 3, 4]), .int(1), .int(256, byteCount: 2), .ascii("b"), .ascii("aa"),
            ])
        ),
        success(
            "set_unsorted",
            "set[1, 2]",
            canonical: false,
            "the order of a set in a file means nothing",
            RawPropertyList(objects: [.set([1, 2]), .int(2), .int(1)])
        ),
        success("dictionary_empty", "{}", "marker d0", one(.dictionary([]))),
        success(
            "dictionary",
            #"{"a": 1, "b": true}"#,
            "keys in the order of their UTF-8 bytes",
            RawPropertyList(objects: [
                .dictionary([(1, 3), (2, 4)]), .ascii("a"), .ascii("b"), .int(1), .bytes([0x09]),
            ])
        ),
        success(
            "dictionary_unsorted",
            #"{"a": 1, "b": 2}"#,
            canonical: false,
            "the order of a dictionary in a file means nothing",
            RawPropertyList(objects: [.dictionary([(1, 2), (3, 4)]), .ascii("b"), .int(2), .ascii("a"), .int(1)])
        ),
        success(
            "dictionary_keys_normalised_alike",
            #"{"e\u{301}": 1, "\u{e9}": 2}"#,
            "a decomposed and a composed letter are two keys",
            RawPropertyList(objects: [
                .dictionary([(1, 3), (2, 4)]), .utf16([0x65, 0x301]), .utf16([0xE9]), .int(1), .int(2),
            ])
        ),
        success(
            "references_of_2_bytes",
            "[1]",
            canonical: false,
            "references wider than needed",
            RawPropertyList(objects: [.array([1]), .int(1)], referenceByteCount: 2)
        ),
        success(
            "references_of_8_bytes",
            "[1]",
            canonical: false,
            "references as wide as can be",
            RawPropertyList(objects: [.array([1]), .int(1)], referenceByteCount: 8)
        ),
        success(
            "offsets_of_3_bytes",
            "[1]",
            canonical: false,
            "offsets of any size up to eight bytes",
            RawPropertyList(objects: [.array([1]), .int(1)], offsetByteCount: 3)
        ),
        success(
            "object_unused",
            "1",
            canonical: false,
            "an object that nothing refers to is not read, whatever it is",
            RawPropertyList(objects: [.int(1), .bytes([0xFF])])
        ),
        success(
            "top_object_last",
            "1",
            canonical: false,
            "the root may stand anywhere",
            RawPropertyList(objects: [.int(2), .int(1)], change: { $0.topObject = 1 })
        ),
        success(
            "trailer_unused_bytes",
            "1",
            canonical: false,
            "readers ignore the first six bytes of the trailer",
            RawPropertyList(objects: [.int(1)], change: { $0.unused = [1, 2, 3, 4, 5, 6] })
        ),
    ]

    // MARK: Header

    private static let headers: [Vector] = [
        Vector(
            name: "header_empty_file",
            outcome: .malformed("notABinaryPropertyList"),
            comment: "no bytes at all",
            body: []
        ),
        Vector(
            name: "header_only",
            outcome: .malformed("tooShort(byteCount: 8)"),
            comment: "a header and nothing else",
            body: Array("bplist00".utf8)
        ),
        Vector(
            name: "header_cut",
            outcome: .malformed("tooShort(byteCount: 7)"),
            comment: "half of the version",
            body: Array("bplist0".utf8)
        ),
        Vector(
            name: "trailer_without_object",
            outcome: .malformed("tooShort(byteCount: 41)"),
            comment: "one byte less than a header, an object, an offset and a trailer",
            body: Array("bplist00".utf8) + Array(repeating: 0, count: 33)
        ),
        malformed(
            "header_magic",
            "notABinaryPropertyList",
            "one letter is wrong",
            RawPropertyList(header: Array("bplisT00".utf8), objects: [.int(1)])
        ),
        malformed(
            "header_version_01",
            "unsupportedVersion(48, 49)",
            "a later version",
            RawPropertyList(header: Array("bplist01".utf8), objects: [.int(1)])
        ),
        malformed(
            "header_version_15",
            "unsupportedVersion(49, 53)",
            "the version that Apple's private encoder writes",
            RawPropertyList(header: Array("bplist15".utf8), objects: [.int(1)])
        ),
    ]

    // MARK: Trailer

    private static func trailer(
        _ name: String,
        _ field: String,
        _ comment: String,
        _ change: @escaping (inout RawPropertyList.Trailer) -> Void
    ) -> Vector {
        malformed(
            "trailer_\(name)",
            "invalidTrailer(\(field))",
            comment,
            RawPropertyList(objects: [.array([1]), .int(1)], change: change)
        )
    }

    private static let trailers: [Vector] = [
        trailer("offset_size_0", "offsetByteCount", "offsets without bytes") { $0.offsetByteCount = 0 },
        trailer("offset_size_9", "offsetByteCount", "offsets beyond 64 bits") { $0.offsetByteCount = 9 },
        trailer("reference_size_0", "referenceByteCount", "references without bytes") { $0.referenceByteCount = 0 },
        trailer("reference_size_9", "referenceByteCount", "references beyond 64 bits") { $0.referenceByteCount = 9 },
        trailer("count_0", "objectCount", "no objects") { $0.objectCount = 0 },
        trailer("count_1_too_few", "objectCount", "a table with a byte left over") { $0.objectCount = 1 },
        trailer("count_1_too_many", "objectCount", "a table that reaches into the trailer") { $0.objectCount = 3 },
        trailer("top_beyond_count", "topObject", "the root is no object") { $0.topObject = 2 },
        trailer("top_max", "topObject", "the root is no object by far") { $0.topObject = .max },
        trailer("table_in_header", "offsetTableOffset", "no room for an object") { $0.offsetTableOffset = 8 },
        trailer("table_in_trailer", "offsetTableOffset", "a table behind the objects' end") {
            $0.offsetTableOffset = 14
        },
        trailer("table_max", "offsetTableOffset", "a table beyond the file") { $0.offsetTableOffset = .max },
        malformed(
            "trailer_reference_size_too_small",
            "invalidTrailer(referenceByteCount)",
            "256 objects cannot be counted in one byte",
            RawPropertyList(objects: Array(repeating: .int(1), count: 256))
        ),
        malformed(
            "trailer_offset_size_too_small",
            "invalidTrailer(offsetByteCount)",
            "the table lies at 258, which one byte does not hold",
            RawPropertyList(objects: [.data(Array(repeating: 0, count: 247))], offsetByteCount: 1)
        ),
    ]

    // MARK: Objects

    private static func object(_ name: String, _ error: String, _ comment: String, _ bytes: [UInt8]) -> Vector {
        malformed(name, error, comment, one(.bytes(bytes)))
    }

    private static let unknownMarkers: [UInt8] = [
        0x01, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x15, 0x1F, 0x20, 0x21, 0x24, 0x30, 0x34, 0x70, 0x90, 0xB1, 0xE0,
        0xF0,
    ]

    private static var objects: [Vector] {
        unknownMarkers.map { marker in
            let hex = String(marker, radix: 16)
            return object(
                "marker_\(hex.count == 1 ? "0" : "")\(hex)",
                "unknownMarker(\(marker), offset: 8)",
                "not a value of version 00",
                [marker] + Array(repeating: 0, count: 16)
            )
        } + offsets + payloads + references
    }

    private static let offsets: [Vector] = [
        malformed(
            "offset_in_header",
            "objectOffsetOutOfBounds(object: 0)",
            "an object that begins in the header",
            RawPropertyList(objects: [.int(1)], offsets: [0: 7])
        ),
        malformed(
            "offset_in_table",
            "objectOffsetOutOfBounds(object: 0)",
            "an object that begins in the offset table",
            RawPropertyList(objects: [.int(1)], offsets: [0: 10])
        ),
        malformed(
            "offset_beyond_file",
            "objectOffsetOutOfBounds(object: 1)",
            "an object beyond the end",
            RawPropertyList(objects: [.array([1]), .int(1)], offsets: [1: 255])
        ),
    ]

    private static let payloads: [Vector] = [
        object("int_truncated", "truncated(offset: 8)", "eight bytes of which two are there", [0x13, 0, 0]),
        object(
            "int_16_bytes_truncated",
            "truncated(offset: 8)",
            "sixteen bytes of which eight are there",
            [0x14] + bigEndian(1, 8)
        ),
        object("real_truncated", "truncated(offset: 8)", "eight bytes of which four are there", [0x23, 0, 0, 0, 0]),
        object("date_truncated", "truncated(offset: 8)", "eight bytes of which none is there", [0x33]),
        object("uid_truncated", "truncated(offset: 8)", "four bytes of which one is there", [0x83, 1]),
        object("uid_too_wide", "uidOutOfRange(offset: 8)", "a reference of 33 bits", [0x84, 1, 0, 0, 0, 0]),
        object("data_truncated", "truncated(offset: 8)", "three bytes of which two are there", [0x43, 1, 2]),
        object("data_count_missing", "truncated(offset: 8)", "the count is not there", [0x4F]),
        object("data_count_cut", "truncated(offset: 8)", "the count itself is cut", [0x4F, 0x13, 0, 0]),
        object("data_count_real", "invalidCount(offset: 8)", "the count is a real", [0x4F, 0x23] + bigEndian(0, 8)),
        object(
            "data_count_16_bytes",
            "invalidCount(offset: 8)",
            "the count is an integer of sixteen bytes",
            [0x4F, 0x14] + bigEndian(0, 16)
        ),
        object("data_count_2_40", "invalidCount(offset: 8)", "a terabyte", [0x4F, 0x13] + bigEndian(1 << 40, 8)),
        object(
            "data_count_max",
            "invalidCount(offset: 8)",
            "a count that reads as -1",
            [0x4F, 0x13] + bigEndian(.max, 8)
        ),
        object("string_truncated", "truncated(offset: 8)", "two letters of which one is there", [0x52, 0x61]),
        object("string_not_ascii", "invalidString(offset: 9)", "a byte of 128 or more", [0x52, 0x61, 0xE9]),
        object("string_utf16_truncated", "truncated(offset: 8)", "a unit and a half", [0x62, 0, 0x61, 0]),
        object("string_lone_high_surrogate", "invalidString(offset: 9)", "half of a pair", [0x61, 0xD8, 0x3D]),
        object("string_lone_low_surrogate", "invalidString(offset: 9)", "the other half", [0x61, 0xDD, 0x11]),
        object("array_truncated", "truncated(offset: 8)", "three references of which one is there", [0xA3, 0]),
        object(
            "array_count_2_40",
            "invalidCount(offset: 8)",
            "more references than any file holds",
            [0xAF, 0x13] + bigEndian(1 << 40, 8)
        ),
        object("set_truncated", "truncated(offset: 8)", "two references of which one is there", [0xC2, 0]),
        object("dictionary_truncated", "truncated(offset: 8)", "a key without value", [0xD1, 0]),
    ]

    private static let references: [Vector] = [
        malformed(
            "reference_out_of_range",
            "referenceOutOfRange(offset: 9)",
            "an object that does not exist",
            RawPropertyList(objects: [.array([2]), .int(1)])
        ),
        malformed(
            "key_is_integer",
            "keyIsNotAString(offset: 11)",
            "a key that is a number",
            RawPropertyList(objects: [.dictionary([(1, 1)]), .int(1)])
        ),
        malformed(
            "key_twice_one_object",
            "duplicateKey(offset: 8)",
            "two references to one key",
            RawPropertyList(objects: [.dictionary([(1, 2), (1, 2)]), .ascii("a"), .int(1)])
        ),
        malformed(
            "key_twice_two_objects",
            "duplicateKey(offset: 8)",
            "two keys with the same text, one of them in UTF-16",
            RawPropertyList(objects: [.dictionary([(1, 3), (2, 3)]), .ascii("a"), .utf16([0x61]), .int(1)])
        ),
        malformed(
            "self_reference",
            "cycle(offset: 8)",
            "an array that contains itself",
            RawPropertyList(objects: [.array([0])])
        ),
        malformed(
            "cycle_of_two",
            "cycle(offset: 8)",
            "two arrays that contain each other",
            RawPropertyList(objects: [.array([1]), .array([0])])
        ),
        malformed(
            "cycle_through_key",
            "cycle(offset: 8)",
            "a dictionary that is its own key",
            RawPropertyList(objects: [.dictionary([(0, 1)]), .int(1)])
        ),
    ]

    // MARK: Limits

    private static func chain(_ count: Int) -> RawPropertyList {
        let arrays = (1..<count).map { RawObject.array([$0]) }
        return RawPropertyList(objects: arrays + [.array([])], referenceByteCount: 2)
    }

    private static var limits: [Vector] {
        let nested = String(repeating: "[", count: 128) + String(repeating: "]", count: 128)
        let doubling = (1...24).map { RawObject.array([$0, $0]) } + [.array([])]
        // Wherever it is entered, this is data of 4,096 bytes.
        let overlapping = Array(repeating: [0x4F, 0x11, 0x10, 0x00] as [UInt8], count: 2100).flatMap(\.self)
        let long = RawObject.data(Array(repeating: 0x61, count: 1 << 16))
        return [
            success("depth_128", nested, canonical: false, "the deepest value", chain(128)),
            limit("depth_129", "tooDeep(limit: 128)", "one deeper", chain(129)),
            limit("depth_600", "tooDeep(limit: 128)", "beyond what Foundation reads", chain(600)),
            limit(
                "shared_refs_24",
                "tooManyNodes(limit: 262144)",
                "24 levels of two references to one child: sixteen million values; Foundation takes seconds",
                RawPropertyList(objects: doubling)
            ),
            limit(
                "wide_array",
                "tooManyNodes(limit: 262144)",
                "300,000 references to one number",
                RawPropertyList(objects: [.array(Array(repeating: 1, count: 300_000)), .int(1)])
            ),
            limit(
                "shared_data",
                "tooManyNodes(limit: 262144)",
                "1,000 references to 64 KiB: reading each would take 64 MB",
                RawPropertyList(objects: [.array(Array(repeating: 1, count: 1000)), long])
            ),
            limit(
                "shared_place",
                "tooManyNodes(limit: 262144)",
                "1,000 objects at the same place: reading each would take 64 MB",
                RawPropertyList(
                    objects: [.array(Array(1...1000)), long] + Array(repeating: .bytes([]), count: 999),
                    referenceByteCount: 2,
                    offsets: Dictionary(uniqueKeysWithValues: (2...1000).map { ($0, 2012) })
                )
            ),
            malformed(
                "overlapping_data",
                "overlappingObjects(offset: 2028)",
                "1,000 objects of 4 KiB, each beginning four bytes after the one before, in a file of 12 KiB",
                RawPropertyList(
                    objects: [.array(Array(1...1000)), .bytes(overlapping)]
                        + Array(repeating: .bytes([]), count: 999),
                    referenceByteCount: 2,
                    offsets: Dictionary(uniqueKeysWithValues: (2...1000).map { ($0, 2008 + 4 * $0) })
                )
            ),
            limit(
                "count_2_63",
                "tooManyObjects(count: 9223372036854775808, limit: 262144)",
                "more objects than any file holds",
                RawPropertyList(objects: [.int(1)], change: { $0.objectCount = 1 << 63 })
            ),
        ]
    }
}
