import KeyedArchive
import TestSupport
import Testing

@Suite("Codable numbers") struct ArchiveCodableNumberTests {
    /// Calls the methods that containers have only for these two types.
    private struct ByHand: Codable, Equatable {
        var signed: Int128
        var unsigned: UInt128

        init(signed: Int128, unsigned: UInt128) {
            self.signed = signed
            self.unsigned = unsigned
        }

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            signed = try list.decode(Int128.self)
            unsigned = try list.decode(UInt128.self)
            signed = try list.superDecoder().singleValueContainer().decode(Int128.self)
            unsigned = try list.superDecoder().singleValueContainer().decode(UInt128.self)
        }

        func encode(to encoder: any Encoder) throws {
            var list = encoder.unkeyedContainer()
            try list.encode(signed)
            try list.encode(unsigned)
            var third = list.superEncoder().singleValueContainer()
            try third.encode(signed)
            var fourth = list.superEncoder().singleValueContainer()
            try fourth.encode(unsigned)
        }
    }

    private struct Wide: Codable, Equatable {
        var signed: Int128
        var unsigned: UInt128
        var list: [UInt128]
        var optional: Int128?
    }

    private func bounds<Value: FixedWidthInteger & Codable>(_ type: Value.Type) throws {
        #expect(try throughArchive([Value.min, .max, 0]) == [.min, .max, 0])
        #expect(
            try ArchiveEncoder().value(of: [Value.min, .max])
                == [
                    .integer(try #require(Int128(exactly: Value.min))),
                    .integer(try #require(Int128(exactly: Value.max))),
                ]
        )
    }

    /// Reads an integer above the maximum and one below the minimum of the type, each as a list element.
    private func overflow<Value: FixedWidthInteger & Codable>(_ type: Value.Type) throws {
        for value in [try #require(Int128(exactly: Value.min)) - 1, try #require(Int128(exactly: Value.max)) + 1] {
            #expect(throws: CodingFailure(.dataCorrupted, at: ["Index 0"]), "\(type)") {
                try CodingFailure.translating { try ArchiveDecoder().decode([Value].self, from: [.integer(value)]) }
            }
        }
    }

    @Test func `integers of every width keep their bounds`() throws {
        try bounds(Int.self)
        try bounds(Int8.self)
        try bounds(Int16.self)
        try bounds(Int32.self)
        try bounds(Int64.self)
        try bounds(Int128.self)
        try bounds(UInt.self)
        try bounds(UInt8.self)
        try bounds(UInt16.self)
        try bounds(UInt32.self)
        try bounds(UInt64.self)
    }

    @Test func `integers beyond the bounds are errors`() throws {
        try overflow(Int.self)
        try overflow(Int8.self)
        try overflow(Int16.self)
        try overflow(Int32.self)
        try overflow(Int64.self)
        try overflow(UInt.self)
        try overflow(UInt8.self)
        try overflow(UInt16.self)
        try overflow(UInt32.self)
        try overflow(UInt64.self)
    }

    @Test func `integers of 128 bits work in every kind of container`() throws {
        let largest = UInt128(Int128.max)
        let wide = Wide(signed: .min, unsigned: largest, list: [0, largest], optional: .max)
        #expect(
            try ArchiveEncoder().value(of: wide) == [
                "signed": .integer(.min), "unsigned": .integer(.max), "list": [0, .integer(.max)],
                "optional": .integer(.max),
            ]
        )
        #expect(try throughArchive(wide) == wide)
        #expect(try throughArchive(largest) == largest)
        let byHand = ByHand(signed: -1, unsigned: largest)
        #expect(try ArchiveEncoder().value(of: byHand) == [-1, .integer(.max), -1, .integer(.max)])
        #expect(try throughArchive(byHand) == byHand)
        #expect(try throughArchive(UInt128?.some(7)) == 7)
    }

    @Test(arguments: [UInt128(Int128.max) + 1, .max])
    func `an unsigned integer beyond 127 bits is an error`(value: UInt128) {
        #expect(throws: CodingFailure(.invalidValue, at: [])) {
            try CodingFailure.translating { try ArchiveEncoder().encode(value) }
        }
        let wide = Wide(signed: 0, unsigned: 0, list: [0, value])
        #expect(throws: CodingFailure(.invalidValue, at: ["list", "Index 1"])) {
            try CodingFailure.translating { try ArchiveEncoder().encode(wide) }
        }
    }

    @Test func `a negative number does not decode as unsigned`() {
        #expect(throws: CodingFailure(.dataCorrupted, at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(UInt128.self, from: -1) }
        }
    }

    // MARK: Reals

    @Test(arguments: [0.0, -0.0, 0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .nan])
    func `a double keeps its bits`(value: Double) throws {
        #expect(try throughArchive(value).bitPattern == value.bitPattern)
    }

    @Test(arguments: [Float(0.1), -0.0, .infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    func `a float keeps its bits`(value: Float) throws {
        #expect(try ArchiveEncoder().value(of: value) == .real(Double(value)))
        #expect(try throughArchive(value).bitPattern == value.bitPattern)
    }

    @Test func `a float is rounded within its range and rejected beyond it`() throws {
        #expect(try ArchiveDecoder().decode(Float.self, from: 0.1) == 0.1)
        #expect(try ArchiveDecoder().decode(Float.self, from: .real(.nan)).isNaN)
        for value in [1e39, -1e39] {
            #expect(throws: CodingFailure(.dataCorrupted, at: [])) {
                try CodingFailure.translating { try ArchiveDecoder().decode(Float.self, from: .real(value)) }
            }
        }
    }

    @Test func `an integer decodes as a real that represents it exactly`() throws {
        #expect(try ArchiveDecoder().decode(Double.self, from: 9_007_199_254_740_992) == 9_007_199_254_740_992)
        #expect(try ArchiveDecoder().decode(Float.self, from: 16_777_216) == 16_777_216)
        #expect(throws: CodingFailure(.dataCorrupted, at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Double.self, from: 9_007_199_254_740_993) }
        }
        #expect(throws: CodingFailure(.dataCorrupted, at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Float.self, from: 16_777_217) }
        }
    }

    @Test func `a real with an integer value decodes as an integer`() throws {
        #expect(try ArchiveDecoder().decode(Int.self, from: -3.0) == -3)
        #expect(try ArchiveDecoder().decode(UInt8.self, from: -0.0) == 0)
    }

    @Test(arguments: [1.5, 256.0, -1.0, .infinity, .nan])
    func `a real that is not such an integer is an error`(value: Double) {
        #expect(throws: CodingFailure(.dataCorrupted, at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(UInt8.self, from: .real(value)) }
        }
    }

    // MARK: Booleans

    @Test(arguments: [0, 1, 0.0, 1.0, "true"] as [ArchiveValue])
    func `only Booleans decode as Bool`(value: ArchiveValue) {
        #expect(throws: CodingFailure(.typeMismatch("Bool"), at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Bool.self, from: value) }
        }
    }

    @Test(arguments: [true, false])
    func `a Boolean does not decode as a number`(value: Bool) throws {
        #expect(try throughArchive(value) == value)
        func decode<Value: Decodable>(_ type: Value.Type) throws {
            try CodingFailure.translating { try ArchiveDecoder().decode(type, from: .bool(value)) }
        }
        #expect(throws: CodingFailure(.typeMismatch("Int"), at: [])) { try decode(Int.self) }
        #expect(throws: CodingFailure(.typeMismatch("UInt8"), at: [])) { try decode(UInt8.self) }
        #expect(throws: CodingFailure(.typeMismatch("UInt128"), at: [])) { try decode(UInt128.self) }
        #expect(throws: CodingFailure(.typeMismatch("Double"), at: [])) { try decode(Double.self) }
        #expect(throws: CodingFailure(.typeMismatch("Float"), at: [])) { try decode(Float.self) }
        #expect(throws: CodingFailure(.typeMismatch("String"), at: [])) { try decode(String.self) }
    }
}
