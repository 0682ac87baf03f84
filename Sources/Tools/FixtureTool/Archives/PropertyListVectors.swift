/// The vectors for readers of binary property lists.
enum PropertyListVectors: ValueVectors {
    static var all: [Vector] { values + containers + headers + trailers + objects + limits }

    // MARK: Values

    private static let values: [Vector] = [
        success("null", "null", "marker 00").object(.bytes([0x00])),
        success("false", "false", "marker 08").object(.bytes([0x08])),
        success("true", "true", "marker 09").object(.bytes([0x09])),
        success("int_1_byte", "255", "one byte is unsigned").object(.int(255)),
        success("int_2_bytes", "65535", "two bytes are unsigned").object(.int(65535, byteCount: 2)),
        success("int_4_bytes", "4294967295", "four bytes are unsigned").object(.int(0xFFFF_FFFF, byteCount: 4)),
        success("int_8_bytes", "4294967296", "eight bytes are signed").object(.int(1 << 32, byteCount: 8)),
        success("int_negative", "-1", "negative numbers take eight bytes").object(.int(-1, byteCount: 8)),
        success("int_16_bytes", "18446744073709551615", "the largest unsigned 64-bit number takes sixteen bytes")
            .object(.bytes([0x14] + bigEndian(0, 8) + bigEndian(.max, 8))),
        readable("int_16_bytes_of_ones", "18446744073709551615")
            .comment("the largest unsigned 64-bit number, as some Apple archivers write it")
            .object(.bytes([0x14] + bigEndian(.max, 8) + bigEndian(.max, 8))),
        readable("int_16_bytes_ones_before", "9223372036854775808")
            .comment("the smallest number with ones before it that is unsigned")
            .object(.bytes([0x14] + bigEndian(.max, 8) + bigEndian(1 << 63, 8))),
        success("int_16_bytes_below_8", "-9223372036854775809")
            .comment("the largest negative number that eight bytes do not hold")
            .object(.bytes([0x14] + bigEndian(.max, 8) + bigEndian(.max >> 1, 8))),
        success("int_16_bytes_negative", "-170141183460469231731687303715884105728", "the smallest 128-bit number")
            .object(.bytes([0x14, 0x80] + bigEndian(0, 15))),
        success("int_16_bytes_smallest", "9223372036854775808", "the first number that needs sixteen bytes")
            .object(.bytes([0x14] + bigEndian(0, 8) + bigEndian(1 << 63, 8))),
        success("data_256_bytes", "<\(String(repeating: "61", count: 256))>", "a count of two bytes")
            .object(.data(Array(repeating: 0x61, count: 256))),
        readable("int_wide", "5", "five in eight bytes").object(.int(5, byteCount: 8)),
        success("real", "1.5", "marker 23").object(.real(1.5)),
        success("real_negative_zero", "-0.0", "keeps its sign").object(.real(-0.0)),
        success("real_nan", "nan", "a NaN").object(.real(.nan)),
        readable("real_4_bytes", "1.5", "marker 22; writers use eight bytes")
            .object(.bytes([0x22, 0x3F, 0xC0, 0x00, 0x00])),
        success("date", "date(5.5)", "seconds since 2001").object(.date(5.5)),
        success("data_empty", "<>", "marker 40").object(.data([])),
        success("data_14_bytes", "<000102030405060708090a0b0c0d>", "the longest short count")
            .object(.data(Array(0..<14))),
        success("data_15_bytes", "<000102030405060708090a0b0c0d0e>", "the shortest count in a separate integer")
            .object(.data(Array(0..<15))),
        readable("data_count_wide", "<0102>", "a count of two in an integer of eight bytes")
            .object(.bytes([0x4F, 0x13] + bigEndian(2, 8) + [1, 2])),
        success("string_empty", #""""#, "marker 50").object(.ascii("")),
        success("string_ascii", #""kim\u{7f}\u{0}""#, "ASCII, with DEL and NUL").object(.ascii("kim\u{7F}\u{0}")),
        success("string_utf16", #""\u{e9}""#, "big-endian units").object(.utf16([0x00E9])),
        success("string_surrogates", #""\u{1f511}""#, "a pair is one character").object(.utf16([0xD83D, 0xDD11])),
        readable("string_utf16_ascii", #""a""#, "ASCII text in UTF-16 is read, not written").object(.utf16([0x61])),
        success("uid_1_byte", "uid(7)", "marker 80").object(.uid(7)),
        success("uid_2_bytes", "uid(256)", "marker 81").object(.uid(256, byteCount: 2)),
        success("uid_4_bytes", "uid(4294967295)", "marker 83").object(.uid(0xFFFF_FFFF, byteCount: 4)),
        readable("uid_3_bytes", "uid(66051)", "marker 82").object(.uid(0x010203, byteCount: 3)),
        readable("uid_16_bytes", "uid(9)", "leading zeros do not count").object(.bytes([0x8F] + bigEndian(9, 16))),
    ]

    // MARK: Containers

    private static let containers: [Vector] = [
        success("arrays_empty_stand_each", "[[], []]", "equal containers are separate objects")
            .list([.array([1, 2]), .array([]), .array([])]),
        success("keys_by_utf8", #"{"\u{ffff}": 1, "\u{1f511}": 2}"#, "the order of UTF-8, which is not that of UTF-16")
            .list([.dictionary([(1, 3), (2, 4)]), .utf16([0xFFFF]), .utf16([0xD83D, 0xDD11]), .int(1), .int(2)]),
        success("objects_255", "[\((0..<254).map(String.init).joined(separator: ", "))]")
            .comment("the most objects that references of one byte can count")
            .list([.array(Array(1...254))] + (0..<254).map { .int($0) }),
        success("objects_256", "[\((0..<255).map(String.init).joined(separator: ", "))]")
            .comment("one more, and references take two bytes")
            .list([.array(Array(1...255))] + (0..<255).map { .int($0) }, referenceByteCount: 2),
        success("offsets_of_4_bytes", "<\(String(repeating: "61", count: 65536))>", "an offset table beyond 65,535")
            .list([.data(Array(repeating: 0x61, count: 65536))]),
        readable(
            "overlapping_short_data",
            "[<\(String(repeating: "4f103f", count: 21))>, <\(String(repeating: "4f103f", count: 21))>]",
            "data of 63 bytes may overlap: only 64 bytes or more are counted"
        )
        .list(
            [
                .array([1, 2]), .bytes(Array(repeating: [0x4F, 0x10, 0x3F] as [UInt8], count: 23).flatMap(\.self)),
                .bytes([]),
            ],
            offsets: [2: 14]
        ),
        success("array_empty", "[]", "marker a0").object(.array([])),
        success("array", "[1, \"a\"]", "two parts").list([.array([1, 2]), .int(1), .ascii("a")]),
        readable("array_shared_part", "[[1], [1]]", "two references to one array")
            .list([.array([1, 1]), .array([2]), .int(1)]),
        success("set", "set[1, 256, \"b\", \"aa\"]", "by encoded bytes: integers before strings, the shorter first")
            .list([.set([1, 2, 3, 4]), .int(1), .int(256, byteCount: 2), .ascii("b"), .ascii("aa")]),
        readable("set_unsorted", "set[1, 2]", "the order of a set in a file does not matter")
            .list([.set([1, 2]), .int(2), .int(1)]),
        success("dictionary_empty", "{}", "marker d0").object(.dictionary([])),
        success("dictionary", #"{"a": 1, "b": true}"#, "keys in the order of their UTF-8 bytes")
            .list([.dictionary([(1, 3), (2, 4)]), .ascii("a"), .ascii("b"), .int(1), .bytes([0x09])]),
        readable("dictionary_unsorted", #"{"a": 1, "b": 2}"#, "the order of a dictionary in a file does not matter")
            .list([.dictionary([(1, 2), (3, 4)]), .ascii("b"), .int(2), .ascii("a"), .int(1)]),
        success("dictionary_keys_normalised_alike", #"{"e\u{301}": 1, "\u{e9}": 2}"#)
            .comment("a decomposed and a composed letter are two keys")
            .list([.dictionary([(1, 3), (2, 4)]), .utf16([0x65, 0x301]), .utf16([0xE9]), .int(1), .int(2)]),
        readable("references_of_2_bytes", "[1]", "references wider than needed")
            .list([.array([1]), .int(1)], referenceByteCount: 2),
        readable("references_of_8_bytes", "[1]", "references as wide as can be")
            .list([.array([1]), .int(1)], referenceByteCount: 8),
        readable("offsets_of_3_bytes", "[1]", "offsets of any size up to eight bytes")
            .list([.array([1]), .int(1)], offsetByteCount: 3),
        readable("object_unused", "1", "an unreferenced object is not read, whatever it is")
            .list([.int(1), .bytes([0xFF])]),
        readable("top_object_last", "1", "the root may be anywhere")
            .list([.int(2), .int(1)], change: { $0.topObject = 1 }),
        readable("trailer_unused_bytes", "1", "readers ignore the first six bytes of the trailer")
            .list([.int(1)], change: { $0.unused = [1, 2, 3, 4, 5, 6] }),
    ]
}
