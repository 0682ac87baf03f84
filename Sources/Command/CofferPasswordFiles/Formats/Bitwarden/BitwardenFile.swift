internal import CofferBasics

extension Form where Content == JSONNode {
    static var bitwarden: Form {
        Form(matches: BitwardenFile.matches) { root, _ in
            try BitwardenFile.read(root, archive: nil)
        }
    }
}

extension Form where Content == ZipArchive {
    /// The export with attachments.
    static var bitwarden: Form {
        Form {
            $0["data.json"] != nil
        } read: { archive, _ in
            guard let entry = archive["data.json"] else { throw PasswordFileError.unknownForm }
            let tree = try JSONTree(archive.content(of: entry))
            guard BitwardenFile.matches(tree.root) else { throw PasswordFileError.unknownForm }
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

    static func read(_ root: JSONNode, archive: ZipArchive?) throws -> PasswordFile {
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

    private mutating func read(_ root: JSONNode) throws -> PasswordFile {
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
        file.losses = losses.losses
        file.remarks = ["Bitwarden exports no trashed items and no Sends, and attachments only to a zip archive"]
        if let archive = attachments.archive {
            file.noteUnread(archive) { $0.name == "data.json" || attachments.isRead($0) }
        }
        return file
    }

    private static func refuseEncrypted(_ root: JSONNode) throws {
        if root["passwordProtected"]?.isTrue == true {
            throw PasswordFileError.unsupported(
                "an export of Bitwarden that is encrypted with a password for the file; export it again as .json, not"
                    + " encrypted"
            )
        }
        if root["encrypted"]?.isTrue == true || root["encKeyValidation_DO_NOT_EDIT"] != nil {
            throw PasswordFileError.unsupported(
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

extension PasswordRecord {
    mutating func readBitwardenLogin(_ login: JSONMembers) {
        var login = login
        account = login.text("username") ?? ""
        secret = login.secret("password")
        for address in login.objects("uris") { addBitwardenAddress(address) }
        addOneTimePassword(login.secret("totp"), field: "totp")
        for passkey in login.objects("fido2Credentials") { addBitwardenPasskey(passkey) }
        addRest(of: login, in: "login")
    }

    /// Adds an address, or a field for a rule that is not an address.
    private mutating func addBitwardenAddress(_ address: JSONNode) {
        var members = JSONMembers(address)
        let match = members.integer("match")
        switch match {
        case 4: add("address (regular expression)", members.secret("uri"))
        case 5: add("address (never)", members.secret("uri"))
        default:
            addSite(members.text("uri"))
            if let match, match != 0 { losses.append("address \(sites.count) has the match rule \(match)") }
        }
        members.skip("uriChecksum")
        addRest(of: members, in: "login.uris")
    }

    private mutating func addBitwardenPasskey(_ passkey: JSONNode) {
        var members = JSONMembers(passkey)
        guard let id = passkey["credentialId"]?.text.flatMap(Self.bitwardenCredentialID),
            let key = passkey["keyValue"]?.secret?.base64Decoded, !key.isEmpty
        else {
            losses.append("passkey without a valid key and identifier; kept as a field")
            return add("passkey", passkey, isHidden: true)
        }
        members.skip("credentialId", "keyValue", "keyType", "keyAlgorithm", "keyCurve", "discoverable")
        passkeys.append(
            Passkey(
                relyingParty: members.text("rpId") ?? "",
                userName: members.text("userName") ?? "",
                displayName: members.text("userDisplayName") ?? "",
                credentialID: id,
                userHandle: members.base64("userHandle")?.array ?? [],
                key: key
            )
        )
        if members.take("counter", { $0.integer == 0 ? $0 : nil }) == nil, passkey["counter"] != nil {
            losses.append("the counter of a passkey is not zero; it may be refused")
        }
        add(Self.name("rpName", in: "passkey"), members.secret("rpName"))
        add(Self.name("creationDate", in: "passkey"), members.secret("creationDate"))
        addRest(of: members, in: "passkey")
    }

    /// The bytes of a credential identifier: a UUID in text, or base64url after `b64.`.
    private static func bitwardenCredentialID(_ text: String) -> [UInt8]? {
        if text.hasPrefix("b64.") { return HeldSecret(text: String(text.dropFirst(4))).base64Decoded?.array }
        let digits = text.lowercased().filter { $0 != "-" }
        guard digits.utf8.count == 32 else { return nil }
        return [UInt8](hexDigits: digits)
    }

    /// Makes fields of all members: of a card, an identity, a key, or documents.
    mutating func readBitwardenFields(_ content: JSONMembers, as kind: Kind) {
        self.kind = kind
        content.forEachRest { name, value in add(name, value, isHidden: Self.isSecretName(name)) }
    }

    /// Adds a custom field: 0 is text, 1 hidden, 2 a Boolean, 3 a link to another field.
    mutating func addBitwardenField(_ field: JSONNode) {
        var members = JSONMembers(field)
        let name = members.text("name") ?? ""
        let type = members.integer("type")
        add(name, members.secret("value"), isHidden: type != 0 && type != 2)
        if let link = members.integer("linkedId") {
            let target = [100: "the user name", 101: "the password"][link] ?? "another value (\(link))"
            losses.append("field \"\(name.printable)\" is a link to \(target)")
        }
        addRest(of: members, in: "fields")
    }

    /// Adds former passwords, which the file has newest first.
    mutating func addBitwardenHistory(_ history: [JSONNode]) {
        var secrets: [FormerSecret] = []
        for element in history.reversed() {
            var members = JSONMembers(element)
            if let password = members.secret("password") {
                secrets.append(FormerSecret(password, time: members.date("lastUsedDate")))
            }
            addRest(of: members, in: "passwordHistory")
        }
        addFormerSecrets(secrets)
    }
}
