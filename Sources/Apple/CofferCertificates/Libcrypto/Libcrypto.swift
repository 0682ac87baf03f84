internal import CCofferLibcrypto

/// OpenSSL's library of cryptography, found at run time.
///
/// It has a context of its own, without a configuration file, and leaves no errors behind, so a program that uses OpenSSL
/// itself is not affected. It is never unloaded.
@safe package final class Libcrypto: Sendable {
    package static let name = "libcrypto.so.3"

    /// The library, which is loaded once, or the reason why it cannot be.
    package static let shared = Result { () throws(LibcryptoError) in try Libcrypto(name) }

    let functions: coffer_libcrypto
    /// The address of the context, which all threads may use.
    private let contextAddress: UInt

    /// Loads the library with this name.
    package init(_ name: String) throws(LibcryptoError) {
        guard coffer_is_static_program() == 0 else { throw .staticProgram }
        let library = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL)
        guard let library = unsafe library else {
            throw .missing(unsafe dlerror().map { unsafe String(cString: $0) } ?? "unknown error")
        }
        functions = try unsafe Self.functions(of: library)
        let version = functions.OPENSSL_version_major()
        guard version == 3 else { throw .unsupportedVersion(Int(version)) }
        guard let context = unsafe functions.OSSL_LIB_CTX_new() else { throw .failed("OSSL_LIB_CTX_new") }
        contextAddress = UInt(bitPattern: context)
    }

    private static func functions(of library: UnsafeMutableRawPointer) throws(LibcryptoError) -> coffer_libcrypto {
        try unsafe withUnsafeTemporaryAllocation(of: coffer_libcrypto.self, capacity: 1) {
            (memory) throws(LibcryptoError) in
            guard let functions = memory.baseAddress else { throw .failed("dlsym") }
            if let missing = unsafe coffer_libcrypto_find(functions, library) {
                throw .missingFunction(unsafe String(cString: missing))
            }
            return unsafe functions.pointee
        }
    }

    var context: OpaquePointer? { unsafe OpaquePointer(bitPattern: contextAddress) }

    /// Calls `body`, and removes the errors that its calls left for the thread.
    package func withoutErrors<Result: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = functions.ERR_set_mark()
        defer { _ = functions.ERR_pop_to_mark() }
        return try body()
    }
}

/// Throws unless a function returned 1, which most of them do if they succeed.
func check(_ status: Int32, _ name: StaticString) throws(LibcryptoError) {
    guard status == 1 else { throw .failed("\(name)") }
}

/// Why OpenSSL's library cannot be used.
package enum LibcryptoError: Error, Equatable, Sendable {
    /// The library cannot be loaded, for this reason.
    case missing(String)
    /// A fully static program loads no libraries.
    case staticProgram
    /// The library has another major version.
    case unsupportedVersion(Int)
    /// The library lacks a function.
    case missingFunction(String)
    /// A call failed.
    case failed(String)
}

extension LibcryptoError: CustomStringConvertible {
    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .missing(let reason):
            "OpenSSL's library \(Libcrypto.name) cannot be loaded (\(reason)); install OpenSSL 3 (libssl3)"
        case .staticProgram: "OpenSSL's library \(Libcrypto.name) cannot be loaded by a fully static program"
        case .unsupportedVersion(let version):
            "\(Libcrypto.name) is of OpenSSL \(version); install OpenSSL 3 (libssl3)"
        case .missingFunction(let name): "\(Libcrypto.name) lacks the function \(name); install OpenSSL 3 (libssl3)"
        case .failed(let name): "\(name) of \(Libcrypto.name) failed"
        }
    }
}
