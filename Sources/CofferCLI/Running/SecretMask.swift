internal import VaultCrypto

/// Hides secrets in a stream of bytes, in the forms in which programs usually write them.
///
/// Each run of bytes that belong to occurrences of secrets, which may overlap or touch, becomes `****`. Bytes that may begin a
/// secret are held back until more bytes decide that. The result does not depend on how the stream is divided.
package struct SecretMask: ~Copyable {
    private static let chunkByteCount = 16_384
    private static let replacement = Array("****".utf8)

    private var readers: [MaskReader]
    /// What is held back, and behind it what was taken just now.
    private var window = SecretBuffer(byteCount: chunkByteCount)
    /// Whether each byte of the window belongs to a secret.
    private var isCovered: [Bool] = []
    /// How many bytes have left the window.
    private var releasedByteCount = 0
    /// Whether the last of them belonged to a secret.
    private var wasCovered = false
    /// What is given on, gathered.
    private var shown = SecretBuffer(byteCount: chunkByteCount)
    private var shownByteCount = 0

    /// Hides these secrets.
    package init(_ secrets: [MaskedSecret]) {
        readers = MaskForm.allCases.map { MaskReader($0, for: secrets) }
    }

    /// Takes the next bytes, and gives `body` those that may be seen.
    package mutating func take<Failure: Error>(
        _ bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: bytes.count, by: Self.chunkByteCount) {
            let chunk = bytes.extracting(start..<min(start + Self.chunkByteCount, bytes.count))
            let needed = isCovered.count + chunk.count
            if needed > window.byteCount { window.grow(to: needed * 2) }
            for index in chunk.indices { advance(over: chunk[index]) }
            let last = releasedByteCount + isCovered.count - 1
            let held = readers.reduce(last + 1) { min($0, $1.heldStart(at: last) ?? last + 1) }
            try release(max(0, held - releasedByteCount), body)
        }
    }

    /// Gives `body` what was held back: there are no more bytes.
    package mutating func end<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        for index in readers.indices { readers[index].end() }
        try release(isCovered.count, body)
    }

    private mutating func advance(over byte: UInt8) {
        window.withMutableSpan { $0[isCovered.count] = byte }
        let offset = releasedByteCount + isCovered.count
        isCovered.append(false)
        for index in readers.indices {
            guard let found = readers[index].take(byte, at: offset) else { continue }
            // All of its bytes are here: none of them was given on while they could be those of a secret.
            for place in max(found.lowerBound, releasedByteCount)..<found.upperBound {
                isCovered[place - releasedByteCount] = true
            }
        }
    }

    /// Gives on the first bytes of the window, and moves the others to its beginning.
    private mutating func release<Failure: Error>(
        _ byteCount: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard byteCount > 0 else { return }
        for index in 0..<byteCount {
            if shown.byteCount - shownByteCount < Self.replacement.count { try flush(body) }
            if !isCovered[index] {
                show(window.withSpan { $0[index] })
            } else if !wasCovered {
                for star in Self.replacement { show(star) }
            }
            wasCovered = isCovered[index]
        }
        window.withMutableSpan { window in
            for index in byteCount..<isCovered.count { window[index - byteCount] = window[index] }
        }
        isCovered.removeFirst(byteCount)
        releasedByteCount += byteCount
        try flush(body)
    }

    private mutating func show(_ byte: UInt8) {
        shown.withMutableSpan { $0[shownByteCount] = byte }
        shownByteCount += 1
    }

    private mutating func flush<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        guard shownByteCount > 0 else { return }
        defer { shownByteCount = 0 }
        try shown.withSpan { bytes throws(Failure) in try body(bytes.extracting(..<shownByteCount)) }
    }
}
