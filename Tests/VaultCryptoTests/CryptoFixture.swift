import TestSupport
import VaultCrypto
import VaultFormat

extension SodiumSuite {
    /// A suite whose random bytes follow from `seed`.
    static func seeded(_ seed: String) throws -> SodiumSuite {
        try SodiumSuite(random: DeterministicRandom(seed: seed))
    }

    /// The key with the 32 bytes of `bytes`.
    func key(_ bytes: [UInt8]) throws -> GuardedKey {
        var bytes = bytes
        var span = bytes.mutableSpan
        return try key(consuming: &span)
    }

    /// The bytes of `key`.
    func bytes(of key: GuardedKey) -> [UInt8] {
        withBytes(of: key) { [UInt8](copying: $0) }
    }
}

extension PythonOracle {
    /// What Python computes, of either kind, from groups of four.
    static func crypto(_ kind: String, _ items: [[UInt8]]) throws -> [[UInt8]] {
        let script = "Tests/VaultCryptoTests/Oracle/crypto_oracle.py"
        let oracle = PythonOracle(script: script, directory: try TemporaryDirectory.current)
        return try oracle.answer(to: items, arguments: [kind])
    }

    /// The BLAKE2b of one input; an empty key is none.
    static func blake2b(_ byteCount: Int, key: [UInt8], label: Label, _ input: [UInt8]) throws -> [UInt8] {
        try crypto("blake2b", [Array("\(byteCount)".utf8), key, label.bytes, input]).first ?? []
    }
}

extension Array {
    /// The array with the element at `index` put through `change`.
    func changed(at index: Int, _ change: (inout Element) -> Void) -> [Element] {
        var copy = self
        change(&copy[index])
        return copy
    }
}
