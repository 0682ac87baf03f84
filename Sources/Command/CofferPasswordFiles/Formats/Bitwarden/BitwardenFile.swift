internal import CofferBasics

extension Form where Content == JSONNode {
    static var bitwarden: Form {
        Form(matches: BitwardenFile.matches) { root, _ throws(PasswordFileError) in
            try BitwardenFile.read(root, archive: nil)
        }
    }
}

extension Form where Content == ZipArchive {
    /// The export with attachments.
    static var bitwarden: Form {
        Form {
            $0["data.json"] != nil
        } read: { archive, _ throws(PasswordFileError) in
            guard let entry = archive["data.json"] else { throw .unknownForm }
            let tree = try JSONTree(file: archive.content(of: entry))
            guard BitwardenFile.matches(tree.root) else { throw .unknownForm }
            var file = try BitwardenFile.read(tree.root, archive: archive)
            file.noteDuplicateKeys(of: tree)
            return file
        }
    }
}

/// An export of Bitwarden: of a person or an organization, plain.
struct BitwardenFile {
    /// The names of folders and collections by their identifiers, with those of the folders around them.
    private var folders: [String: [String]] = [:]
    private var attachments: ArchiveAttachments
    private var attachmentEntries: [String: [(entry: ZipArchive.Entry, name: String)]] = [:]
    private var losses = LossCounter()

    static func matches(_ root: JSONNode) -> Bool {
        if root["passwordProtected"] != nil || root["encKeyValidation_DO_NOT_EDIT"] != nil { return true }
        guard let items = root["items"], items.kind == .array else { return false }
        return root["encrypted"] != nil || root["folders"] != nil || root["collections"] != nil
            || items.elements.first?["type"]?.integer != nil
    }

    static func read(_ root: JSONNode, archive: ZipArchive?) throws(PasswordFileError) -> PasswordFile {
        var reader = BitwardenFile(attachments: ArchiveAttachments(archive))
        return try reader.read(root)
    }

    private init(attachments: ArchiveAttachments) {
        self.attachments = attachments
        for entry in attachments.archive?.entries ?? [] {
            let parts = entry.name.split(separator: "/", maxSplits: 2)
            guard parts.count == 3, parts[0] == "attachments" else { continue }
            attachmentEntries[String(parts[1]), default: []].append((entry, String(parts[2])))
        }
    }

    private mutating func read(_ root: JSONNode) throws(PasswordFileError) -> PasswordFile {
        try Self.refuseEncrypted(root)
        var file = PasswordFile(
            form: attachments.archive == nil ? "Bitwarden JSON" : "Bitwarden zip",
            byteCount: attachments.archive?.byteCount ?? root.tree.bytes.byteCount
        )
        var members = JSONMembers(root)
        members.skip("encrypted")
        for name in ["folders", "collections"] {
            for folder in members.objects(name) { readFolder(folder, of: name) }
        }
        for (index, item) in members.elements("items").enumerated() {
            guard item.kind == .object else {
                try file.refuse("item \(index + 1) is not an object")
                continue
            }
            try file.append(record(item, at: "item \(index + 1)"))
        }
        losses.noteUnknown(members, of: "the file")
        file.losses =
            losses.losses + [
                "Bitwarden exports no trashed items and no Sends, and attachments only to a zip archive"
            ]
        if let archive = attachments.archive {
            file.noteUnread(archive) { $0.name == "data.json" || attachments.isRead($0) }
        }
        return file
    }

    private static func refuseEncrypted(_ root: JSONNode) throws(PasswordFileError) {
        if root["passwordProtected"]?.isTrue == true {
            throw .unsupported(
                "an export of Bitwarden that is encrypted with a password for the file; export it again as .json, not"
                    + " encrypted"
            )
        }
        if root["encrypted"]?.isTrue == true || root["encKeyValidation_DO_NOT_EDIT"] != nil {
            throw .unsupported(
                "an export of Bitwarden that is encrypted with the key of the account, which only Bitwarden can read;"
                    + " export it again as .json, not encrypted"
            )
        }
    }

    private mutating func readFolder(_ folder: JSONNode, of list: String) {
        var members = JSONMembers(folder)
        if let id = members.text("id") {
            folders[id] = (members.text("name") ?? "").split(separator: "/").map(String.init)
        }
        members.skip("organizationId", "externalId")
        losses.noteUnknown(members, of: list)
    }

    // MARK: - Items

    private mutating func record(_ item: JSONNode, at place: String) -> PasswordRecord {
        var members = JSONMembers(item)
        var record = PasswordRecord(.other, at: place)
        let id = members.text("id")
        members.skip("organizationId", "key")
        record.title = members.text("name") ?? ""
        record.isFavorite = members.isTrue("favorite")
        record.created = members.date("creationDate")
        record.changed = members.date("revisionDate")
        readFolders(of: &members, to: &record)
        readContent(of: &members, to: &record)
        if record.kind == .note, record.secret == nil {
            record.secret = members.secret("notes")
        } else {
            record.notes = members.secret("notes")
        }
        for field in members.objects("fields") { record.addBitwardenField(field) }
        record.addBitwardenHistory(members.objects("passwordHistory"))
        if members.isTrue("reprompt") { record.losses.append("asks for the master password before it is shown") }
        readState(of: &members, to: &record)
        readAttachments(of: id, listed: members.objects("attachments"), to: &record)
        record.addRest(of: members)
        return record
    }

    private func readFolders(of members: inout JSONMembers, to record: inout PasswordRecord) {
        let ids = [members.text("folderId")].compactMap(\.self) + members.texts("collectionIds")
        let paths = ids.compactMap { folders[$0] }
        if paths.count < ids.count { record.losses.append("a folder or collection of it is not in the file") }
        record.folders = paths.first ?? []
        // An item may be in several collections.
        record.tags = paths.dropFirst().compactMap(\.last)
    }

    private func readContent(of members: inout JSONMembers, to record: inout PasswordRecord) {
        let type = members.integer("type")
        switch type {
        case 1:
            record.kind = .login
            record.readBitwardenLogin(members.members("login"))
        case 2:
            record.kind = .note
            members.skip("secureNote")
        case 3: record.readBitwardenFields(members.members("card"), as: .card)
        case 4: record.readBitwardenFields(members.members("identity"), as: .identity)
        case 5:
            var key = members.members("sshKey")
            record.secret = key.secret("privateKey")
            record.readBitwardenFields(key, as: .key)
        case 6: record.readBitwardenFields(members.members("bankAccount"), as: .other)
        case 7: record.readBitwardenFields(members.members("driversLicense"), as: .identity)
        case 8: record.readBitwardenFields(members.members("passport"), as: .identity)
        case let type?: record.losses.append("unknown type \(type) of item; all of it is in fields")
        case nil: record.losses.append("no type of item; all of it is in fields")
        }
    }

    private func readState(of members: inout JSONMembers, to record: inout PasswordRecord) {
        for (name, flag) in [("deletedDate", \PasswordRecord.isTrashed), ("archivedDate", \.isArchived)] {
            let date = members.secret(name)
            record[keyPath: flag] = date != nil
            record.add(name, date)
        }
    }

    private mutating func readAttachments(of id: String?, listed: [JSONNode], to record: inout PasswordRecord) {
        for (entry, name) in id.flatMap({ attachmentEntries.removeValue(forKey: $0) }) ?? [] {
            attachments.add(entry, named: name, to: &record)
        }
        // The archive is the truth: items may list what is in it.
        let names = Set(record.attachments.map(\.name))
        for attachment in listed {
            let name = attachment["fileName"]?.text ?? ""
            guard !names.contains(name) else { continue }
            let size = attachment["size"]?.integer.map { " (\($0) bytes)" } ?? ""
            record.losses.append("attachment \(name.printable)\(size) is not in the file")
        }
    }
}
