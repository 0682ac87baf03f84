import CofferBasics
import Glibc
import Testing

/// The classes of the C library, in whose locale only ASCII has letters.
@Suite("Classes of bytes") struct ByteClassTests {
    private func bytes(_ isIncluded: (UInt8) -> Bool) -> [UInt8] { (UInt8.min...UInt8.max).filter(isIncluded) }

    private func bytes(_ isIncluded: (Int32) -> Int32) -> [UInt8] { bytes { isIncluded(Int32($0)) != 0 } }

    @Test func `white space, letters and digits are those of C`() {
        #expect(bytes(\.isWhiteSpace) == bytes(isspace))
        #expect(bytes(\.isBlankInLine) == bytes(isblank))
        #expect(bytes(\.isDigit) == bytes(isdigit))
        #expect(bytes(\.isLetter) == bytes(isalpha))
        #expect(bytes(\.isLetterOrDigit) == bytes(isalnum))
        #expect(bytes { $0.hexadecimalValue != nil } == bytes(isxdigit))
        #expect(bytes { $0.lowercaseHexValue != nil } == bytes { isxdigit(Int32($0)) != 0 && isupper(Int32($0)) == 0 })
    }

    @Test func `blanks and the bytes of names are those of XML`() {
        #expect(bytes(\.isBlank) == [0x09, 0x0A, 0x0D, 0x20])
        #expect(bytes(\.isXMLNameStart) == bytes { isalpha(Int32($0)) != 0 || "_:".utf8.contains($0) })
        #expect(bytes(\.isXMLNameByte) == bytes { isalnum(Int32($0)) != 0 || "_:-.".utf8.contains($0) })
    }

    @Test func `schemes have the characters of RFC 3986`() {
        #expect(bytes(\.isOfScheme) == bytes { isalnum(Int32($0)) != 0 || "+-.".utf8.contains($0) })
    }

    @Test func `digits are written and read in pairs`() {
        let all = bytes { _ in true }
        #expect(all.hexDigits == all.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        #expect([UInt8](hexDigits: all.hexDigits) == all)
        #expect([UInt8](hexDigits: "0A") == nil)
        #expect(UInt64(0x2A).hexDigits == "000000000000002a" && UInt64.max.hexDigits == "ffffffffffffffff")
        #expect([UInt8](hexDigits: "000") == nil)
    }
}
