internal import CofferBasics
internal import VaultCrypto
internal import VaultFormat

// What a compaction keeps of the past.
extension GroupCompaction {
    /// Returns the ended revisions as puts.
    func history(_ folding: RecordFolding, _ vault: inout OpenGeneration) throws(StoreError) -> [Run.Entry] {
        var entries: [Run.Entry] = []
        for ended in folding.ended {
            let ending = vault.log.entries[ended.by].ending
            guard let number = ended.put else {
                do throws(StoreError) {
                    guard var entry = try vault.sectionPut(ended.item, in: group) else { continue }
                    entry.ended = ending
                    entries.append(entry)
                } catch {
                    // Salvaging gives up what cannot be read from the snapshot.
                    guard salvaged != nil, error.isAboutSnapshot else { throw error }
                }
                continue
            }
            let entry = vault.log.entries[number]
            entries.append(
                Run.Entry(sequence: entry.sequence, time: entry.time, ended: ending, record: entry.record)
            )
        }
        return entries
    }
}

extension OpenGeneration {
    /// Returns an item of a section as a put, or nil if its keys are missing.
    ///
    /// Its secret stays as it was sealed; the rest is sealed again.
    mutating func sectionPut(_ item: ItemID, in group: GroupEpoch) throws(StoreError) -> Run.Entry? {
        guard let found = try sectionItem(item, in: group), let matchKeys = try matchKeys(of: group),
            let dataKeys = try dataKeys(of: found.dataKey)
        else { return nil }
        let (attributes, sequence, time) = try metadata(of: found)
        let secret = try secretBox(of: found)
        let (put, _) = try translating(
            StoreError.refused,
            Put.sealing(
                found.revision,
                order: found.order,
                attributes: attributes,
                secret: secret,
                handle: found.dataKey,
                keys: (match: matchKeys, data: dataKeys)
            )
        )
        return Run.Entry(sequence: sequence, time: time, record: .put(put))
    }
}

extension LogIndex.Entry {
    /// The ending that the record gives to the revision before it.
    var ending: Run.Ending { Run.Ending(sequence: sequence, time: time) }
}
