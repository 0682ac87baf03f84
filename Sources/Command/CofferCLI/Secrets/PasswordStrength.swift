internal import CofferBasics

/// How hard a password is to guess for somebody who tries words, runs of keys, years and repetitions first.
///
/// An estimate: of all ways to put the password together from such parts and single characters, the cheapest counts.
package struct PasswordStrength: Equatable {
    /// The binary logarithm of the number of guesses.
    package let bits: Double

    /// Below this, one machine guesses the password of a stolen list within hours.
    package static let weakBits = 40.0
    /// Below this, one machine guesses a passphrase within hours, although each guess takes it a moment.
    static let easyBits = 20.0
    /// Longer secrets are not estimated to the end.
    private static let byteCountLimit = 128

    package init(_ secret: Span<UInt8>) {
        let bytes = secret.extracting(..<min(secret.count, Self.byteCountLimit))
        let characterBits = Self.bitsOfCharacter(in: bytes)
        // The bits of each beginning of the password, by its length.
        var least = (0...bytes.count).map { Double($0) * characterBits }
        for start in bytes.indices {
            least[start + 1] = min(least[start + 1], least[start] + characterBits)
            let part = bytes.extracting(start...)
            for (count, cost) in Self.parts(of: part, characterBits) {
                least[start + count] = min(least[start + count], least[start] + cost)
            }
        }
        bits = least.last ?? 0
    }

    init(bits: Double) { self.bits = bits }

    /// The strength of a secret; nil if that is no password, but empty, or longer, or of several lines.
    init?(ofPassword secret: HeldSecret) {
        let strength = secret.withSpan { bytes -> PasswordStrength? in
            guard bytes.count > 0, bytes.count <= Self.byteCountLimit, !bytes.contains(UInt8(ascii: "\n")) else {
                return nil
            }
            return PasswordStrength(bytes)
        }
        guard let strength else { return nil }
        self = strength
    }

    /// The strength in a word.
    package var word: String {
        switch bits {
        case ..<28: "very weak"
        case ..<Self.weakBits: "weak"
        case ..<60: "fair"
        case ..<80: "good"
        default: "strong"
        }
    }

    // MARK: - Parts

    /// The parts at the start of the bytes that are easier to guess than their characters, and the bits of each.
    private static func parts(of bytes: Span<UInt8>, _ characterBits: Double) -> [(count: Int, bits: Double)] {
        var parts: [(count: Int, bits: Double)] = []
        let run = longestRun(in: bytes)
        if run >= 3 { parts.append((run, characterBits + logarithm(run))) }
        let period = repetition(in: bytes)
        if let period { parts.append((period.count, characterBits * Double(period.length) + logarithm(period.count))) }
        if let year = year(in: bytes) { parts.append(year) }
        for count in 3...8 where count <= bytes.count {
            guard let (key, changedCount) = wordKey(bytes.extracting(..<count)) else { continue }
            if let place = Self.commonPlaces[key] {
                parts.append((count, logarithm(place + 2) + Double(changedCount)))
            } else if Self.words.contains(key) {
                parts.append((count, 11 + Double(changedCount)))
            }
        }
        return parts
    }

    /// The number of characters that are equal, or each the next of the one before, also on the keyboard.
    private static func longestRun(in bytes: Span<UInt8>) -> Int {
        var longest = 1
        for step in [0, 1, -1] {
            var count = 1
            while count < bytes.count, Int(bytes[count]) - Int(bytes[count - 1]) == step { count += 1 }
            longest = max(longest, count)
        }
        for row in keyboardRows {
            guard let start = row.firstIndex(of: bytes[0].lowercase) else { continue }
            var count = 1
            while count < bytes.count, start + count < row.count, bytes[count].lowercase == row[start + count] {
                count += 1
            }
            longest = max(longest, count)
        }
        return longest
    }

    private static let keyboardRows = ["1234567890", "qwertzuiop", "qwertyuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm"]
        .map { Array($0.utf8) }

    /// The longest repetition of two to eight characters, and their number.
    private static func repetition(in bytes: Span<UInt8>) -> (count: Int, length: Int)? {
        var best: (count: Int, length: Int)?
        for length in 2...8 where length * 2 <= bytes.count {
            var count = length
            while count < bytes.count, bytes[count] == bytes[count - length] { count += 1 }
            if count >= length * 2, count > best?.count ?? 0 { best = (count, length) }
        }
        return best
    }

    /// A year that people know.
    private static func year(in bytes: Span<UInt8>) -> (count: Int, bits: Double)? {
        guard bytes.count >= 4, (0..<4).allSatisfy({ bytes[$0].isDigit }) else { return nil }
        let number = (0..<4).reduce(0) { $0 * 10 + Int(bytes[$1] - UInt8(ascii: "0")) }
        return (1900...2099).contains(number) ? (4, 6.5) : nil
    }

    // MARK: - Words

    /// The word of the bytes in lower case and without usual replacements, and how many characters that changed.
    private static func wordKey(_ bytes: Span<UInt8>) -> (key: UInt64, changedCount: Int)? {
        var (key, changedCount): (UInt64, Int) = (0, 0)
        for index in bytes.indices {
            let letter: UInt8
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): letter = bytes[index]
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): letter = bytes[index].lowercase
            case UInt8(ascii: "0"): letter = UInt8(ascii: "o")
            case UInt8(ascii: "1"), UInt8(ascii: "!"): letter = UInt8(ascii: "i")
            case UInt8(ascii: "3"): letter = UInt8(ascii: "e")
            case UInt8(ascii: "4"), UInt8(ascii: "@"): letter = UInt8(ascii: "a")
            case UInt8(ascii: "5"), UInt8(ascii: "$"): letter = UInt8(ascii: "s")
            case UInt8(ascii: "7"): letter = UInt8(ascii: "t")
            default: return nil
            }
            if letter != bytes[index] { changedCount += 1 }
            key = key << 8 | UInt64(letter)
        }
        return (key, changedCount)
    }

    private static func key(_ word: some StringProtocol) -> UInt64 { word.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    private static let words = Set(WordList.words.map { key($0) })

    /// Words that are in many passwords, by how early they are tried.
    private static let commonPlaces = Dictionary(
        commonWords.split(separator: " ").enumerated().map { (key($1), $0) },
        uniquingKeysWith: min
    )

    private static let commonWords = """
        password qwerty admin welcome letmein login iloveyou monkey dragon master secret hello test root user guest \
        sunshine princess football baseball superman batman shadow michael jordan ashley bailey charlie daniel thomas \
        jessica jennifer michelle andrew joshua matthew nicole hunter trustno starwars whatever freedom summer winter \
        spring autumn love passw pass abc asdf qwe google facebook apple computer internet cheese ginger pepper maggie \
        cookie soccer hockey killer tigger buster george harley ranger robert taylor andrea amanda secure access \
        changeme default server mysql oracle cisco london berlin paris america canada mustang ferrari porsche corvette \
        chelsea arsenal madrid pokemon samsung android windows flower purple orange yellow silver golden diamond
        """

    // MARK: - Characters

    /// The bits of a character that follows no pattern, by the kinds of characters that occur.
    private static func bitsOfCharacter(in bytes: Span<UInt8>) -> Double {
        var kinds = Set<Int>()
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): kinds.insert(10)
            case UInt8(ascii: "a")...UInt8(ascii: "z"): kinds.insert(26)
            // The number differs from that of lower-case letters, so that both count.
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): kinds.insert(27)
            case 0x20..<0x7F: kinds.insert(33)
            default: kinds.insert(64)
            }
        }
        return logarithm(kinds.reduce(0, +))
    }

    private static func logarithm(_ number: Int) -> Double { SecretRecipe.binaryLogarithm(max(1, number)) }
}

extension UInt8 {
    fileprivate var lowercase: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self + 0x20 : self
    }
}
