internal import CofferBasics

/// Hides secrets in a stream of bytes, in the forms in which programs usually write them.
///
/// Each run of bytes that belong to occurrences of secrets, which may overlap or touch, becomes `****`. Bytes that may
/// begin a secret are held back until more bytes decide. The result does not depend on how the stream is divided.
package struct SecretMask: ~Copyable {
    private static let chunkByteCount = 16_384
    private static let replacement = Array("****".utf8)

    private var readers: [MaskReader]
    /// Bytes already released, then bytes held back, then bytes just taken.
    private var window = SecretBuffer(byteCount: chunkByteCount)
    /// Whether each byte of the window belongs to a secret.
    private var isCovered: [Bool] = []
    /// The offset of the window in the stream.
    private var windowOffset = 0
    /// The index of the first byte of the window that is not yet released.
    private var heldIndex = 0
    /// Whether the byte before `heldIndex` belonged to a secret.
    private var wasCovered = false
    /// The buffer for released bytes.
    private let shown = SecretBuilder(capacity: chunkByteCount)

    /// Creates a mask that hides `secrets`.
    package init(_ secrets: [MaskedSecret]) {
        readers = MaskForm.allCases.map { MaskReader($0, for: secrets) }
    }

    /// Takes the next bytes, and calls `body` with those that can be shown.
    package mutating func take<Failure: Error>(
        _ bytes: Span<UInt8>,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: bytes.count, by: Self.chunkByteCount) {
            let chunk = bytes.extracting(start..<min(start + Self.chunkByteCount, bytes.count))
            let needed = isCovered.count + chunk.count
            if needed > window.byteCount { window.grow(to: needed * 2) }
            for index in chunk.indices { advance(over: chunk[index]) }
            let last = windowOffset + isCovered.count - 1
            let held = readers.reduce(last + 1) { min($0, $1.heldStart(at: last) ?? last + 1) }
            try release(upTo: held - windowOffset, body)
        }
    }

    /// Ends the stream, and calls `body` with the bytes held back.
    package mutating func end<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        for index in readers.indices { readers[index].end() }
        try release(upTo: isCovered.count, body)
    }

    private mutating func advance(over byte: UInt8) {
        window.withMutableSpan { $0[isCovered.count] = byte }
        let offset = windowOffset + isCovered.count
        isCovered.append(false)
        for index in readers.indices {
            guard let found = readers[index].take(byte, at: offset) else { continue }
            // All its bytes are still in the window: none was released while it could belong to a secret.
            for index in max(found.lowerBound - windowOffset, heldIndex)..<found.upperBound - windowOffset {
                isCovered[index] = true
            }
        }
    }

    /// Releases the bytes of the window before `end`.
    private mutating func release<Failure: Error>(
        upTo end: Int,
        _ body: (Span<UInt8>) throws(Failure) -> Void
    ) throws(Failure) {
        guard end > heldIndex else { return }
        for index in heldIndex..<end {
            if shown.byteCount > Self.chunkByteCount - Self.replacement.count { try flush(body) }
            if !isCovered[index] {
                shown.append(window.withSpan { $0[index] })
            } else if !wasCovered {
                shown.append(Self.replacement)
            }
            wasCovered = isCovered[index]
        }
        heldIndex = end
        // Not after every release: with much held back, the same bytes would be moved again and again.
        if heldIndex >= isCovered.count / 2 {
            window.withMutableSpan { window in
                for index in heldIndex..<isCovered.count { window[index - heldIndex] = window[index] }
            }
            isCovered.removeFirst(heldIndex)
            windowOffset += heldIndex
            heldIndex = 0
        }
        try flush(body)
    }

    private func flush<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
        guard shown.byteCount > 0 else { return }
        defer { shown.removeAll() }
        try shown.withSpan(body)
    }
}
