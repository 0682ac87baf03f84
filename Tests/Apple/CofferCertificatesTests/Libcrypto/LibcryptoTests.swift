import CofferCertificates
import Foundation
import Testing

@Suite("OpenSSL's library") struct LibcryptoTests {
    @Test(arguments: [
        // FIPS 180-2, appendix A, and the digest of no bytes.
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ])
    func `digests are those of the standard`(text: String, digest: String) throws {
        let bytes = try Libcrypto.shared.get().digest(.sha1, of: Array(text.utf8).span)
        #expect(bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() == digest)
    }

    @Test func `a library that is missing is named`() throws {
        let error = #expect(throws: LibcryptoError.self) { try Libcrypto("libcrypto.so.99") }
        guard case .missing(let reason)? = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(reason.contains("libcrypto.so.99"))
        #expect("\(LibcryptoError.missing(reason))".contains("libssl3"))
    }

    @Test func `another library is refused`() {
        #expect(throws: LibcryptoError.missingFunction("OPENSSL_version_major")) { try Libcrypto("libc.so.6") }
    }
}

/// A program that uses OpenSSL itself, with the same library in its process.
@Suite("OpenSSL's library in a program that uses it") struct SharedLibcryptoTests {
    private typealias Peek = @convention(c) () -> UInt
    private typealias ReadCertificate =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int
        ) -> OpaquePointer?

    private let library: UnsafeMutableRawPointer

    init() throws { library = try #require(dlopen(Libcrypto.name, RTLD_NOW)) }

    private func function<Function>(_ name: String, _ type: Function.Type) throws -> Function {
        unsafeBitCast(try #require(dlsym(library, name)), to: type)
    }

    @Test func `a failed operation leaves no errors, and keeps those of the program`() throws {
        let peek = try function("ERR_peek_last_error", Peek.self)
        let clear = try function("ERR_clear_error", (@convention(c) () -> Void).self)
        let read = try function("d2i_X509", ReadCertificate.self)
        let libcrypto = try Libcrypto.shared.get()
        clear()
        let point = [4] + [UInt8](repeating: 1, count: 64)
        func fail() {
            #expect(throws: LibcryptoError.self) {
                try libcrypto.withoutErrors { () throws(LibcryptoError) in
                    _ = try LibcryptoKey(on: "P-256", point.span, pointByteCount: 65, in: libcrypto)
                }
            }
        }
        fail()
        #expect(peek() == 0)
        [UInt8(0x31)].withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            #expect(read(nil, &start, 1) == nil)
        }
        let error = peek()
        #expect(error != 0)
        fail()
        #expect(peek() == error)
        clear()
    }
}
