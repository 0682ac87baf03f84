internal import CofferBasics

extension PasswordFile {
    /// How many records and refused parts a file may have.
    static let recordCountLimit = 1_000_000

    /// How many bytes the records of a file may have, by `PasswordRecord.byteCount`.
    static func recordByteCountLimit(ofFileWith byteCount: Int) -> Int {
        min(max(32 * byteCount, 16 << 20), HeldSecret.byteCountLimit)
    }

    /// Adds a record.
    ///
    /// - Throws: `PasswordFileError.tooLarge` if the file has too many records, or they share too much.
    package mutating func append(_ record: PasswordRecord) throws {
        var record = record
        record.shortenNames()
        try count(record.byteCount)
        records.append(record)
    }

    /// Notes that a part cannot be read: its place and the reason.
    package mutating func refuse(_ part: String) throws {
        try count(PasswordRecord.textByteCount(part))
        refused.append(part)
    }

    /// Counts what is about to be added.
    private mutating func count(_ byteCount: Int) throws {
        guard records.count + refused.count < Self.recordCountLimit else {
            throw PasswordFileError.tooLarge("the file has more than \(Self.recordCountLimit) records")
        }
        freeByteCount -= byteCount
        guard freeByteCount >= 0 else {
            throw PasswordFileError.tooLarge(
                "its records have too much for a file of this size, counting what they share for each of them; import"
                    + " parts of it"
            )
        }
    }

    /// Notes that a JSON document has a key twice.
    mutating func noteDuplicateKeys(of tree: JSONTree) {
        guard let offset = tree.duplicateKeyOffset else { return }
        losses.append("byte \(offset): a key occurs twice in one object; only the last value was read")
    }

    /// Notes the files of an archive that no record has, with their sizes.
    mutating func noteUnread(_ archive: ZipArchive, except isRead: (ZipArchive.Entry) -> Bool) {
        refused += archive.refused
        for entry in archive.entries where !isRead(entry) {
            losses.append("\(entry.name.printable) (\(entry.byteCount) bytes) was not read")
        }
    }
}

extension PasswordRecord {
    /// About how many bytes the record takes, in memory and in a vault; what it shares with others counts in full.
    ///
    /// Each part that becomes an item has the names of the record, and each value some memory besides its bytes.
    fileprivate var byteCount: Int {
        let names = title.utf8.count + account.utf8.count + (sites.first?.utf8.count ?? 0)
        var sum = 512 + names + realm.utf8.count + place.utf8.count
        for secret in [secret, notes] { sum += secret?.byteCount ?? 0 }
        for text in sites + folders + tags { sum += Self.textByteCount(text) }
        for field in fields { sum += 128 + field.name.utf8.count + field.value.byteCount }
        for former in formerSecrets { sum += 128 + former.secret.byteCount }
        for generator in oneTimePasswords { sum += 512 + names + generator.byteCount }
        for attachment in attachments { sum += 512 + names + attachment.name.utf8.count + attachment.content.byteCount }
        for passkey in passkeys {
            sum += 512 + names + passkey.key.byteCount + 2 * (passkey.credentialID.count + passkey.userHandle.count)
            for text in [passkey.relyingParty, passkey.userName, passkey.displayName] { sum += text.utf8.count }
        }
        for attribute in appleItem?.attributes ?? [] { sum += 64 + attribute.value.count }
        for loss in losses { sum += Self.textByteCount(loss) + place.utf8.count }
        return sum
    }

    /// About how many bytes a text takes in a list.
    fileprivate static func textByteCount(_ text: String) -> Int { 64 + text.utf8.count }

    /// How many folders may be around a record.
    private static let folderCountLimit = 64

    /// Shortens names that other records may have too: each of them would be written with all of its names.
    fileprivate mutating func shortenNames() {
        let isLong =
            folders.count > Self.folderCountLimit || folders.contains(where: \.isLong) || tags.contains(where: \.isLong)
            || fields.contains { $0.name.isLong }
        guard isLong else { return }
        folders = folders.prefix(Self.folderCountLimit).map(\.shortened)
        tags = tags.map(\.shortened)
        for index in fields.indices { fields[index].name = fields[index].name.shortened }
        losses.append("long names of folders, tags or fields were shortened")
    }
}

/// Counts what a file has many times and no record holds, to name each once.
struct LossCounter {
    /// How many different names are kept.
    private static let nameCountLimit = 50

    private var counts: [(name: String, count: Int)] = []
    private var positions: [String: Int] = [:]
    private var otherCount = 0

    mutating func note(_ name: String) {
        if let position = positions[name] {
            counts[position].count += 1
        } else if counts.count < Self.nameCountLimit {
            positions[name] = counts.count
            counts.append((name, 1))
        } else {
            otherCount += 1
        }
    }

    /// Notes the members of an object around records that were not taken.
    mutating func noteUnknown(_ members: JSONMembers, of object: String) {
        members.forEachRest { name, _ in note("unknown member \(name.printable) of \(object)") }
    }

    /// What was noted, each with its number if that is more than one.
    var losses: [String] {
        let named = counts.map { $0.count == 1 ? $0.name : "\($0.name) (\($0.count) times)" }
        return otherCount == 0 ? named : named + ["\(otherCount) more of other names"]
    }
}
