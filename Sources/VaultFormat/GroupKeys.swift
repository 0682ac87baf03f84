/// The keys that the match key of a group stands for, section 3.4.
package struct MatchKeys<Suite: CipherSuite>: Sendable {
    package let match: Suite.Key
    package let digest: Suite.Key
    package let page: Suite.Key
    package let delete: Suite.Key

    package init(_ matchKey: Suite.Key, suite: Suite) throws(CipherError) {
        match = try suite.derivedKey(from: matchKey, label: .match)
        digest = try suite.derivedKey(from: matchKey, label: .digest)
        page = try suite.derivedKey(from: matchKey, label: .page)
        delete = try suite.derivedKey(from: matchKey, label: .delete)
    }
}

/// The keys that a data key stands for, section 3.4.
package struct DataKeys<Suite: CipherSuite>: Sendable {
    package let metadata: Suite.Key
    package let secret: Suite.Key

    package init(_ dataKey: Suite.Key, suite: Suite) throws(CipherError) {
        metadata = try suite.derivedKey(from: dataKey, label: .metadata)
        secret = try suite.derivedKey(from: dataKey, label: .secret)
    }
}
