internal import CLibcrypto

/// OpenSSL's library of cryptography, found at run time.
///
/// It has a context of its own, without a configuration file, so a program that uses OpenSSL itself is not affected.
/// It is never unloaded.
@safe package final class Libcrypto: Sendable {
    package static let name = "libcrypto.so.3"

    /// The library, which is loaded once, or the reason why it cannot be.
    package static let shared = Result { () throws(LibcryptoError) in try Libcrypto(name) }

    @safe private struct Functions {
        let digest: coffer_EVP_Q_digest
    }

    /// The address of the context, which all threads may use.
    private let context: UInt
    private let functions: Functions

    /// Loads the library with this name.
    package init(_ name: String) throws(LibcryptoError) {
        let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL)
        guard let library = unsafe library else {
            throw .missing(unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown error")
        }
        func find<Function>(_ name: String, _ type: Function.Type) throws(LibcryptoError) -> Function {
            guard let address = unsafe dlsym(library, name) else { throw .missingFunction(name) }
            return unsafe unsafeBitCast(address, to: type)
        }
        let majorVersion = try find("OPENSSL_version_major", coffer_OPENSSL_version_major.self)
        let version = majorVersion()
        guard version == 3 else { throw .unsupportedVersion(Int(version)) }
        let makeContext = try unsafe find("OSSL_LIB_CTX_new", coffer_OSSL_LIB_CTX_new.self)
        let context = unsafe makeContext()
        guard let context = unsafe context else { throw .failed("OSSL_LIB_CTX_new") }
        self.context = UInt(bitPattern: context)
        functions = try unsafe Functions(digest: find("EVP_Q_digest", coffer_EVP_Q_digest.self))
    }

    /// Returns the SHA-1 digest of `bytes`, by which Apple's keychain names a public key.
    package func sha1(_ bytes: Span<UInt8>) throws(LibcryptoError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        var byteCount = digest.count
        let context = unsafe OpaquePointer(bitPattern: context)
        let status = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe functions.digest(context, "SHA1", nil, bytes.baseAddress, bytes.count, &digest, &byteCount)
        }
        guard status == 1, byteCount == digest.count else { throw .failed("EVP_Q_digest") }
        return digest
    }
}
