package import VaultCrypto

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
