import TestSupport
import VaultCrypto
import VaultFormat

extension PythonOracle {
    /// Python's results of the given kind, for items in groups of four.
    static func crypto(_ kind: String, _ items: [[UInt8]]) throws -> [[UInt8]] {
        let script = "Tests/Base/VaultCryptoTests/Oracle/crypto_oracle.py"
        let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
        return try oracle.answer(to: items, arguments: [kind])
    }

    /// Python's BLAKE2b hash of one input; an empty key means no key.
    static func blake2b(_ byteCount: Int, key: [UInt8], label: Label, _ input: [UInt8]) throws -> [UInt8] {
        try crypto("blake2b", [Array("\(byteCount)".utf8), key, label.bytes, input]).first ?? []
    }
}

extension Array {
    /// The array with the element at `index` changed by `change`.
    func changed(at index: Int, _ change: (inout Element) -> Void) -> [Element] {
        var copy = self
        change(&copy[index])
        return copy
    }
}
