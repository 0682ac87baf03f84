internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// Writing sections.
extension Rewrite {
    /// So many revisions, or so many bytes of them, are in memory together.
    private static let batchCount = 512
    private static let batchByteCount = 1 << 20

    mutating func write(_ plan: SectionPlan, to writer: inout GenerationWriter<FileSink>) throws {
        let matchKeys = try keys.matchKeys(of: plan.group, in: &vault)
        let (sealing, dictionaries) = try sealing(for: plan)
        try writer.append(plan.group, keys: matchKeys) { section throws in
            var numbers: [DictionaryID: Int] = [:]
            for dictionary in dictionaries { numbers[dictionary.id] = try section.append(dictionary) }
            try write(live: plan, sealing, numbers, to: &section)
            try write(past: plan, sealing, numbers, to: &section)
            return try section.finish(seen: vault.seen[plan.group.group], remembering: request.rememberedWriterCount)
        }
    }

    private mutating func write(
        live plan: SectionPlan,
        _ sealing: RevisionSealing,
        _ numbers: [DictionaryID: Int],
        to section: inout GroupSectionWriter<FileSink>
    ) throws {
        var rest = plan.live[...]
        while let first = rest.first {
            var (batch, byteCount, last, hasTies) = ([SealedRevision](), 0, first.digest, false)
            // Revisions with one digest are sorted together.
            while let next = rest.first,
                next.digest == last || batch.count < Self.batchCount && byteCount < Self.batchByteCount
            {
                hasTies = hasTies || next.digest == last && !batch.isEmpty
                last = next.digest
                let revision = try reader.revision(next.source, of: &vault)
                byteCount += revision.entry.sizes.sum
                batch.append(revision)
                rest = rest.dropFirst()
            }
            var results = try zip(batch, sealing.results(of: batch)).map { revision, result in
                let name = ItemName(group: plan.group.group, item: revision.entry.revision.item)
                return try name.opening { () throws(Fault) in try result.get() }
            }
            if hasTies { results.sort { $0.entry.precedes($1.entry) } }
            for var revision in results {
                revision.entry.flags.remove(.contested)
                if plan.contested[revision.entry.revision.item, default: 0] > 1 {
                    revision.entry.flags.insert(.contested)
                }
                revision.entry.tail = .none
                revision.entry.dictionary = revision.dictionary.flatMap { numbers[$0] } ?? 0
                try section.append(
                    revision.entry,
                    handle: revision.handle,
                    metadata: revision.metadata.span,
                    secret: revision.secret.span
                )
            }
        }
    }

    private mutating func write(
        past plan: SectionPlan,
        _ sealing: RevisionSealing,
        _ numbers: [DictionaryID: Int],
        to section: inout GroupSectionWriter<FileSink>
    ) throws {
        for item in plan.kept {
            let candidates = item.reversed()
            let revisions = try candidates.map { try reader.revision($0.source, of: &vault) }
            for (candidate, result) in zip(candidates, try sealing.results(of: revisions)) {
                // One that is not valid cannot be sealed anew.
                guard case .success(var revision) = result else {
                    report.invalidRecordCount += 1
                    history.drop(candidate.ended)
                    continue
                }
                revision.entry.flags.remove(.contested)
                revision.entry.tail = .ended(candidate.ended)
                revision.entry.dictionary = revision.dictionary.flatMap { numbers[$0] } ?? 0
                try section.append(
                    past: revision.entry,
                    handle: revision.handle,
                    metadata: revision.metadata.span,
                    secret: revision.secret.span
                )
            }
        }
    }

    /// Returns what happens to the boxes of a section, and the dictionaries that it gets.
    private mutating func sealing(
        for plan: SectionPlan
    ) throws -> (sealing: RevisionSealing, dictionaries: [SealedDictionary]) {
        var sealing = RevisionSealing()
        sealing.moves = keys.moves
        sealing.known = reader.openedDictionaries
        var dictionaries = try plan.dictionaries.sorted().compactMap { reader.dictionaries[$0] }.filter { sealed in
            // Without its damaged dictionary an item is damaged, and the rest of the section is not.
            guard isSalvage, let keys = try vault.dataKeys(of: sealed.handle) else { return true }
            return try reader.opened(sealed.id, keys: keys) != nil
        }
        guard dictionaries.count <= Limits.dictionaryCount else {
            throw StoreError.refused(.limitExceeded(.dictionaries, value: UInt64(dictionaries.count)))
        }
        guard vault.settings?.isCompressing ?? true else { return (sealing, dictionaries) }
        let moved = Dictionary(keys.moves.values.map { ($0.handle, $0.new.data) }) { first, _ in first }
        for (handle, samples) in plan.samples.inKeyOrder {
            guard let dataKeys = try moved[handle] ?? vault.dataKeys(of: handle) else { continue }
            sealing.dataKeys[handle] = dataKeys
            let own = dictionaries.lazy.filter { $0.handle == handle }
                .compactMap { try? MetadataDictionary(opening: $0, keys: dataKeys) }
            if let known = own.first(where: { $0.isLarge || samples.count < DictionarySamples.manyItems }) {
                sealing.dictionaries[handle] = known
            } else if dictionaries.count < Limits.dictionaryCount, let new = try dictionary(of: samples, handle) {
                sealing.dictionaries[handle] = new
                dictionaries.append(new.sealed(keys: dataKeys))
            }
        }
        return (sealing, dictionaries)
    }

    /// Makes a dictionary for the items of a data key; nil if none pays.
    private mutating func dictionary(
        of samples: DictionarySamples,
        _ handle: KeyHandle
    ) throws -> MetadataDictionary? {
        var metadata: [ItemMetadata] = []
        for (source, _) in samples.sources {
            let revision = try reader.revision(source, of: &vault)
            guard let keys = try keys.moves[revision.handle]?.old.data ?? vault.dataKeys(of: revision.handle) else {
                continue
            }
            let dictionary = try revision.dictionary.flatMap { try reader.opened($0, keys: keys) }
            if let opened = try? revision.openedMetadata(dictionary, keys: keys) { metadata.append(opened) }
        }
        let chosen = samples.chosen(of: metadata)
        let dictionary = MetadataDictionary(of: chosen, handle: handle, random: vault.cipher.random)
        return dictionary.isEmpty ? nil : dictionary
    }

    func copy(_ section: Section, to writer: inout GenerationWriter<FileSink>) throws {
        // What is damaged is carried in a salvage, with a new check.
        if !isSalvage { try vault.check(section, in: source) }
        let whole = SectionPart(offset: 0, byteCount: section.byteCount)
        var rest = vault.opening.fileRange(of: whole, in: section)
        let source = source
        try writer.append(copying: section) {
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(Self.batchByteCount)
            rest = rest.dropFirst(piece.count)
            return try source.bytes(in: piece)
        }
    }
}
