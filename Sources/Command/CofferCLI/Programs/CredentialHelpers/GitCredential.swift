internal import Coffer
internal import CofferBasics

/// The description of a credential that git sends, in lines of `key=value`: `Spec/command.md`, section 13.
struct GitCredential {
    static let byteCountLimit = 1 << 20
    private static let lineByteCountLimit = 1 << 16

    private(set) var address = ServerAddress()
    private(set) var username: AttributeText?
    private(set) var password: HeldSecret?
    private(set) var refreshToken: HeldSecret?
    /// The authentication type, if the credential is not a password.
    private(set) var authenticationType: AttributeText?
    private(set) var credential: HeldSecret?
    /// When the password expires, in seconds since 1970.
    private(set) var expiry: Int64?
    /// Whether the credential must not be stored.
    private(set) var isEphemeral = false
    /// The capabilities that git announces.
    private(set) var capabilities: [AttributeText] = []
    private var isEnded = false

    /// Parses what git wrote.
    init(_ bytes: Span<UInt8>) throws {
        var start = 0
        var lineNumber = 1
        while start < bytes.count, !isEnded {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
            try take(bytes.extracting(start..<end), lineNumber)
            start = end + 1
            lineNumber += 1
        }
    }

    private mutating func take(_ line: Span<UInt8>, _ lineNumber: Int) throws {
        // An invalid line may be a secret, so it is not repeated.
        guard line.count <= Self.lineByteCountLimit else {
            throw CommandError(
                .tooLarge,
                "line \(lineNumber) from git has more than \(Self.lineByteCountLimit.grouped) bytes"
            )
        }
        guard !line.contains(0) else { throw CommandError(.failure, "line \(lineNumber) from git has a zero byte") }
        guard !line.isEmpty else {
            isEnded = true
            return
        }
        guard let equals = line.indices.first(where: { line[$0] == UInt8(ascii: "=") }) else {
            throw CommandError(.failure, "line \(lineNumber) from git has no equals sign")
        }
        let key = line.extracting(..<equals).attributeText.string ?? ""
        try take(key, line.extracting((equals + 1)...), lineNumber)
    }

    private mutating func take(_ key: String, _ value: Span<UInt8>, _ lineNumber: Int) throws {
        switch key {
        case "protocol": address.scheme = value.attributeText
        case "host": (address.server, address.port) = ServerAddress.hostAndPort(value.attributeText)
        case "path": address.path = value.attributeText
        case "username": username = value.attributeText
        case "password": password = HeldSecret(copying: value)
        case "credential": credential = HeldSecret(copying: value)
        case "authtype": authenticationType = value.attributeText
        case "oauth_refresh_token": refreshToken = HeldSecret(copying: value)
        case "ephemeral": isEphemeral = ["1", "true"].contains(value.attributeText)
        case "password_expiry_utc":
            guard let seconds = value.attributeText.string.flatMap({ Int64($0) }) else {
                throw CommandError(.failure, "line \(lineNumber) from git: password_expiry_utc is not a number")
            }
            expiry = seconds
        // An empty value clears the list.
        case "capability[]": if value.isEmpty { capabilities = [] } else { capabilities.append(value.attributeText) }
        case "url": try take(url: value, lineNumber)
        // Newer versions of git may send more keys.
        default: break
        }
    }

    /// Takes `SCHEME://[USER[:PASSWORD]@]HOST[/PATH]`, which replaces all these keys.
    private mutating func take(url: Span<UInt8>, _ lineNumber: Int) throws {
        let parts = AddressParts(url)
        guard let scheme = parts.scheme, !scheme.isEmpty else {
            throw CommandError(.failure, "line \(lineNumber) from git: the url has no protocol")
        }
        let isBroken = url.unescaped.withSpan { $0.contains(UInt8(ascii: "\n")) || $0.contains(0) }
        guard !isBroken else {
            throw CommandError(.failure, "line \(lineNumber) from git: the url contains a newline or a zero byte")
        }
        address = ServerAddress(scheme: url.extracting(scheme).attributeText)
        (address.server, address.port) = ServerAddress.hostAndPort(url.extracting(parts.host).unescaped.text)
        // Git's paths have no slash at the beginning.
        let path = url.extracting(parts.rest.dropFirst()).unescaped.text
        address.path = path.isEmpty ? nil : path
        username = parts.user.map { url.extracting($0).unescaped.text }
        password = parts.password.map { url.extracting($0).unescaped }
    }
}

extension Span<UInt8> {
    /// The percent-decoded bytes.
    var unescaped: HeldSecret {
        let result = SecretBuilder()
        var index = 0
        while index < count {
            if self[index] == UInt8(ascii: "%"), index + 2 < count, let high = self[index + 1].hexadecimalValue,
                let low = self[index + 2].hexadecimalValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result.held
    }
}
