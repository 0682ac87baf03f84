import Foundation
import Security
import Testing

@Suite("Random bytes") struct SecRandomTests {
    @Test(arguments: [0, 1, 7, 8, 9, 32, 1000])
    func `exactly the requested number of bytes is written`(count: Int) {
        // The chance that a given byte is zero in all sixteen draws is 1 in 2^128.
        var seen = [UInt8](repeating: 0, count: count)
        for _ in 0..<16 {
            var bytes = [UInt8](repeating: 0, count: count + 8)
            #expect(SecRandomCopyBytes(kSecRandomDefault, count, &bytes) == errSecSuccess)
            #expect(bytes.suffix(8).allSatisfy { $0 == 0 })
            seen = zip(seen, bytes).map { $0 | $1 }
        }
        #expect(seen.allSatisfy { $0 != 0 })
    }

    @Test(arguments: [-1, .min, .max, 1 << 31])
    func `an invalid count is refused, and nothing is written`(count: Int) {
        var bytes: [UInt8] = [0, 0, 0, 0]
        #expect(SecRandomCopyBytes(nil, count, &bytes) == errSecParam)
        #expect(bytes == [0, 0, 0, 0])
    }

    @Test func `another source is refused`() {
        var bytes: [UInt8] = [0, 0, 0, 0]
        #expect(SecRandomCopyBytes(OpaquePointer(bitPattern: 1), 4, &bytes) == errSecParam)
        #expect(bytes == [0, 0, 0, 0])
    }
}
