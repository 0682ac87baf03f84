internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// What a compaction keeps of the past.
extension GroupCompaction {
    /// Returns the ended revisions as puts.
    func history(_ ended: [RecordFolding.Ended], _ vault: inout OpenGeneration) throws -> [Run.Entry] {
        var entries: [Run.Entry] = []
        for ended in ended {
            let ending = vault.wholeLog.entries[ended.by].ending
            switch ended.source {
            case .put(let number): entries.append(Run.Entry(vault.wholeLog.entries[number], ended: ending))
            case .section(let item, let revision):
                do {
                    guard var entry = try vault.sectionPut(item, revision, in: group) else { continue }
                    entry.ended = ending
                    entries.append(entry)
                } catch {
                    // Salvaging gives up what cannot be read from the snapshot.
                    guard salvaged != nil, error.isAboutSnapshot else { throw error }
                }
            }
        }
        return entries
    }
}

extension OpenGeneration {
    /// The group and epoch of the record of a log entry: of a put, those of its data key.
    func group(ofEntry number: Int) -> GroupEpoch? {
        switch wholeLog.entries[number].record {
        case .put(let put): keyring.dataKeyEntries[put.dataKey]?.group
        case .delete(let delete): delete.group
        case .seen(let seen): seen.group
        case .key, .settings, .unknown, .malformed: nil
        }
    }

    /// Returns a revision in a section as a put, or nil if its keys are missing.
    ///
    /// Its secret stays as it was sealed; the rest is sealed again.
    mutating func sectionPut(
        _ item: ItemID,
        _ revision: LiveRevision,
        in group: GroupEpoch
    ) throws -> Run.Entry? {
        let name = ItemName(group: group.group, item: item)
        guard let found = try self.item(name, revision), let matchKeys = try matchKeys(of: group),
            let dataKeys = try dataKeys(of: found.dataKey)
        else { return nil }
        let attributes = try attributes(of: found)
        let secret = Array(try secretBox(of: found))
        let (put, _) = try Put.sealing(
            found.revision,
            provenance: Provenance(origin: found.origin, previousPlace: 0, replacedSalt: 0),
            order: found.order,
            written: found.written.time,
            attributes: attributes,
            secret: secret,
            handle: found.dataKey,
            keys: (match: matchKeys, data: dataKeys)
        )
        return Run.Entry(sequence: found.written.sequence, time: found.written.time, record: .put(put))
    }
}

extension LogIndex.Entry {
    /// The ending that the record gives to the revision before it.
    var ending: Run.Ending { Run.Ending(sequence: sequence, time: time) }
}
