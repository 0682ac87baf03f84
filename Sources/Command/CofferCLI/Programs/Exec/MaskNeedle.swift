package import CofferBasics

/// A secret, prepared for a mask to search for.
package struct MaskedSecret {
    /// The fewest bytes that a secret may have: shorter ones occur everywhere.
    static let leastByteCount = 4

    /// The bytes, for forms that encode each byte separately.
    let text: MaskNeedle
    /// The bit pairs, for base64 and hexadecimal: with unchanged line ends, with LF and with CRLF.
    let packed: [MaskNeedle]

    package init(_ secret: HeldSecret) {
        let isText = secret.withSpan { $0.isText }
        // Programs often drop or replace the newline at the end of a secret.
        let core = isText ? secret.kept { $0.withoutLastNewlines } ?? secret : secret
        let lines = isText ? core.kept { $0.withoutIndentation } : nil
        text = MaskNeedle(lines ?? core.replacingPlus, bitCount: 8, allowsGaps: lines != nil)
        var packed = [core]
        if isText, core.withSpan({ $0.contains(UInt8(ascii: "\n")) }) {
            for end in [[], [UInt8(ascii: "\r")]] {
                let other = core.endingLines(with: end)
                if !packed.contains(where: { $0 == other }) { packed.append(other) }
            }
        }
        self.packed = packed.map { MaskNeedle($0, bitCount: 2, allowsGaps: false) }
    }
}

/// A sequence of symbols to find in a stream: bytes, or pairs of bits.
struct MaskNeedle {
    private let secret: HeldSecret
    /// The number of symbols in a byte.
    private let symbolsPerByte: Int
    /// Whether to skip carriage returns before newlines, and spaces and tabs after them.
    private let allowsGaps: Bool
    /// For each prefix, the length of the longest shorter prefix that it ends with (Knuth, Morris and Pratt).
    private let fallbacks: [UInt32]

    /// The first symbol, to reject most bytes of a stream quickly.
    let first: UInt8

    /// The effect of a symbol on a search.
    enum Step {
        /// The symbol is skipped.
        case ignored
        case taken
        /// The symbol completes the sequence.
        case found
    }

    /// The number of symbols.
    var count: Int { secret.byteCount * symbolsPerByte }

    init(_ secret: HeldSecret, bitCount: Int, allowsGaps: Bool) {
        self.secret = secret
        self.allowsGaps = allowsGaps
        let symbolsPerByte = 8 / bitCount
        self.symbolsPerByte = symbolsPerByte
        first = secret.withSpan { Self.symbol(0, of: $0, symbolsPerByte) }
        fallbacks = secret.withSpan { bytes in
            let count = bytes.count * symbolsPerByte
            var fallbacks = Array(repeating: UInt32(0), count: count + 1)
            var length = 0
            for index in 1..<max(count, 1) {
                let symbol = Self.symbol(index, of: bytes, symbolsPerByte)
                while length > 0, symbol != Self.symbol(length, of: bytes, symbolsPerByte) {
                    length = Int(fallbacks[length])
                }
                if symbol == Self.symbol(length, of: bytes, symbolsPerByte) { length += 1 }
                fallbacks[index + 1] = UInt32(length)
            }
            return fallbacks
        }
    }

    /// Takes the next symbol after `length` symbols that match the beginning of the sequence.
    func advance(_ length: inout Int, over symbol: UInt8) -> Step {
        secret.withSpan { bytes in
            while true {
                let expected = Self.symbol(length, of: bytes, symbolsPerByte)
                if symbol == expected { break }
                if allowsGaps, length > 0 {
                    if symbol == UInt8(ascii: "\r"), expected == UInt8(ascii: "\n") { return .ignored }
                    if symbol.isBlankInLine, bytes[length - 1] == UInt8(ascii: "\n") { return .ignored }
                }
                guard length > 0 else { return .taken }
                length = Int(fallbacks[length])
            }
            length += 1
            guard length == count else { return .taken }
            length = Int(fallbacks[length])
            return .found
        }
    }

    private static func symbol(_ index: Int, of bytes: Span<UInt8>, _ symbolsPerByte: Int) -> UInt8 {
        symbolsPerByte == 1 ? bytes[index] : bytes[index / 4] >> UInt8(6 - 2 * (index % 4)) & 3
    }
}

extension HeldSecret {
    /// The result of `body`; nil if it is too short.
    fileprivate func kept(_ body: (Span<UInt8>) -> HeldSecret) -> HeldSecret? {
        let kept = withSpan(body)
        return kept.byteCount < MaskedSecret.leastByteCount ? nil : kept
    }

    /// The secret with each plus sign replaced by a space, which it stands for in URLs.
    fileprivate var replacingPlus: HeldSecret {
        let secret = SecretBuilder()
        withSpan { bytes in for index in bytes.indices { secret.append(bytes[index].replacingPlus) } }
        return secret.held
    }

    /// The secret with `end` before each newline, and no other carriage returns there.
    fileprivate func endingLines(with end: [UInt8]) -> HeldSecret {
        let secret = SecretBuilder()
        withSpan { bytes in
            for index in bytes.indices where !bytes.isReturnBeforeNewline(index) {
                if bytes[index] == UInt8(ascii: "\n") { secret.append(end) }
                secret.append(bytes[index])
            }
        }
        return secret.held
    }
}

extension Span<UInt8> {
    fileprivate func isReturnBeforeNewline(_ index: Int) -> Bool {
        self[index] == UInt8(ascii: "\r") && index + 1 < count && self[index + 1] == UInt8(ascii: "\n")
    }

    fileprivate var withoutLastNewlines: HeldSecret {
        var end = count
        while end > 0, self[end - 1] == UInt8(ascii: "\n") || self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return HeldSecret(copying: extracting(..<end))
    }

    /// The lines without indentation and carriage returns, with plus signs replaced by spaces.
    fileprivate var withoutIndentation: HeldSecret {
        let secret = SecretBuilder()
        var isIndentation = true
        var isFirstLine = true
        for index in indices where !isReturnBeforeNewline(index) {
            let byte = self[index].replacingPlus
            // A search skips spaces and tabs after a newline, and treats a plus sign as a space.
            if isIndentation, isFirstLine ? self[index].isBlankInLine : byte.isBlankInLine { continue }
            isIndentation = byte == UInt8(ascii: "\n")
            isFirstLine = isFirstLine && !isIndentation
            secret.append(byte)
        }
        return secret.held
    }
}

extension UInt8 {
    /// The byte, with a plus sign replaced by a space.
    var replacingPlus: UInt8 { self == UInt8(ascii: "+") ? UInt8(ascii: " ") : self }
}
