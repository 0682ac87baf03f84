internal import CofferBasics

extension Form where Content == ZipArchive {
    static var onePassword: Form {
        Form {
            $0["export.data"] != nil
        } read: { archive, _ in
            var reader = OnePasswordFile(archive)
            return try reader.read()
        }
    }
}

/// An export of 1Password 8, a 1PUX archive: all of its accounts and vaults.
struct OnePasswordFile {
    private let archive: ZipArchive
    private var attachments: ArchiveAttachments
    /// The entries of `files/`, by the identifiers of their documents.
    private var documents: [String: ZipArchive.Entry] = [:]
    /// The titles of all items by their identifiers, to which fields refer.
    private var titles: [String: String] = [:]
    private var losses = LossCounter()

    init(_ archive: ZipArchive) {
        self.archive = archive
        attachments = ArchiveAttachments(archive)
        for entry in archive.entries where entry.name.hasPrefix("files/") {
            // `files/<identifier>__<name>`
            let name = entry.name.dropFirst("files/".count)
            documents[String(name.firstRange(ofText: "__").map { name[..<$0.lowerBound] } ?? name)] = entry
        }
    }

    mutating func read() throws -> PasswordFile {
        guard let entry = archive["export.data"] else { throw PasswordFileError.unknownForm }
        let tree = try JSONTree(archive.content(of: entry))
        guard tree.root.kind == .object else { throw PasswordFileError.invalid("export.data is not an object") }
        var file = PasswordFile(form: "1Password 1PUX", byteCount: archive.byteCount)
        var root = JSONMembers(tree.root)
        let accounts = root.objects("accounts")
        for account in accounts { readTitles(of: account) }
        for (index, account) in accounts.enumerated() {
            try readAccount(account, number: accounts.count > 1 ? index + 1 : nil, of: &file)
        }
        losses.noteUnknown(root, of: "the file")
        file.losses += losses.losses
        file.remarks = ["1Password exports no passkeys and no deleted items"]
        file.noteDuplicateKeys(of: tree)
        file.noteUnread(archive) { entry in
            entry.name == "export.data" || entry.name == "export.attributes" || attachments.isRead(entry)
        }
        return file
    }

    private mutating func readTitles(of account: JSONNode) {
        for vault in account["vaults"]?.elements ?? [] {
            for element in vault["items"]?.elements ?? [] {
                let item = element["item"] ?? element
                guard let id = item["uuid"]?.text else { continue }
                titles[id] = item["overview"]?["title"]?.text?.shortened ?? ""
            }
        }
    }

    // `number` is nil if there is only one account.
    private mutating func readAccount(
        _ account: JSONNode,
        number: Int?,
        of file: inout PasswordFile
    ) throws {
        var members = JSONMembers(account)
        var attributes = members.members("attrs")
        let name = attributes.text("accountName") ?? attributes.text("name") ?? ""
        attributes.skip("name", "avatar", "email", "uuid", "domain")
        losses.noteUnknown(attributes, of: "an account")
        for (index, vault) in members.objects("vaults").enumerated() {
            let place = (number.map { "account \($0), " } ?? "") + "vault \(index + 1), "
            try readVault(vault, at: place, folders: number == nil ? [] : [name], of: &file)
        }
        losses.noteUnknown(members, of: "an account")
    }

    private mutating func readVault(
        _ vault: JSONNode,
        at place: String,
        folders: [String],
        of file: inout PasswordFile
    ) throws {
        var members = JSONMembers(vault)
        var attributes = members.members("attrs")
        let name = attributes.text("name") ?? ""
        if attributes.text("desc") != nil { losses.note("the description of a vault") }
        attributes.skip("uuid", "avatar", "type")
        losses.noteUnknown(attributes, of: "a vault")
        for (index, element) in members.elements("items").enumerated() {
            let place = place + "item \(index + 1)"
            // Older files have each item in an object of its own, and files among them.
            var record: PasswordRecord
            if let document = element["file"], element["item"] == nil {
                record = self.record(ofFile: document, at: place)
            } else {
                let item = element["item"] ?? element
                guard item.kind == .object else {
                    try file.refuse("\(place) is not an object")
                    continue
                }
                record = self.record(item, at: place)
            }
            record.folders = (folders + [name]).filter { !$0.isEmpty }
            try file.append(record)
        }
        losses.noteUnknown(members, of: "a vault")
    }

    // MARK: - Records

    private mutating func record(ofFile document: JSONNode, at place: String) -> PasswordRecord {
        var record = PasswordRecord(.other, at: place)
        var members = JSONMembers(document)
        var attributes = members.members("attrs")
        record.title = attributes.text("name") ?? ""
        attributes.skip("uuid")
        let path = members.text("path") ?? ""
        if let entry = archive[path] {
            attachments.add(entry, named: record.title, to: &record)
        } else {
            record.losses.append("the file \(path.printable) is not in the archive")
        }
        record.addRest(of: attributes)
        record.addRest(of: members)
        return record
    }

    private mutating func record(_ item: JSONNode, at place: String) -> PasswordRecord {
        var members = JSONMembers(item)
        let known = members.text("categoryUuid").flatMap { OnePasswordCategory.all[$0] }
        let category = known ?? OnePasswordCategory(kind: .other)
        var record = PasswordRecord(category.kind, at: place)
        members.skip("uuid")
        record.isFavorite = members.isTrue("favIndex")
        record.created = members.date("createdAt")
        record.changed = members.date("updatedAt")
        let state = members.take("state") { ["active", "archived", "trashed"].contains($0.text) ? $0.text : nil }
        record.isArchived = state == "archived"
        record.isTrashed = state == "trashed" || members.isTrue("trashed")
        record.readOnePasswordOverview(members.members("overview"))
        if known == nil { record.losses.append("unknown category of item") }
        readDetails(members.members("details"), category: category, to: &record)
        record.addRest(of: members)
        return record
    }

    private mutating func readDetails(
        _ details: JSONMembers,
        category: OnePasswordCategory,
        to record: inout PasswordRecord
    ) {
        var details = details
        for field in details.objects("loginFields") { record.addOnePasswordLoginField(field) }
        record.setSecret(details.secret("password"), orField: "password")
        let notes = details.secret("notesPlain")
        if record.kind == .note, record.secret == nil { record.secret = notes } else { record.notes = notes }
        var history: [PasswordRecord.FormerSecret] = []
        for element in details.objects("passwordHistory") {
            var members = JSONMembers(element)
            if let password = members.secret("value") {
                history.append(.init(password, time: members.date("time")))
            }
            record.addRest(of: members, in: "passwordHistory")
        }
        record.addFormerSecrets(history)
        addDocument(details.members("documentAttributes"), to: &record)
        for section in details.objects("sections") { addSection(section, category: category, to: &record) }
        record.addRest(of: details)
    }

    private mutating func addSection(
        _ section: JSONNode,
        category: OnePasswordCategory,
        to record: inout PasswordRecord
    ) {
        var members = JSONMembers(section)
        let title = members.text("title") ?? ""
        members.skip("name", "hideAddAnotherField")
        record.beginSection(title)
        for field in members.elements("fields") {
            guard field.kind == .object else {
                record.add(title, field, isHidden: true)
                continue
            }
            if let document = field["value"]?["file"], document.kind == .object {
                addDocument(JSONMembers(document), to: &record)
            } else {
                record.addOnePasswordField(field, section: title, category: category) { titles[$0] }
            }
        }
        record.addRest(of: members, in: title)
    }

    /// Adds the file that `document` names.
    private mutating func addDocument(_ document: JSONMembers, to record: inout PasswordRecord) {
        guard document.isObject else { return }
        var document = document
        let name = document.text("fileName") ?? ""
        let size = document.integer("decryptedSize").map { " (\($0) bytes)" } ?? ""
        if let entry = document.text("documentId").flatMap({ documents[$0] }) {
            attachments.add(entry, named: name, to: &record)
        } else {
            record.losses.append("attachment \(name.printable)\(size) is not in the archive")
        }
        record.addRest(of: document)
    }
}
