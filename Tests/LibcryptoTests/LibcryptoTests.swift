import Libcrypto
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
