internal import CofferBasics

/// Environment variables for a command, in memory that is wiped: `NAME=value`, each followed by a zero byte.
struct VariableBlock: ~Copyable {
    private var bytes = SecretBuffer(byteCount: 1024)
    private var byteCount = 0

    /// Adds a variable, whose value must not contain a zero byte.
    mutating func add(_ name: String, _ value: Span<UInt8>) {
        append(name.utf8Span.span)
        append("=".utf8Span.span)
        append(value)
        append("\0".utf8Span.span)
    }

    private mutating func append(_ more: Span<UInt8>) {
        if byteCount + more.count > bytes.byteCount { bytes.grow(to: 2 * (byteCount + more.count)) }
        bytes.withMutableSpan { $0.copy(from: more, at: byteCount) }
        byteCount += more.count
    }

    /// Calls `body` with the variables.
    func withBytes<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withSpan { bytes throws(Failure) in try body(bytes.extracting(..<byteCount)) }
    }
}
