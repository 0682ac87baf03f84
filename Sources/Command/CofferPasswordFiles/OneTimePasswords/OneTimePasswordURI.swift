package import CofferBasics

/// A generator of one-time passwords, as an `otpauth://` URI has it.
///
/// However it was written, `text` is the same for the same generator: all parameters in one order.
package struct OneTimePasswordURI {
    /// What the generator counts.
    package enum Kind: Equatable, Sendable {
        /// Periods since 1970, each of some seconds (RFC 6238).
        case time(period: Int)
        /// Its uses (RFC 4226); the counter of the next one.
        case counter(UInt64)
    }

    /// The hash of the HMAC.
    package enum Algorithm: String, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
        case sha512 = "SHA512"

        /// The algorithm of a name such as `SHA1`, `sha-256` or `HMAC-SHA-512`.
        init(named name: String) throws(OneTimePasswordError) {
            let letters = name.uppercased().filter { $0 != "-" && $0 != "_" }
            let short = letters.hasPrefix("HMAC") ? String(letters.dropFirst(4)) : letters
            guard let algorithm = Algorithm(rawValue: short) else { throw .unsupportedAlgorithm }
            self = algorithm
        }
    }

    /// How many digits a password may have.
    package static let digitCounts = 1...10
    /// How many seconds a period may have.
    package static let periods = 1...86_400

    /// The secret in base32: capital letters without padding.
    let letters: HeldSecret
    /// What the generator counts.
    package var kind = Kind.time(period: 30)
    /// The hash of the HMAC.
    package var algorithm = Algorithm.sha1
    /// How many digits a password has; of Steam, how many characters.
    package var digitCount = 6
    /// Whether the passwords are those of Steam, which have an alphabet of their own.
    package var isSteam = false
    /// Whose account it is: often the issuer, a colon and the account.
    package var label = ""
    /// Who asks for the passwords.
    package var issuer = ""
    /// Parameters with other names, as they are written.
    var others: [HeldSecret] = []

    /// A generator with a secret in base32, of letters in any case with blanks, hyphens and padding.
    init(letters text: Span<UInt8>) throws(OneTimePasswordError) {
        let letters = HeldSecret(capacity: text.count) { output in
            for index in text.indices where !text[index].isBlank && text[index] != UInt8(ascii: "-") {
                let isSmall = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(text[index])
                if text[index] != UInt8(ascii: "=") { output.append(isSmall ? text[index] - 0x20 : text[index]) }
            }
        }
        guard let secret = Encodings.base32(text) else { throw .notBase32 }
        guard !secret.isEmpty else { throw .noSecret }
        self.letters = letters
    }

    /// A generator with these bytes as its secret.
    init(secret: Span<UInt8>) throws(OneTimePasswordError) {
        guard !secret.isEmpty else { throw .noSecret }
        letters = Encodings.base32Letters(of: secret)
    }

    /// The bytes of the secret, the key of the HMAC.
    package var secret: HeldSecret { letters.withSpan(Encodings.base32) ?? letters }

    /// The account of the label, without the issuer.
    package var account: String {
        if !issuer.isEmpty, label.hasPrefix(issuer + ":") { return label.dropFirst(issuer.count + 1).trimmed }
        return (label.split(separator: ":", maxSplits: 1).last ?? "").trimmed
    }

    /// Makes a label from what is known of the account, if there is none.
    package mutating func label(issuer: String, account: String) {
        guard label.isEmpty else { return }
        label = [issuer, account].filter { !$0.isEmpty }.joined(separator: ":")
        if self.issuer.isEmpty { self.issuer = issuer }
    }

    /// The URI.
    package var text: HeldSecret {
        var (start, end) = ("otpauth://", "")
        switch kind {
        case .time(let period):
            start += "totp/"
            end = "&period=\(period)"
        case .counter(let counter):
            start += "hotp/"
            end = "&counter=\(counter)"
        }
        start += PercentEncoding.encoded(label, allowing: ":@") + "?secret="
        if isSteam { end += "&encoder=steam" }
        let issuer = issuer.isEmpty ? "" : "&issuer=" + PercentEncoding.encoded(issuer)
        let middle = "\(issuer)&algorithm=\(algorithm.rawValue)&digits=\(digitCount)"
        let text = SecretBuilder()
        text.append(start.utf8)
        letters.withSpan { text.append(copying: $0) }
        text.append((middle + end).utf8)
        for other in others {
            text.append(UInt8(ascii: "&"))
            other.withSpan { text.append(copying: $0) }
        }
        return text.held
    }
}

/// Why text is not a generator of one-time passwords.
package enum OneTimePasswordError: Error, Equatable {
    case noSecret
    case notBase32
    case invalidEncoding
    case unsupportedKind
    case unsupportedAlgorithm
    case invalidDigitCount
    case invalidPeriod
    case invalidCounter
    case duplicateParameter
    case tooManyParameters
    case tooLong

    /// What is wrong, in words, without any part of the text.
    package var description: String {
        switch self {
        case .noSecret: "it has no secret"
        case .notBase32: "its secret is not base32"
        case .invalidEncoding: "its secret is not in the encoding that is stated"
        case .unsupportedKind: "it is neither time-based nor counter-based"
        case .unsupportedAlgorithm: "its algorithm is not SHA-1, SHA-256 or SHA-512"
        case .invalidDigitCount: "its number of digits is not between 1 and 10"
        case .invalidPeriod: "its period is not between 1 and 86,400 seconds"
        case .invalidCounter: "its counter is missing or not a number"
        case .duplicateParameter: "it has a parameter twice"
        case .tooManyParameters: "it has more than 64 parameters"
        case .tooLong: "it has more than 16 KiB"
        }
    }
}
