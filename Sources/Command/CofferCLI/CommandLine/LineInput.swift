internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// The lines of an input, in memory that is wiped, since they may contain secrets.
final class LineInput {
    /// A line may hold the largest secret in hexadecimal digits.
    private static let byteCountLimit = 4 << 20

    private let input: any ByteInput
    private var buffer = SecretBuffer(byteCount: 4096)
    private var byteCount = 0
    private var isAtEnd = false
    /// Whether reading has failed.
    private(set) var isBroken = false

    init(_ input: any ByteInput) {
        self.input = input
    }

    /// The next line as text, without its newline; nil at the end.
    func next() throws -> String? {
        guard let line = try nextBytes() else { return nil }
        return try line.withSpan { bytes in
            guard let text = try? UTF8Span(validating: bytes) else {
                throw CommandError.usage("the line is not UTF-8; it was skipped")
            }
            return String(copying: text)
        }
    }

    /// The next line without its newline; nil at the end.
    func nextBytes() throws -> HeldSecret? {
        var searched = 0
        var isTooLong = false
        while true {
            if let end = newline(from: searched) {
                defer { drop(end + 1) }
                guard !isTooLong else { throw Self.tooLong }
                return line(end)
            }
            searched = byteCount
            guard !isAtEnd else {
                defer { drop(byteCount) }
                guard !isTooLong else { throw Self.tooLong }
                return byteCount > 0 ? line(byteCount) : nil
            }
            if byteCount == buffer.byteCount, !grow() {
                // Skip the rest of the line, so that reading resumes with the next line.
                isTooLong = true
                drop(byteCount)
                searched = 0
            }
            try read()
        }
    }

    private static var tooLong: CommandError {
        CommandError(.tooLarge, "line too long (limit \(byteCountLimit.grouped) bytes); it was skipped")
    }

    private func newline(from start: Int) -> Int? {
        buffer.withSpan { bytes in (start..<byteCount).first { bytes[$0] == UInt8(ascii: "\n") } }
    }

    /// The first `byteCount` bytes.
    private func line(_ byteCount: Int) -> HeldSecret {
        buffer.withSpan { HeldSecret(copying: $0.extracting(..<byteCount)) }
    }

    private func drop(_ count: Int) {
        let rest = byteCount - count
        buffer.withMutableSpan { bytes in
            for index in 0..<rest { bytes[index] = bytes[count + index] }
            for index in rest..<byteCount { bytes[index] = 0 }
        }
        byteCount = rest
    }

    private func grow() -> Bool {
        guard buffer.byteCount < Self.byteCountLimit else { return false }
        buffer.grow(to: min(buffer.byteCount * 4, Self.byteCountLimit))
        return true
    }

    private func read() throws {
        do throws(FileError) {
            let count = try buffer.withMutableSpan { bytes throws(FileError) in
                var rest = bytes._mutatingExtracting(byteCount...)
                return try input.readSome(into: &rest)
            }
            isAtEnd = count == 0
            byteCount += count
        } catch {
            isBroken = true
            throw CommandError(.inputOutput, "\(error)")
        }
    }
}
