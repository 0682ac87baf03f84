import Foundation
import Security
import Testing

@Suite("Core Foundation data and strings") struct CoreFoundationDataTests {
    /// Short data is kept within a `Data` value, and long data outside it.
    @Test(arguments: [1, 14, 15, 100, 5_000])
    func `the pointer to the bytes is the same as long as the data exists`(count: Int) {
        let expected = [UInt8]((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        var value = Data(expected)
        let data = value as CFData
        let bytes: UnsafePointer<UInt8> = CFDataGetBytePtr(data)
        value[0] = 99
        value.removeAll()
        #expect(CFDataGetBytePtr(data) == bytes)
        #expect(Array(UnsafeBufferPointer(start: bytes, count: CFDataGetLength(data))) == expected)
        withExtendedLifetime(data) {}
    }

    @Test func `data copies the bytes that it is created from`() {
        var bytes: [UInt8] = [1, 2, 3]
        let data: CFData = CFDataCreate(kCFAllocatorDefault, &bytes, 2)
        bytes[0] = 9
        #expect(data as Data == Data([1, 2]))
        #expect(CFDataGetLength(CFDataCreate(nil, nil, 0)) == 0)
        #expect(CFDataCreate(nil, bytes, -1) == nil)
    }

    @Test func `data without a copy refers to the caller's bytes`() {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 3)
        defer { bytes.deallocate() }
        bytes.initialize(repeating: 7, count: 3)
        let data: CFData? = CFDataCreateWithBytesNoCopy(nil, bytes, 3, kCFAllocatorNull)
        #expect(CFDataGetBytePtr(data) == UnsafePointer(bytes))
        #expect(data as Data? == Data([7, 7, 7]))
        #expect(CFDataCreateWithBytesNoCopy(nil, bytes, -1, kCFAllocatorNull) == nil)
    }

    /// Memory that is freed twice, or not at all, is found by the address sanitizer.
    @Test(arguments: [kCFAllocatorDefault, kCFAllocatorMalloc])
    func `data frees the caller's bytes unless the allocator does nothing`(allocator: CFAllocator?) throws {
        let bytes = try #require(malloc(3)).bindMemory(to: UInt8.self, capacity: 3)
        bytes.initialize(repeating: 7, count: 3)
        #expect(CFDataCreateWithBytesNoCopy(nil, bytes, 3, allocator) as Data == Data([7, 7, 7]))
    }

    @Test func `bytes are copied from a range within the data only`() {
        let data = Data([1, 2, 3, 4]) as CFData
        var bytes = [UInt8](repeating: 0, count: 4)
        CFDataGetBytes(data, CFRangeMake(1, 2), &bytes)
        #expect(bytes == [2, 3, 0, 0])
        for (location, length) in [(0, 5), (3, 2), (5, 0), (-1, 2), (1, -1), (1, .max), (.max, .max), (.min, .max)] {
            CFDataGetBytes(data, CFRange(location: location, length: length), &bytes)
        }
        #expect(bytes == [2, 3, 0, 0])
        #expect(CFRange() == CFRangeMake(0, 0))
    }

    // The bytes of an umlaut, by Python's `codecs`.
    @Test(
        arguments: [
            (.UTF8, [0xC3, 0xA4]), (.isoLatin1, [0xE4]), (.windowsLatin1, [0xE4]),
        ] as [(CFStringBuiltInEncodings, [UInt8])]
    )
    func `a string is created from bytes in an encoding`(encoding: CFStringBuiltInEncodings, bytes: [UInt8]) {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        #expect(CFStringCreateWithCString(nil, characters, encoding.rawValue) as String? == "ä")
    }

    @Test func `a string is not created from invalid bytes, or in an unknown encoding`() {
        #expect(CFStringCreateWithCString(nil, "kim", CFStringBuiltInEncodings.ASCII.rawValue) == "kim" as CFString)
        #expect(CFStringCreateWithCString(nil, "\u{E4}", CFStringBuiltInEncodings.ASCII.rawValue) == nil)
        #expect(CFStringCreateWithCString(nil, [CChar(bitPattern: 0xC3), 0], 0x0800_0100) == nil)
        #expect(CFStringCreateWithCString(nil, "kim", 4711) == nil)
        #expect(CFStringCreateWithCString(nil, nil, 0x0600) == nil)
    }

    @Test func `the length of a string counts UTF-16`() {
        #expect(CFStringGetLength("a\u{1F511}" as CFString) == 3)
        #expect(CFStringGetLength(nil) == 0)
    }

    @Test func `a UUID becomes text and returns from it`() throws {
        let first: CFUUID = CFUUIDCreate(kCFAllocatorDefault)
        let text = CFUUIDCreateString(nil, first) as String
        #expect(text.wholeMatch(of: /[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/) != nil)
        #expect(CFEqual(CFUUIDCreateFromString(nil, text as CFString), first))
        #expect(!CFEqual(CFUUIDCreate(nil), first))
        #expect(CFUUIDCreateFromString(nil, "kim") == nil)
        #expect(CFUUIDCreateString(nil, nil) == nil)
    }
}
