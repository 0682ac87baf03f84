import TestSupport
import VaultCrypto
import VaultFormat

/// Bytes that count up from `first`.
func countingBytes(from first: UInt8, count: Int) -> [UInt8] {
    (0..<count).map { first &+ UInt8(truncatingIfNeeded: $0) }
}

/// `value`, lowest byte first.
func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: value)
    return bytes
}

extension VaultID {
    static let sample = VaultID(countingBytes(from: 0x10, count: 16).span)
}

extension GrantID {
    static let sample = GrantID(countingBytes(from: 0x60, count: 16).span)
}

extension CipherSuite {
    /// The key with the bytes of `bytes`, of which the test keeps a copy.
    func key(_ bytes: [UInt8]) throws -> Key {
        var bytes = bytes
        var span = bytes.mutableSpan
        return try key(consuming: &span)
    }

    /// The bytes of `key`, to compare.
    func bytes(of key: Key) -> [UInt8] {
        withBytes(of: key) { [UInt8](copying: $0) }
    }
}

/// What Python answers to `items`.
func oracleAnswer(to items: [[UInt8]], task: String) throws -> [[UInt8]] {
    let script = "Tests/VaultFormatTests/Oracle/side_files_oracle.py"
    let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
    return try oracle.answer(to: items, arguments: [task])
}

/// What Python answers to `items`, about the vault file itself.
func formatOracleAnswer(to items: [[UInt8]], task: String) throws -> [[UInt8]] {
    let script = "Tests/VaultFormatTests/Oracle/format_oracle.py"
    let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
    return try oracle.answer(to: items, arguments: [task])
}
