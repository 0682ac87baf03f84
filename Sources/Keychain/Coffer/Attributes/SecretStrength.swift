internal import CofferBasics
internal import VaultFormat

/// How hard a secret is to guess: a simple estimate, which section 4 of `Spec/opening.md` explains.
///
/// It catches only obvious weaknesses: a word that is on every list of passphrases counts like any other.
struct SecretStrength {
    /// The estimate: the base-2 logarithm of the number of guesses.
    let bits: Double

    /// Below this, a few guesses are enough.
    static let minimumBits = 4.0
    /// Below this, one machine finds a passphrase within about a year, even though Argon2id slows it down.
    static let passphraseBits = 32.0
    /// Below this, a key file can be guessed, since Argon2id does not slow that down.
    static let keyFileBits = 128.0

    private static let keyboardRows = ["qwertyuiop", "asdfghjkl", "zxcvbnm"]

    /// The strength of a passphrase.
    init(passphrase: Span<UInt8>) {
        self.init(passphrase) { Self.isRun($0, $1, $2) }
    }

    /// The strength of the content of a key file.
    init(keyFile: Span<UInt8>) {
        self.init(keyFile) { $0 == $1 && $1 == $2 }
    }

    /// Estimates the strength without counting the characters that continue a run.
    private init(_ bytes: Span<UInt8>, continuesRun: (UInt8, UInt8, UInt8) -> Bool) {
        var count = 0
        var isUsed = InlineArray<256, Bool>(repeating: false)
        for index in 0..<Self.period(of: bytes) {
            if index >= 2, continuesRun(bytes[index - 2], bytes[index - 1], bytes[index]) { continue }
            count += 1
            isUsed[Int(bytes[index])] = true
        }
        var distinctCount = 0
        for index in isUsed.indices where isUsed[index] { distinctCount += 1 }
        bits = Double(count) * Self.logarithm(distinctCount)
    }

    /// The length of the shortest text that gives `bytes` when repeated; the last repetition may be cut short.
    private static func period(of bytes: Span<UInt8>) -> Int {
        // For each prefix, how many of its first bytes are also its last.
        var borders = [0]
        guard bytes.count > 1 else { return bytes.count }
        borders.reserveCapacity(bytes.count)
        for index in 1..<bytes.count {
            var length = borders[index - 1]
            while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
            borders.append(bytes[index] == bytes[length] ? length + 1 : 0)
        }
        let period = bytes.count - borders[bytes.count - 1]
        return period * 2 <= bytes.count ? period : bytes.count
    }

    /// Whether three characters form a run: all the same, up or down by one, or along a row of the keyboard.
    private static func isRun(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        let (one, other) = (Int(second) - Int(first), Int(third) - Int(second))
        if one == other, abs(one) <= 1 { return true }
        for row in keyboardRows {
            let letters = row.utf8.map(\.self)
            let places = [first, second, third].map { letters.firstIndex(of: $0 | 0x20) }
            guard let first = places[0], let second = places[1], let third = places[2] else { continue }
            return second - first == third - second && abs(second - first) == 1
        }
        return false
    }

    /// The base-2 logarithm of `number`.
    private static func logarithm(_ number: Int) -> Double {
        guard number > 1 else { return 0 }
        // Between two powers of two, a straight line is close enough.
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return Double(exponent) + Double(number) / Double(1 << exponent) - 1
    }
}

extension VaultProtection {
    /// Returns warnings about a passphrase or key file that is easy to guess.
    ///
    /// A warning says no more about a secret than that it is short or follows a pattern.
    ///
    /// ```swift
    /// for warning in try protection.warnings() { print("warning: \(warning)") }
    /// ```
    ///
    /// - Returns: One sentence for each warning; empty if the secret is not easy to guess.
    /// - Throws: ``VaultError/Kind/weakSecret`` if the secret is too weak to be used, or another ``VaultError`` if the
    ///   key file cannot be read.
    public func warnings() throws(VaultError) -> [String] {
        let keyFile = try keyFile.map { path throws(VaultError) in try Passphrase.keyFile(path) }
        try checkStrength(keyFile: keyFile)
        let keyFileBits = keyFile.map { file in file.withBytes { SecretStrength(keyFile: $0).bits } }
        if let passphrase {
            let bits = passphrase.withBytes { SecretStrength(passphrase: $0).bits } + (keyFileBits ?? 0)
            guard bits < SecretStrength.passphraseBits else { return [] }
            return ["the passphrase is weak: \(Self.consequence); use five or more random words"]
        }
        guard let keyFileBits, keyFileBits < SecretStrength.keyFileBits else { return [] }
        return ["the key file is weak: \(Self.consequence); use a file of random bytes"]
    }

    private static let consequence = "anyone with a copy of the vault can guess it"

    /// Throws if a secret has almost no entropy, unless weak secrets are allowed.
    func checkStrength(keyFile: Passphrase?) throws(VaultError) {
        guard !allowsWeakSecrets else { return }
        let passphraseBits = passphrase?.withBytes { SecretStrength(passphrase: $0).bits }
        if let passphraseBits, passphraseBits < SecretStrength.minimumBits {
            throw VaultError(
                kind: .weakSecret,
                description: """
                    the passphrase is too easy to guess: it is too short or follows a simple pattern; \
                    nothing was changed
                    """
            )
        }
        guard let keyFile, let path = self.keyFile,
            keyFile.withBytes({ SecretStrength(keyFile: $0).bits }) < SecretStrength.minimumBits
        else { return }
        throw VaultError(
            kind: .weakSecret,
            description: """
                the key file \(path.printable) is too easy to guess: it repeats one or two bytes; use a file of random \
                bytes. Nothing was changed
                """
        )
    }
}
