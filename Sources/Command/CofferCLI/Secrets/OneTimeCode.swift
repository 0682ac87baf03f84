package import CofferBasics
internal import CofferCertificates
package import CofferPasswordFiles

/// A one-time password: RFC 4226 and RFC 6238.
package struct OneTimeCode {
    /// The digits, or the letters of Steam.
    package let text: HeldSecret

    private static let steamLetters = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)

    /// The password of a generator for a count of its uses or periods.
    ///
    /// - Throws: `CommandError` if the library of OpenSSL, which computes the HMAC, cannot be used.
    package init(_ generator: OneTimePasswordURI, count: UInt64) throws {
        let input = (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * UInt64($0))) }
        let code: [UInt8]
        do throws(LibcryptoError) {
            let library = try Libcrypto.shared.get()
            code = try generator.secret.withSpan { key throws(LibcryptoError) in
                try library.hmac(of: input.span, generator.algorithm.hashFunction, key: key)
            }
        } catch {
            throw CommandError(CertificateFileError.library(error), of: "a one-time password")
        }
        let offset = Int(code[code.count - 1] & 0xF)
        var number = code[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let text = SecretBuilder()
        if generator.isSteam {
            for _ in 0..<generator.digitCount {
                text.append(Self.steamLetters[Int(number) % Self.steamLetters.count])
                number /= UInt32(Self.steamLetters.count)
            }
        } else {
            let digits = String(number)
            let padding = String(repeating: "0", count: max(0, generator.digitCount - digits.utf8.count))
            text.append((padding + digits.suffix(generator.digitCount)).utf8)
        }
        self.text = text.held
    }
}

extension OneTimePasswordURI.Algorithm {
    fileprivate var hashFunction: HashFunction {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
