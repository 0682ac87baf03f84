internal import CofferBasics
package import VaultCrypto

/// Section 4.3: the keys of one generation of a vault, derived from its structure key.
package struct GenerationKeys: Sendable {
    package let cipher: Cipher
    package let head: Key
    package let frame: Key
    package let chain: Key
    package let snapshot: Key

    package init(
        structureKey: Key,
        generation: UInt64,
        salt: [UInt8],
        cipher: Cipher
    ) throws(CipherError) {
        self.cipher = cipher
        var input = cipher.vault.bytes
        input.append(littleEndian: generation)
        input += salt
        let key = try structureKey.derived(.generation, input)
        head = try key.derived(.head)
        frame = try key.derived(.frame)
        chain = try key.derived(.chain)
        snapshot = try key.derived(.snapshot)
    }
}

/// Section 6.3: a keyed hash over the header and all frames of a generation so far.
package struct ChainValue: Equatable, Hashable, Sendable {
    package let bytes: [UInt8]

    /// The value before the first frame of a generation.
    package init(header: [UInt8], key: Key) {
        bytes = key.hash(32, .chain, header)
    }

    /// The value after `frame`.
    package func following(_ frame: Span<UInt8>, key: Key) -> ChainValue {
        let hash = Label.file.hash(32, frame)
        return ChainValue(bytes: key.hash(32, .chain, bytes + hash))
    }

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The keys derived from the match key of a group, section 3.4.
package final class MatchKeys: Sendable {
    package let cipher: Cipher
    package let match: Key
    package let digest: Key
    package let page: Key
    package let delete: Key

    package init(_ matchKey: Key, cipher: Cipher) throws(CipherError) {
        self.cipher = cipher
        match = try matchKey.derived(.match)
        digest = try matchKey.derived(.digest)
        page = try matchKey.derived(.page)
        delete = try matchKey.derived(.delete)
    }
}

/// The keys derived from a data key, section 3.4.
package final class DataKeys: Sendable {
    package let cipher: Cipher
    package let metadata: Key
    package let secret: Key

    package init(_ dataKey: Key, cipher: Cipher) throws(CipherError) {
        self.cipher = cipher
        metadata = try dataKey.derived(.metadata)
        secret = try dataKey.derived(.secret)
    }
}
