// Broken property lists, and property lists beyond the limits.

extension PropertyListVectors {
    // MARK: Header

    static let headers: [Vector] = [
        malformed("header_empty_file", "notABinaryPropertyList", "no bytes at all").bytes([]),
        malformed("header_only", "tooShort(byteCount: 8)", "a header and nothing else").bytes(Array("bplist00".utf8)),
        malformed("header_cut", "tooShort(byteCount: 7)", "half of the version").bytes(Array("bplist0".utf8)),
        malformed("trailer_without_object", "tooShort(byteCount: 41)")
            .comment("one byte less than a header, an object, an offset and a trailer")
            .bytes(Array("bplist00".utf8) + Array(repeating: 0, count: 33)),
        malformed("header_magic", "notABinaryPropertyList", "one letter is wrong")
            .list(RawPropertyList(header: Array("bplisT00".utf8), objects: [.int(1)])),
        malformed("header_version_01", "unsupportedVersion(48, 49)", "a later version")
            .list(RawPropertyList(header: Array("bplist01".utf8), objects: [.int(1)])),
        malformed("header_version_15", "unsupportedVersion(49, 53)", "the version that Apple's private encoder writes")
            .list(RawPropertyList(header: Array("bplist15".utf8), objects: [.int(1)])),
    ]

    // MARK: Trailer

    private static func trailer(
        _ name: String,
        _ field: String,
        _ comment: String,
        _ change: @escaping (inout RawPropertyList.Trailer) -> Void
    ) -> Vector {
        malformed("trailer_\(name)", "invalidTrailer(\(field))", comment).list([.array([1]), .int(1)], change: change)
    }

    static let trailers: [Vector] = [
        trailer("offset_size_0", "offsetByteCount", "offsets without bytes") { $0.offsetByteCount = 0 },
        trailer("offset_size_9", "offsetByteCount", "offsets beyond 64 bits") { $0.offsetByteCount = 9 },
        trailer("reference_size_0", "referenceByteCount", "references without bytes") { $0.referenceByteCount = 0 },
        trailer("reference_size_9", "referenceByteCount", "references beyond 64 bits") { $0.referenceByteCount = 9 },
        trailer("count_0", "objectCount", "no objects") { $0.objectCount = 0 },
        trailer("count_1_too_few", "objectCount", "a table with a byte left over") { $0.objectCount = 1 },
        trailer("count_1_too_many", "objectCount", "a table that reaches into the trailer") { $0.objectCount = 3 },
        trailer("top_beyond_count", "topObject", "the number of the root is out of range") { $0.topObject = 2 },
        trailer("top_max", "topObject", "the number of the root is far out of range") { $0.topObject = .max },
        trailer("table_in_header", "offsetTableOffset", "no room for an object") { $0.offsetTableOffset = 8 },
        trailer("table_in_trailer", "offsetTableOffset", "a table that begins in the trailer") {
            $0.offsetTableOffset = 14
        },
        trailer("table_max", "offsetTableOffset", "a table beyond the file") { $0.offsetTableOffset = .max },
        malformed("trailer_reference_size_too_small", "invalidTrailer(referenceByteCount)")
            .comment("256 objects cannot be counted in one byte")
            .list(Array(repeating: .int(1), count: 256)),
        malformed("trailer_offset_size_too_small", "invalidTrailer(offsetByteCount)")
            .comment("the table lies at 258, which one byte does not hold")
            .list([.data(Array(repeating: 0, count: 247))], offsetByteCount: 1),
    ]

    // MARK: Objects

    private static let unknownMarkers: [UInt8] = [
        0x01, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F, 0x15, 0x1F, 0x20, 0x21, 0x24, 0x30, 0x34, 0x70, 0x90, 0xB1, 0xE0,
        0xF0,
    ]

    static var objects: [Vector] {
        unknownMarkers.map { marker in
            let hex = String(marker, radix: 16)
            return malformed("marker_\(hex.count == 1 ? "0" : "")\(hex)", "unknownMarker(\(marker), offset: 8)")
                .comment("not a value of version 00")
                .object(.bytes([marker] + Array(repeating: 0, count: 16)))
        } + offsets + payloads + references
    }

    private static let offsets: [Vector] = [
        malformed("offset_in_header", "objectOffsetOutOfBounds(object: 0)", "an object that begins in the header")
            .list([.int(1)], offsets: [0: 7]),
        malformed("offset_in_table", "objectOffsetOutOfBounds(object: 0)", "an object that begins in the offset table")
            .list([.int(1)], offsets: [0: 10]),
        malformed("offset_beyond_file", "objectOffsetOutOfBounds(object: 1)", "an object beyond the end")
            .list([.array([1]), .int(1)], offsets: [1: 255]),
    ]

    private static let payloads: [Vector] = [
        malformed("int_truncated", "truncated(offset: 8)", "eight bytes of which two are there")
            .object(.bytes([0x13, 0, 0])),
        malformed("int_16_bytes_truncated", "truncated(offset: 8)", "sixteen bytes of which eight are there")
            .object(.bytes([0x14] + bigEndian(1, 8))),
        malformed("real_truncated", "truncated(offset: 8)", "eight bytes of which four are there")
            .object(.bytes([0x23, 0, 0, 0, 0])),
        malformed("date_truncated", "truncated(offset: 8)", "eight bytes of which none is there").object(
            .bytes([0x33])
        ),
        malformed("uid_truncated", "truncated(offset: 8)", "four bytes of which one is there").object(
            .bytes([0x83, 1])
        ),
        malformed("uid_too_wide", "uidOutOfRange(offset: 8)", "a reference of 33 bits")
            .object(.bytes([0x84, 1, 0, 0, 0, 0])),
        malformed("data_truncated", "truncated(offset: 8)", "three bytes of which two are there")
            .object(.bytes([0x43, 1, 2])),
        malformed("data_count_missing", "truncated(offset: 8)", "the count is missing").object(.bytes([0x4F])),
        malformed("data_count_cut", "truncated(offset: 8)", "the count is truncated").object(
            .bytes([0x4F, 0x13, 0, 0])
        ),
        malformed("data_count_real", "invalidCount(offset: 8)", "the count is a real")
            .object(.bytes([0x4F, 0x23] + bigEndian(0, 8))),
        malformed("data_count_16_bytes", "invalidCount(offset: 8)", "the count is an integer of sixteen bytes")
            .object(.bytes([0x4F, 0x14] + bigEndian(0, 16))),
        malformed("data_count_2_40", "invalidCount(offset: 8)", "a terabyte")
            .object(.bytes([0x4F, 0x13] + bigEndian(1 << 40, 8))),
        malformed("data_count_max", "invalidCount(offset: 8)", "a count that reads as -1")
            .object(.bytes([0x4F, 0x13] + bigEndian(.max, 8))),
        malformed("string_truncated", "truncated(offset: 8)", "two letters of which one is there")
            .object(.bytes([0x52, 0x61])),
        malformed("string_not_ascii", "invalidString(offset: 9)", "a byte of 128 or more")
            .object(.bytes([0x52, 0x61, 0xE9])),
        malformed("string_utf16_truncated", "truncated(offset: 8)", "a unit and a half")
            .object(.bytes([0x62, 0, 0x61, 0])),
        malformed("string_lone_high_surrogate", "invalidString(offset: 9)", "half of a pair")
            .object(.bytes([0x61, 0xD8, 0x3D])),
        malformed("string_lone_low_surrogate", "invalidString(offset: 9)", "the other half")
            .object(.bytes([0x61, 0xDD, 0x11])),
        malformed("array_truncated", "truncated(offset: 8)", "three references of which one is there")
            .object(.bytes([0xA3, 0])),
        malformed("array_count_2_40", "invalidCount(offset: 8)", "more references than any file holds")
            .object(.bytes([0xAF, 0x13] + bigEndian(1 << 40, 8))),
        malformed("set_truncated", "truncated(offset: 8)", "two references of which one is there")
            .object(.bytes([0xC2, 0])),
        malformed("dictionary_truncated", "truncated(offset: 8)", "a key without value").object(.bytes([0xD1, 0])),
    ]

    private static let longText = Array(repeating: UInt16(0xE9), count: 500)

    private static let references: [Vector] = [
        malformed("reference_out_of_range", "referenceOutOfRange(offset: 9)", "an object that does not exist")
            .list([.array([2]), .int(1)]),
        malformed("key_is_integer", "keyIsNotAString(offset: 11)", "a key that is a number")
            .list([.dictionary([(1, 1)]), .int(1)]),
        malformed("key_twice_one_object", "duplicateKey(offset: 8)", "two references to one key")
            .list([.dictionary([(1, 2), (1, 2)]), .ascii("a"), .int(1)]),
        malformed("key_twice_two_objects", "duplicateKey(offset: 8)")
            .comment("two keys with the same text, one of them in UTF-16")
            .list([.dictionary([(1, 3), (2, 3)]), .ascii("a"), .utf16([0x61]), .int(1)]),
        malformed("set_element_twice", "duplicateElement(offset: 8)", "two references to one element")
            .list([.set([1, 1]), .int(1)]),
        malformed(
            "set_of_three_long_texts",
            "duplicateElement(offset: 8)",
            "16,000 references to three texts that differ at their ends: sorting them first would take a second"
        )
        .list([
            .set((0..<16_000).map { $0 % 3 + 1 }), .utf16(longText + [1]), .utf16(longText + [2]),
            .utf16(longText + [3]),
        ]),
        malformed("self_reference", "cycle(offset: 8)", "an array that contains itself").list([.array([0])]),
        malformed("cycle_of_two", "cycle(offset: 8)", "two arrays that contain each other")
            .list([.array([1]), .array([0])]),
        malformed("cycle_through_key", "cycle(offset: 8)", "a dictionary that is its own key")
            .list([.dictionary([(0, 1)]), .int(1)]),
    ]

    // MARK: Limits

    private static func chain(_ count: Int) -> RawPropertyList {
        let arrays = (1..<count).map { RawObject.array([$0]) }
        return RawPropertyList(objects: arrays + [.array([])], referenceByteCount: 2)
    }

    static var limits: [Vector] {
        let nested = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        let doubling = (1...24).map { RawObject.array([$0, $0]) } + [.array([])]
        // Data of 4,096 bytes, whichever copy an offset points to.
        let overlapping = Array(repeating: [0x4F, 0x11, 0x10, 0x00] as [UInt8], count: 2100).flatMap(\.self)
        let long = RawObject.data(Array(repeating: 0x61, count: 1 << 16))
        return [
            readable("depth_64", nested, "the deepest value").list(chain(64)),
            limit("depth_65", "tooDeep(limit: 64)", "one deeper").list(chain(65)),
            limit("depth_through_shared", "tooDeep(limit: 64)")
                .comment("an array of 40 levels, once at the top and once 50 levels down")
                .list([.array([51, 1])] + (1..<90).map { .array([$0 + 1]) } + [.array([])]),
            limit("depth_600", "tooDeep(limit: 64)", "beyond what Foundation reads").list(chain(600)),
            limit("shared_refs_24", "tooManyNodes(limit: 262144)")
                .comment("24 levels of two references to one child: sixteen million values; Foundation takes seconds")
                .list(doubling),
            limit("wide_array", "tooManyNodes(limit: 262144)", "300,000 references to one number")
                .list([.array(Array(repeating: 1, count: 300_000)), .int(1)]),
            limit("shared_data", "tooManyNodes(limit: 262144)")
                .comment("1,000 references to 64 KiB: reading each would take 64 MB")
                .list([.array(Array(repeating: 1, count: 1000)), long]),
            limit("shared_place", "tooManyNodes(limit: 262144)")
                .comment("1,000 objects at the same place: reading each would take 64 MB")
                .list(
                    [.array(Array(1...1000)), long] + Array(repeating: .bytes([]), count: 999),
                    referenceByteCount: 2,
                    offsets: Dictionary(uniqueKeysWithValues: (2...1000).map { ($0, 2012) })
                ),
            malformed("overlapping_data", "overlappingObjects(offset: 2028)")
                .comment("1,000 objects of 4 KiB, each beginning four bytes after the one before, in a file of 12 KiB")
                .list(
                    [.array(Array(1...1000)), .bytes(overlapping)]
                        + Array(repeating: .bytes([]), count: 999),
                    referenceByteCount: 2,
                    offsets: Dictionary(uniqueKeysWithValues: (2...1000).map { ($0, 2008 + 4 * $0) })
                ),
            // An array of 510 references to 512 numbers each would be 261,631 nodes; 514 more are the last array.
            limit("nodes_262145", "tooManyNodes(limit: 262144)")
                .comment("one node too many: a key counts one, and text of 64 bytes one more")
                .list([
                    .array(Array(repeating: 1, count: 510) + [2]), .array(Array(repeating: 3, count: 512)),
                    .array(Array(repeating: 3, count: 509) + [4]), .int(0), .dictionary([(5, 3)]),
                    .ascii(String(repeating: "a", count: 64)),
                ]),
            limit("count_2_63", "tooManyObjects(count: 9223372036854775808, limit: 262144)")
                .comment("more objects than any file holds")
                .list([.int(1)], change: { $0.objectCount = 1 << 63 }),
        ]
    }
}
