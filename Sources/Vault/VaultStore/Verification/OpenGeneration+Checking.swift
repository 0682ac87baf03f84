internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Reading a whole snapshot to check it.
extension OpenGeneration {
    /// Throws unless every section has its check, and every leaf is valid, as far as keys are available.
    mutating func checkSnapshot() throws {
        let source = try source()
        // Runs were read when the vault was opened.
        for section in opening.directory.sections where section.kind != .run {
            try check(section, in: source)
            guard section.kind == .group, let reader = try withSection(section.group, { $0.reader }) else { continue }
            let counts = try SharedWork.results(count: reader.fence.live.count, perPiece: 16) { leaves in
                var count = 0
                try reader.forEachEntry(in: leaves) { _ in count += 1 }
                return count
            }
            guard counts.reduce(0, +) == section.count else { throw failure(opening.disagreement(in: section)) }
        }
    }
}
