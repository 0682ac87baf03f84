package import CofferBasics

extension OneTimePasswordURI {
    /// A generator whose parts are in several fields, or why it is none.
    package typealias Split = (fields: [String], result: Result<OneTimePasswordURI, OneTimePasswordError>)

    /// Finds the generators that KeePass and its plugins keep in fields.
    ///
    /// These are `TimeOtp-…` and `HmacOtp-…` of KeePass 2, `TOTP Seed` with `TOTP Settings`, and the text in `otp`.
    ///
    /// - Parameter field: Returns the value of a field, if there is one.
    /// - Returns: The generators, each with the names of its fields; equal ones are not joined.
    package static func inFields(_ field: (String) -> HeldSecret?) -> [Split] {
        var found: [Split] = []
        func add(_ names: [String], _ read: () throws(OneTimePasswordError) -> OneTimePasswordURI) {
            found.append((names.filter { field($0) != nil }, Result(catching: read)))
        }
        if let seed = field("TOTP Seed") {
            add(["TOTP Seed", "TOTP Settings"]) { () throws(OneTimePasswordError) in
                try seeded(seed, settings: field("TOTP Settings")?.text)
            }
        }
        if let text = field("otp") {
            add(["otp"]) { () throws(OneTimePasswordError) in
                try text.withSpan { text throws(OneTimePasswordError) in try OneTimePasswordURI(text) }
            }
        }
        for prefix in ["TimeOtp", "HmacOtp"] {
            guard let (suffix, encoding) = secretSuffixes.first(where: { field(prefix + $0.suffix) != nil }),
                let secret = field(prefix + suffix)
            else { continue }
            add((secretSuffixes.map(\.suffix) + parameterSuffixes).map { prefix + $0 }) {
                () throws(OneTimePasswordError) in
                try split(decoded(secret, encoding), prefix: prefix) { field($0)?.text }
            }
        }
        return found
    }

    // KeePass help, "One-Time Passwords": the suffix says how the secret is written.
    private static let secretSuffixes: [(suffix: String, encoding: String)] = [
        ("-Secret-Base32", "base32"), ("-Secret-Base64", "base64"), ("-Secret-Hex", "hex"),
        ("-Secret", "utf8"),
    ]
    private static let parameterSuffixes = ["-Length", "-Period", "-Algorithm", "-Counter"]

    private static func split(
        _ generator: OneTimePasswordURI,
        prefix: String,
        _ text: (String) -> String?
    ) throws(OneTimePasswordError) -> OneTimePasswordURI {
        var generator = generator
        generator.digitCount = try digitCount(text(prefix + "-Length"), isSteam: false)
        if let name = text(prefix + "-Algorithm") { generator.algorithm = try Algorithm(named: name) }
        if prefix == "HmacOtp" {
            generator.kind = try counter(text(prefix + "-Counter") ?? "0")
        } else {
            generator.kind = try time(period: text(prefix + "-Period"))
        }
        return generator
    }

    /// A generator of `TOTP Seed`, with settings such as `30;6`, or `30;S` for Steam.
    private static func seeded(
        _ seed: HeldSecret,
        settings: String?
    ) throws(OneTimePasswordError) -> OneTimePasswordURI {
        var generator = try decoded(seed, "base32")
        let parts = (settings ?? "").split(separator: ";").map(\.trimmed)
        guard let period = parts.first else { return generator }
        generator.kind = try time(period: period)
        generator.isSteam = parts.count > 1 && parts[1].uppercased() == "S"
        generator.digitCount = try digitCount(parts.count > 1 ? parts[1] : nil, isSteam: generator.isSteam)
        return generator
    }
}
