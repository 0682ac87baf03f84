/// Where a generation is written to, and what of the file that it replaces is copied from.
package protocol GenerationSink {
    associatedtype Failure: Error

    /// Writes `bytes` at `offset` of the new file.
    mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws(Failure)

    /// The bytes in `range` of the file that is replaced.
    mutating func copiedBytes(in range: Range<Int>) throws(Failure) -> [UInt8]
}

/// A part of a new generation.
package enum PartContent: Sendable {
    case bytes([UInt8])
    /// What lies in this range of the file that is replaced.
    case copied(Range<Int>)

    package var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .copied(let range): range.count
        }
    }
}

extension PartContent {
    /// The parts, with what is copied from one piece of the old file as one.
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

/// A generation in memory, which replaces nothing.
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
        preconditionFailure("there is no file to copy from")
    }
}
