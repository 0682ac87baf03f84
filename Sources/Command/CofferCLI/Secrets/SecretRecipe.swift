package import CofferBasics

/// How a random secret is generated.
package enum SecretRecipe: Equatable {
    /// `count` characters, each one of these, in UTF-8.
    case characters(count: Int, of: [[UInt8]])
    /// `count` words of the list, with a separator between them.
    case words(count: Int, separator: [UInt8])

    package static let letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
    package static let digits = "23456789"
    package static let symbols = "!#%+,-./:=?@^_~"

    /// A password of 20 characters.
    static let usual = SecretRecipe.characters(count: 20, of: alphabet(letters + digits + symbols))

    /// The Unicode scalars of `text`, each in UTF-8.
    package static func alphabet(_ text: String) -> [[UInt8]] { text.unicodeScalars.map { Array(String($0).utf8) } }

    /// The entropy: the number of possible secrets, as a power of two.
    package var entropyBits: Double {
        switch self {
        case .characters(let count, let alphabet): Double(count) * Self.binaryLogarithm(alphabet.count)
        case .words(let count, _): Double(count) * Self.binaryLogarithm(WordList.count)
        }
    }

    /// The recipe in words.
    var description: String {
        switch self {
        case .characters(let count, let alphabet):
            "\(count.counted("character")) from a set of \(alphabet.count)"
        case .words(let count, _): "\(count.counted("word")) from a list of \(WordList.count)"
        }
    }

    /// Generates a secret in memory that is wiped; `fill` overwrites bytes with random ones.
    package func secret(from fill: @escaping (inout MutableSpan<UInt8>) -> Void) -> HeldSecret {
        var picker = RandomPicker(fill)
        let text = SecretBuilder()
        switch self {
        case .characters(let count, let alphabet):
            for _ in 0..<count { text.append(alphabet[picker.number(below: alphabet.count)]) }
        case .words(let count, let separator):
            for index in 0..<count {
                if index > 0 { text.append(separator) }
                text.append(WordList.words[picker.number(below: WordList.count)].utf8)
            }
        }
        return text.held
    }

    /// The logarithm of a number to base 2, computed bit by bit by squaring.
    package static func binaryLogarithm(_ number: Int) -> Double {
        guard number > 0 else { return 0 }
        var (value, place) = (Double(number), 1.0)
        var logarithm = Double(value.exponent)
        value = value.significand
        for _ in 0..<52 {
            value *= value
            place /= 2
            guard value >= 2 else { continue }
            value /= 2
            logarithm += place
        }
        return logarithm
    }
}

/// Draws numbers that are all equally likely.
struct RandomPicker: ~Copyable {
    private static let poolByteCount = 256

    /// Overwrites bytes with random ones.
    private let fill: (inout MutableSpan<UInt8>) -> Void
    private var pool = SecretBuffer(byteCount: poolByteCount)
    private var usedByteCount = poolByteCount

    init(_ fill: @escaping (inout MutableSpan<UInt8>) -> Void) {
        self.fill = fill
    }

    /// A number from 0 to `bound - 1`; `bound` is from 1 to 2^31.
    mutating func number(below bound: Int) -> Int {
        let bound = UInt64(max(1, bound))
        // Numbers above the last multiple of `bound` would make small results more likely, so they are drawn again.
        let limit = (1 << 32) / bound * bound
        while true {
            let drawn = UInt64(word())
            if drawn < limit { return Int(drawn % bound) }
        }
    }

    private mutating func word() -> UInt32 {
        if usedByteCount + 4 > Self.poolByteCount {
            let fill = fill
            pool.withMutableSpan { fill(&$0) }
            usedByteCount = 0
        }
        let start = usedByteCount
        usedByteCount += 4
        return pool.withSpan { bytes in (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) }
        }
    }
}
