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
