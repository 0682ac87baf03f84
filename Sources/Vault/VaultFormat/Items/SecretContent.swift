internal import CofferBasics
internal import KeyedArchive

/// Section 8.4: the content of a secret box after the form.
package enum SecretContent {
    /// The names that form 1 allows.
    private static let archiveNames: Set<String> = ["v_Data", "binn", "bini", "bin0", "bin1", "bin2", "bin3"]

    /// Throws unless `content` is valid for `form`.
    ///
    /// This decodes an archive, in memory that is wiped. Verifying a vault needs that; reading a secret does not.
    package static func check(_ content: Span<UInt8>, form: SecretForm) throws(Fault) {
        switch form {
        case .data: try Limit.secret.check(content.count, atMost: Limits.secretByteCount)
        case .archive:
            try [UInt8](copying: content).wipedAfter { archive throws(Fault) in try checkArchive(archive) }
        case .applicationPassword:
            _ = try PasswordStretching(of: content)
        }
    }

    private static func checkArchive(_ archive: [UInt8]) throws(Fault) {
        var limits = DecodingLimits.record
        limits.byteCount = Limits.secretContentByteCount - 1
        limits.nodeCount = Limits.secretNodeCount
        guard var entries = CanonicalDictionary(canonicalArchive: archive, limits: limits) else {
            throw Fault(.archive)
        }
        defer { entries.wipeValues() }
        for (name, data) in entries {
            guard let name = name.string, archiveNames.contains(name), data.data != nil else { throw Fault(.badValue) }
        }
    }
}
