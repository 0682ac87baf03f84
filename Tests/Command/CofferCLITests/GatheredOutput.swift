import CofferCLI
import CommandSystem
import VaultFiles

/// An output that keeps everything that is written to it.
final class GatheredOutput: ByteOutput {
    private(set) var bytes: [UInt8] = []
    let isTerminal: Bool
    var columnCount: Int? { isTerminal ? 80 : nil }

    init(isTerminal: Bool = false) {
        self.isTerminal = isTerminal
    }

    func write(_ bytes: Span<UInt8>) throws(FileError) {
        for index in bytes.indices { self.bytes.append(bytes[index]) }
    }

    /// Returns the bytes that `body` writes.
    static func bytes(isTerminal: Bool = false, _ body: (Output) throws -> Void) throws -> [UInt8] {
        let gathered = GatheredOutput(isTerminal: isTerminal)
        let output = Output(gathered)
        try body(output)
        try output.flush()
        return gathered.bytes
    }

    /// Returns the lines that `body` writes.
    static func lines(isTerminal: Bool = false, _ body: (Output) throws -> Void) throws -> [String] {
        String(decoding: try bytes(isTerminal: isTerminal, body), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        ).dropLast().map(String.init)
    }
}
