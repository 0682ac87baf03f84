internal import CofferBasics
internal import VaultFormat

/// How hard a secret is to guess: a plain estimate, which `Spec/opening.md` explains in section 4.
///
/// It catches what is obvious and no more: a word that is on every list of passphrases counts like any other.
struct SecretStrength {
    /// The estimate, as the logarithm to base 2 of the number of guesses.
    let bits: Double

    /// Below this, a few guesses are enough.
    static let leastBits = 4.0
    /// Below this, one machine finds a passphrase within a year, also at the price of Argon2id.
    static let passphraseBits = 32.0
    /// Below this, a key file can be guessed: no Argon2id slows that down.
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

    /// Counts the characters that follow from what is before them as nothing.
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

    /// How long the shortest text is that gives `bytes` when it is repeated; the last time may be cut short.
    private static func period(of bytes: Span<UInt8>) -> Int {
        // How much of the beginning stands again at the end of each prefix.
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

    /// Whether three characters go on in one way: the same, up or down by one, or along a row of a keyboard.
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

    /// The logarithm to base 2.
    private static func logarithm(_ number: Int) -> Double {
        guard number > 1 else { return 0 }
        // Between two powers a straight line is near enough.
        let exponent = Int.bitWidth - 1 - number.leadingZeroBitCount
        return Double(exponent) + Double(number) / Double(1 << exponent) - 1
    }
}

extension VaultProtection {
    /// Why what shall open the vault is easy to guess; empty if it is not.
    ///
    /// It tells no more about a secret than that it is short, or follows a pattern.
    ///
    /// ```swift
    /// for warning in try protection.warnings() { print("warning: \(warning)") }
    /// ```
    ///
    /// - Returns: Warnings about the secret, a sentence each.
    /// - Throws: ``VaultError/Kind/weakSecret`` if the secret is refused, or why the key file cannot be read.
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

    private static let consequence = "whoever has a copy of the vault can guess it"

    /// Throws if a secret has next to no entropy, unless weak secrets are allowed.
    func checkStrength(keyFile: Passphrase?) throws(VaultError) {
        guard !allowsWeakSecrets else { return }
        let passphraseBits = passphrase?.withBytes { SecretStrength(passphrase: $0).bits }
        if let passphraseBits, passphraseBits < SecretStrength.leastBits {
            throw VaultError(
                kind: .weakSecret,
                description: """
                    the passphrase is too easy to guess: it is too short, or one simple pattern; nothing was changed
                    """
            )
        }
        guard let keyFile, let path = self.keyFile,
            keyFile.withBytes({ SecretStrength(keyFile: $0).bits }) < SecretStrength.leastBits
        else { return }
        throw VaultError(
            kind: .weakSecret,
            description: """
                the key file \(path.printable) is too easy to guess: it repeats one or two bytes; use a file of random bytes. \
                Nothing was changed
                """
        )
    }
}
