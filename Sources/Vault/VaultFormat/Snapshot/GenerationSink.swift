/// The new file that a generation is written to, with access to the file that it replaces.
package protocol GenerationSink {
    associatedtype Failure: Error

    /// Writes `bytes` at `offset` of the new file.
    mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws(Failure)

    /// The bytes in `range` of the old file.
    mutating func copiedBytes(in range: Range<Int>) throws(Failure) -> [UInt8]
}

/// A part of a new generation.
package enum PartContent: Sendable {
    case bytes([UInt8])
    /// The bytes in this range of the old file.
    case copied(Range<Int>)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .copied(let range): range.count
        }
    }
}

extension PartContent {
    /// The parts, with adjacent ranges of the old file joined into one.
    static func joined(_ parts: some Sequence<PartContent>) -> [PartContent] {
        var joined: [PartContent] = []
        for part in parts {
            if case .copied(let range) = part, case .copied(let before)? = joined.last,
                before.upperBound == range.lowerBound
            {
                joined[joined.count - 1] = .copied(before.lowerBound..<range.upperBound)
            } else {
                joined.append(part)
            }
        }
        return joined
    }
}

extension GenerationSink {
    /// The bytes of a part.
    mutating func bytes(of content: PartContent) throws(Failure) -> [UInt8] {
        switch content {
        case .bytes(let bytes): bytes
        case .copied(let range): try copiedBytes(in: range)
        }
    }
}

/// A generation in memory that replaces no file.
package struct MemorySink: GenerationSink, Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func write(_ bytes: Span<UInt8>, at offset: Int) {
        let end = offset + bytes.count
        if end > self.bytes.count {
            self.bytes.append(contentsOf: repeatElement(0, count: end - self.bytes.count))
        }
        for index in bytes.indices { self.bytes[offset + index] = bytes[index] }
    }

    package func copiedBytes(in range: Range<Int>) -> [UInt8] {
        preconditionFailure("there is no old file to copy from")
    }
}
