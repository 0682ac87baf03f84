internal import VaultCrypto

/// Hides secrets in a stream of bytes.
///
/// Each run of bytes that belong to occurrences of secrets, which may overlap or touch, becomes `****`. Bytes that may
/// be the beginning of a secret are held back until more bytes decide that; those are fewer than the longest secret has.
package struct SecretMask: ~Copyable {
    /// How many bytes a secret has at least: shorter ones are everywhere.
    static let leastByteCount = 4
    private static let chunkByteCount = 16_384
    private static let replacement = Array("****".utf8)

    private var patterns: [MaskPattern]
    /// What is held back, and behind it what was taken just now.
    private var window: SecretBuffer
    /// Whether each byte of the window belongs to a secret.
    private var isCovered: [Bool]
    private var byteCount = 0
    /// Whether the last byte that has left the window belonged to a secret.
    private var wasCovered = false
    /// What is given on, gathered.
    private var shown: SecretBuffer

    /// Hides these secrets.
    package init(_ secrets: [HeldSecret]) {
        patterns = secrets.filter { $0.bytes.byteCount > 0 }.map { MaskPattern($0) }
        let longest = secrets.reduce(0) { max($0, $1.bytes.byteCount) }
        window = SecretBuffer(byteCount: longest + Self.chunkByteCount)
        isCovered = Array(repeating: false, count: longest + Self.chunkByteCount)
        // A covered byte between two others grows to four.
        shown = SecretBuffer(byteCount: (longest + Self.chunkByteCount) * Self.replacement.count)
    }

    /// Takes the next bytes, and gives `body` those that may be seen.
    package mutating func take<Failure: Error>(
        _ bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.chunkByteCount, bytes.count)
            for index in start..<end { advance(over: bytes[index]) }
            start = end
            let heldCount = patterns.reduce(0) { max($0, $1.matchedByteCount) }
            try release(byteCount - heldCount, body)
        }
    }

    /// Gives `body` what was held back: there are no more bytes.
    package mutating func end<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        try release(byteCount, body)
        for index in patterns.indices { patterns[index].reset() }
    }

    private mutating func advance(over byte: UInt8) {
        window.withMutableSpan { $0[byteCount] = byte }
        isCovered[byteCount] = false
        byteCount += 1
        for index in patterns.indices where patterns[index].advance(over: byte) {
            // All of its bytes are here: none of them was given on while they could be those of a secret. Where it overlaps
            // itself, what its last occurrence has covered is left alone: output could be slow to read otherwise.
            let start = max(0, byteCount - patterns[index].byteCount, patterns[index].coveredCount)
            for place in start..<byteCount { isCovered[place] = true }
            patterns[index].coveredCount = byteCount
        }
    }

    /// Gives on the first bytes of the window, and moves the others to its beginning.
    private mutating func release<Failure: Error>(
        _ releasedCount: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        var shownCount = 0
        for index in 0..<releasedCount {
            if isCovered[index] {
                if !wasCovered {
                    shown.withMutableSpan { shown in
                        for (offset, star) in Self.replacement.enumerated() { shown[shownCount + offset] = star }
                    }
                    shownCount += Self.replacement.count
                }
            } else {
                window.withSpan { window in shown.withMutableSpan { $0[shownCount] = window[index] } }
                shownCount += 1
            }
            wasCovered = isCovered[index]
        }
        let restCount = byteCount - releasedCount
        window.withMutableSpan { window in
            for index in 0..<restCount { window[index] = window[releasedCount + index] }
        }
        for index in 0..<restCount { isCovered[index] = isCovered[releasedCount + index] }
        for index in patterns.indices {
            patterns[index].coveredCount = max(0, patterns[index].coveredCount - releasedCount)
        }
        byteCount = restCount
        guard shownCount > 0 else { return }
        try shown.withSpan { bytes throws(Failure) in try body(bytes.extracting(..<shownCount)) }
    }
}

/// Looks for one secret, byte by byte.
private struct MaskPattern {
    private let secret: HeldSecret
    /// For each beginning of the secret, how long the longest shorter one is that it ends with.
    private let fallbacks: [Int]
    /// How many of the last bytes are the beginning of the secret, and not all of it.
    private(set) var matchedByteCount = 0
    /// Where its last occurrence ends in the window.
    var coveredCount = 0

    var byteCount: Int { secret.bytes.byteCount }

    init(_ secret: HeldSecret) {
        self.secret = secret
        fallbacks = secret.bytes.withSpan { bytes in
            var fallbacks = Array(repeating: 0, count: bytes.count + 1)
            var length = 0
            for index in 1..<max(bytes.count, 1) {
                while length > 0, bytes[index] != bytes[length] { length = fallbacks[length] }
                if bytes[index] == bytes[length] { length += 1 }
                fallbacks[index + 1] = length
            }
            return fallbacks
        }
    }

    mutating func reset() { matchedByteCount = 0 }

    /// Takes the next byte; true if the secret ends with it.
    mutating func advance(over byte: UInt8) -> Bool {
        var length = matchedByteCount
        let isWhole = secret.bytes.withSpan { bytes in
            while length > 0, bytes[length] != byte { length = fallbacks[length] }
            if bytes[length] == byte { length += 1 }
            return length == bytes.count
        }
        matchedByteCount = isWhole ? fallbacks[length] : length
        return isWhole
    }
}
