internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

/// What a rewrite does to the boxes of a revision: those under a key that goes are sealed anew, and metadata are deflated.
struct RevisionSealing: Sendable {
    /// The keys of items that move.
    var moves: [KeyHandle: RewriteKeys.Move] = [:]
    /// The dictionaries of the old file whose data keys are at hand.
    var known: [DictionaryID: MetadataDictionary] = [:]
    /// For each data key of the new file that is at hand and has one, the dictionary with which metadata are deflated.
    var dictionaries: [KeyHandle: MetadataDictionary] = [:]
    /// The data keys of the new file that are at hand.
    var dataKeys: [KeyHandle: DataKeys] = [:]

    /// How many revisions a thread takes at once.
    private static let perPiece = 64

    /// Returns the revisions as the new file has them, or what is wrong with one that cannot be sealed anew.
    func results(of revisions: [SealedRevision]) throws -> [Result<SealedRevision, Fault>] {
        try SharedWork.results(count: revisions.count, perPiece: Self.perPiece) { range in
            var compressors: [KeyHandle: Compressor] = [:]
            return try revisions[range].map { try result(of: $0, &compressors) }
        }.flatMap(\.self)
    }

    private func result(
        of revision: SealedRevision,
        _ compressors: inout [KeyHandle: Compressor]
    ) throws -> Result<SealedRevision, Fault> {
        do throws(Fault) {
            if let move = moves[revision.handle] { return .success(try moved(revision, move, &compressors)) }
            guard revision.dictionary == nil, dictionaries[revision.handle] != nil,
                let keys = dataKeys[revision.handle]
            else { return .success(revision) }
            // Metadata that do not open stay as they are.
            guard let metadata = try? revision.openedMetadata(nil, keys: keys) else { return .success(revision) }
            var deflated = revision
            try deflate(metadata, of: &deflated, keys, &compressors)
            return .success(deflated)
        } catch {
            if case .cipher = error.reason { throw error }
            return .failure(error)
        }
    }

    private func moved(
        _ revision: SealedRevision,
        _ move: RewriteKeys.Move,
        _ compressors: inout [KeyHandle: Compressor]
    ) throws(Fault) -> SealedRevision {
        let metadata = try revision.openedMetadata(revision.dictionary.flatMap { known[$0] }, keys: move.old.data)
        let attributes = try metadata.attributes(matching: ItemMatch(revision.entry), keys: move.old.match)
        var moved = revision
        moved.handle = move.handle
        moved.dictionary = nil
        moved.entry.digests = MatchDigests(attributes, keys: move.new.match)
        moved.metadata = metadata.sealed(of: revision.entry.revision, keys: move.new.data)
        if !revision.secret.isEmpty {
            moved.secret = try Secret(opening: revision.secret.span, of: revision.entry.revision, keys: move.old.data)
                .sealed(of: revision.entry.revision, keys: move.new.data)
        }
        moved.entry.sizes = BoxSizes(metadata: moved.metadata.count, secret: moved.secret.count)
        try deflate(metadata, of: &moved, move.new.data, &compressors)
        return moved
    }

    private func deflate(
        _ metadata: ItemMetadata,
        of revision: inout SealedRevision,
        _ keys: DataKeys,
        _ compressors: inout [KeyHandle: Compressor]
    ) throws(Fault) {
        guard let dictionary = dictionaries[revision.handle] else { return }
        do throws(CompressionError) {
            let compressor: Compressor
            if let known = compressors[revision.handle] {
                compressor = known
            } else {
                compressor = try dictionary.compressor()
            }
            compressors[revision.handle] = compressor
            let box = try metadata.deflated(of: revision.entry.revision, dictionary.id, compressor, keys: keys)
            guard let box, box.count < revision.metadata.count else { return }
            revision.metadata = box
        } catch {
            throw Fault(.compression(error))
        }
        revision.dictionary = dictionary.id
        revision.entry.sizes.metadata = revision.metadata.count
    }
}

extension Secret {
    /// Returns the data, sealed under another key for the same revision.
    fileprivate func sealed(of revision: Revision, keys: DataKeys) -> [UInt8] {
        withBytes { bytes in
            Put.sealedSecret(bytes, form: form, of: revision, keys: keys)
        }
    }
}
