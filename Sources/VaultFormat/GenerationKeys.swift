/// Section 4.3: the keys of one generation of a vault, from its structure key.
package struct GenerationKeys<Suite: CipherSuite>: Sendable {
    package let header: Suite.Key
    package let head: Suite.Key
    package let frame: Suite.Key
    package let chain: Suite.Key
    package let snapshot: Suite.Key

    package init(
        structureKey: Suite.Key,
        vault: VaultID,
        generation: UInt64,
        salt: [UInt8],
        suite: Suite
    ) throws(CipherError) {
        var input = vault.bytes
        input.append(littleEndian: generation)
        input += salt
        let key = try suite.derivedKey(from: structureKey, label: .generation, input: input)
        header = try suite.derivedKey(from: key, label: .header)
        head = try suite.derivedKey(from: key, label: .head)
        frame = try suite.derivedKey(from: key, label: .frame)
        chain = try suite.derivedKey(from: key, label: .chain)
        snapshot = try suite.derivedKey(from: key, label: .snapshot)
    }
}

/// Section 6.3: a value that stands for all frames of a generation so far.
package struct ChainValue: Equatable, Hashable, Sendable {
    package let bytes: [UInt8]

    /// The value before the first frame of a generation.
    package init<Suite: CipherSuite>(header: [UInt8], key: Suite.Key, suite: Suite) {
        bytes = suite.hash(32, key: key, label: .chain, header)
    }

    /// The value after `frame`.
    package func following<Suite: CipherSuite>(_ frame: Span<UInt8>, key: Suite.Key, suite: Suite) -> ChainValue {
        let hash = suite.hash(32, key: nil, label: .file, frame)
        return ChainValue(bytes: suite.hash(32, key: key, label: .chain, bytes + hash))
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
