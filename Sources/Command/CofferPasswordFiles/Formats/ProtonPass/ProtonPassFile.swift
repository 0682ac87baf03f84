internal import CofferBasics

extension Form where Content == JSONNode {
    static var protonPass: Form {
        Form {
            $0["vaults"]?.kind == .object && $0["version"] != nil
        } read: { root, _ in
            try ProtonPassFile.read(root, archive: nil)
        }
    }
}

extension Form where Content == ZipArchive {
    static var protonPass: Form {
        Form {
            $0[ProtonPassFile.name] != nil || $0[ProtonPassFile.encryptedName] != nil
        } read: { archive, _ in
            guard let entry = archive[ProtonPassFile.name] else {
                throw PasswordFileError.unsupported(
                    "an encrypted export of Proton Pass; decrypt data.pgp with `gpg --decrypt` and import the result, or"
                        + " export it again, not encrypted"
                )
            }
            let tree = try JSONTree(archive.content(of: entry))
            var file = try ProtonPassFile.read(tree.root, archive: archive)
            file.noteDuplicateKeys(of: tree)
            return file
        }
    }
}

/// An export of Proton Pass: all vaults.
struct ProtonPassFile {
    static let name = "Proton Pass/data.json"
    static let encryptedName = "Proton Pass/data.pgp"

    private var attachments: ArchiveAttachments
    private var losses = LossCounter()

    private init(_ archive: ZipArchive?) {
        attachments = ArchiveAttachments(archive)
    }

    static func read(_ root: JSONNode, archive: ZipArchive?) throws -> PasswordFile {
        guard root["encrypted"]?.isTrue != true else {
            throw PasswordFileError.unsupported("an encrypted export of Proton Pass; export it again, not encrypted")
        }
        var reader = ProtonPassFile(archive)
        return try reader.read(root)
    }

    private mutating func read(_ root: JSONNode) throws -> PasswordFile {
        var file = PasswordFile(
            form: attachments.archive == nil ? "Proton Pass JSON" : "Proton Pass zip",
            byteCount: attachments.archive?.byteCount ?? root.tree.bytes.byteCount
        )
        var members = JSONMembers(root)
        members.skip("version", "userId", "encrypted")
        guard let vaults = members.object("vaults") else { return file }
        for (index, vault) in vaults.members.enumerated() {
            try readVault(vault.value, at: "vault \(index + 1), ", of: &file)
        }
        losses.noteUnknown(members, of: "the file")
        file.losses = losses.losses
        if let archive = attachments.archive {
            file.noteUnread(archive) { $0.name == Self.name || attachments.isRead($0) }
        }
        return file
    }

    private mutating func readVault(
        _ vault: JSONNode,
        at place: String,
        of file: inout PasswordFile
    ) throws {
        var members = JSONMembers(vault)
        let name = members.text("name") ?? ""
        if members.text("description") != nil { losses.note("the description of a vault") }
        members.skip("display")
        let folders = ProtonPassFolders(members.objects("folders"))
        for (index, item) in members.elements("items").enumerated() {
            let place = place + "item \(index + 1)"
            guard item.kind == .object else {
                try file.refuse("\(place) is not an object")
                continue
            }
            try file.append(record(item, at: place, vault: name, folders))
        }
        losses.noteUnknown(members, of: "a vault")
    }

    private mutating func record(
        _ item: JSONNode,
        at place: String,
        vault: String,
        _ folders: ProtonPassFolders
    ) -> PasswordRecord {
        var members = JSONMembers(item)
        var data = members.members("data")
        var record = PasswordRecord(.other, at: place)
        members.skip("itemId", "shareId", "contentFormatVersion")
        record.folders = vault.isEmpty ? [] : [vault]
        if let id = members.text("folderId") {
            if let path = folders.path(of: id) {
                record.folders += path
            } else {
                record.losses.append("its folder is not in the file")
            }
        }
        record.created = members.date("createTime")
        record.changed = members.date("modifyTime")
        record.isFavorite = members.isTrue("pinned")
        record.isTrashed = members.take("state") { [1, 2].contains($0.integer) ? $0.integer : nil } == 2
        let alias = members.secret("aliasEmail")
        record.readProtonData(&data, alias: alias)
        addFiles(members.elements("files"), to: &record)
        record.addRest(of: data)
        record.addRest(of: members)
        return record
    }

    /// Adds the files that an item lists, by name or by objects with a name.
    private mutating func addFiles(_ files: [JSONNode], to record: inout PasswordRecord) {
        for file in files where !file.isEmpty {
            let name = file.text ?? file["name"]?.text ?? file["fileName"]?.text ?? ""
            if let entry = attachments.archive?["Proton Pass/files/" + name] {
                attachments.add(entry, named: name, to: &record)
            } else {
                record.losses.append("attachment \(name.printable) is not in the file")
            }
        }
    }
}

/// The folders of a vault of Proton Pass.
struct ProtonPassFolders {
    private var folders: [String: (name: String, parent: String?)] = [:]

    init(_ list: [JSONNode]) {
        for folder in list {
            guard let id = folder["folderId"]?.text ?? folder["id"]?.text else { continue }
            let parent = folder["parentFolderId"]?.text ?? folder["parentId"]?.text
            folders[id] = (folder["name"]?.text ?? folder["title"]?.text ?? "", parent)
        }
    }

    /// The names of a folder and those around it, the outermost first; nil if it is unknown.
    func path(of id: String) -> [String]? {
        guard var folder = folders[id] else { return nil }
        var names = [folder.name]
        // Bounded: folders may be in each other.
        while let parent = folder.parent.flatMap({ folders[$0] }), names.count < JSONTree.depthLimit {
            names.insert(parent.name, at: 0)
            folder = parent
        }
        return names
    }
}

extension PasswordRecord {
    /// Reads the data of an item; what is not taken stays in `data`.
    mutating func readProtonData(_ data: inout JSONMembers, alias: HeldSecret?) {
        var metadata = data.members("metadata")
        title = metadata.text("name") ?? ""
        let note = metadata.secret("note")
        metadata.skip("itemUuid")
        let type = data.text("type") ?? ""
        var content = data.members("content")
        switch type {
        case "login":
            kind = .login
            readProtonLogin(&content)
        case "alias":
            account = alias?.text ?? ""
        case "creditCard": kind = .card
        case "note": kind = .note
        case "identity": kind = .identity
        case "sshKey":
            kind = .key
            secret = content.secret("privateKey")
            add("publicKey", content.secret("publicKey"))
        case "wifi":
            kind = .wifi
            account = content.text("ssid") ?? ""
            secret = content.secret("password")
        case "custom": break
        default: losses.append("unknown type \"\(type.printable)\" of item; all of it is in fields")
        }
        if kind == .note { secret = note } else { notes = note }
        if type != "alias" { add("alias", alias) }
        for field in data.objects("extraFields") { addProtonField(field) }
        readProtonSections(&content)
        let isKnown = ["creditCard", "identity"].contains(type)
        content.forEachRest { name, value in
            add(name, value, isHidden: !isKnown || Self.isSecretName(name) || !value.isScalar)
        }
        addRest(of: metadata)
        addProtonPlatforms(data.members("platformSpecific"))
    }

    private mutating func readProtonLogin(_ content: inout JSONMembers) {
        let mail = content.secret("itemEmail")
        // Older files have `username` only.
        setAccount(content.secret("itemUsername") ?? content.secret("username"), orField: "username")
        setAccount(mail, orField: "email")
        secret = content.secret("password")
        let urls = content.texts("urls")
        addProtonAddresses(content.objects("autofillUrls"), urls: urls)
        addOneTimePassword(content.secret("totpUri"), field: "totpUri")
        for passkey in content.objects("passkeys") {
            let site = passkey["rpId"]?.text ?? passkey["domain"]?.text ?? ""
            losses.append("passkey for \(site.printable): its key has a form of Proton's own; kept as a field")
            add("passkey", passkey, isHidden: true)
        }
    }

    /// Adds addresses with their modes; `urls` are those in the default mode, in older files all.
    mutating func addProtonAddresses(_ addresses: [JSONNode], urls: [String]) {
        // A set, since both may be long.
        var known: Set<String> = []
        for address in addresses {
            var members = JSONMembers(address)
            guard let url = members.text("url")?.trimmed, !url.isEmpty else {
                add("autofillUrls", address, isHidden: true)
                continue
            }
            let mode = members.text("mode")?.lowercased() ?? "0"
            if let name = Self.protonFieldNames[mode] {
                add("autofill \(name)", text: url)
            } else if known.insert(url).inserted {
                sites.append(url)
                if !["0", "default"].contains(mode) {
                    losses.append("address \(sites.count) has the mode \(mode.shortened.printable)")
                }
            }
            addRest(of: members, in: "autofillUrls")
        }
        for url in urls where known.insert(url).inserted { sites.append(url) }
    }

    /// The modes of addresses that are not sites: a rule that blocks one, and two kinds of patterns.
    private static let protonFieldNames = [
        "2": "never", "never": "never", "4": "pattern", "pattern": "pattern", "5": "regular expression",
        "regex": "regular expression", "regular expression": "regular expression",
    ]

    /// Adds the fields of sections, and of lists with other names.
    private mutating func readProtonSections(_ content: inout JSONMembers) {
        for name in ["extraPersonalDetails", "extraAddressDetails", "extraContactDetails", "extraWorkDetails"] {
            for field in content.objects(name) { addProtonField(field) }
        }
        for name in ["sections", "extraSections"] {
            for section in content.objects(name) {
                var members = JSONMembers(section)
                let title = members.text("sectionName") ?? ""
                beginSection(title)
                for field in members.objects("sectionFields") { addProtonField(field, section: title) }
                addRest(of: members, in: title)
            }
        }
    }

    private mutating func addProtonField(_ field: JSONNode, section: String = "") {
        var members = JSONMembers(field)
        let name = Self.name(members.text("fieldName") ?? "", in: section)
        let type = members.text("type")
        var data = members.members("data")
        addOneTimePassword(data.secret("totpUri"), field: name)
        add(name, data.secret("content"), isHidden: type != "text")
        add(name, data.secret("timestamp"))
        addRest(of: data, in: name)
        addRest(of: members, in: name)
    }

    /// Names the Android programs that may fill in the login.
    private mutating func addProtonPlatforms(_ platforms: JSONMembers) {
        var platforms = platforms
        var android = platforms.members("android")
        for program in android.elements("allowedApps") {
            add("Android program", program["packageName"] ?? program)
        }
        addRest(of: android, in: "android")
        addRest(of: platforms)
    }
}
