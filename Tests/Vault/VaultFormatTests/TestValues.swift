import CofferBasics
import TestSupport
import VaultCrypto
import VaultFormat

/// `value`, lowest byte first.
func littleEndian(_ value: some FixedWidthInteger & BitwiseCopyable) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: value)
    return bytes
}

extension GrantID {
    static let sample = GrantID(countingBytes(from: 0x60, count: 16).span)
}

extension GenerationKeys {
    /// The keys of an arbitrary generation.
    static func sample(_ cipher: Cipher) throws -> GenerationKeys {
        try GenerationKeys(
            structureKey: cipher.random.key(),
            generation: 1,
            salt: countingBytes(from: 0, count: 16),
            cipher: cipher
        )
    }
}

/// Python's answer to `items`.
func oracleAnswer(to items: [[UInt8]], task: String) throws -> [[UInt8]] {
    let script = "Tests/Vault/VaultFormatTests/Oracle/side_files_oracle.py"
    let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
    return try oracle.answer(to: items, arguments: [task])
}

/// Python's answer to `items`, about the vault file itself.
func formatOracleAnswer(to items: [[UInt8]], task: String) throws -> [[UInt8]] {
    let script = "Tests/Vault/VaultFormatTests/Oracle/format_oracle.py"
    let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
    return try oracle.answer(to: items, arguments: [task])
}
