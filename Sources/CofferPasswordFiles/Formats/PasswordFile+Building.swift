internal import CofferBasics

extension PasswordFile {
    /// How many records and refused parts a file may have: empty ones take less than 1 GiB.
    static let recordCountLimit = 1_000_000

    /// Adds a record.
    mutating func append(_ record: PasswordRecord) throws(PasswordFileError) {
        try checkCount()
        add(record)
    }

    /// Adds a record of a file that cannot have more of them than it may.
    mutating func add(_ record: PasswordRecord) {
        var record = record
        record.shortenNames()
        records.append(record)
    }

    /// Notes that a part cannot be read: its place and the reason.
    mutating func refuse(_ part: String) throws(PasswordFileError) {
        try checkCount()
        refused.append(part)
    }

    private func checkCount() throws(PasswordFileError) {
        guard records.count + refused.count < Self.recordCountLimit else {
            throw .tooLarge("the file has more than \(Self.recordCountLimit) records")
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
