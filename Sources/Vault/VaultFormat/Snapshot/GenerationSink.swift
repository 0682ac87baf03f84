/// The new file that a generation is written to.
package protocol GenerationSink {
    associatedtype Failure: Error

    /// Writes `bytes` at `offset` of the new file.
    mutating func write(_ bytes: Span<UInt8>, at offset: Int) throws(Failure)
}

/// A generation in memory.
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
}
