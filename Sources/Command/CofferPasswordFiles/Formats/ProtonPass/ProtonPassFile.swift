internal import CofferBasics

extension Form where Content == JSONNode {
    static var protonPass: Form {
        Form {
            $0["vaults"]?.kind == .object && $0["version"] != nil
        } read: { root, _ throws(PasswordFileError) in
            try ProtonPassFile.read(root, archive: nil)
        }
    }
}

extension Form where Content == ZipArchive {
    static var protonPass: Form {
        Form {
            $0[ProtonPassFile.name] != nil || $0[ProtonPassFile.encryptedName] != nil
        } read: { archive, _ throws(PasswordFileError) in
            guard let entry = archive[ProtonPassFile.name] else {
                throw .unsupported(
                    "an encrypted export of Proton Pass; decrypt data.pgp with `gpg --decrypt` and import the result, or"
                        + " export it again, not encrypted"
                )
            }
            let tree = try JSONTree(file: archive.content(of: entry))
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

    static func read(_ root: JSONNode, archive: ZipArchive?) throws(PasswordFileError) -> PasswordFile {
        guard root["encrypted"]?.isTrue != true else {
            throw .unsupported("an encrypted export of Proton Pass; export it again, not encrypted")
        }
        var reader = ProtonPassFile(archive)
        return try reader.read(root)
    }

    private mutating func read(_ root: JSONNode) throws(PasswordFileError) -> PasswordFile {
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
    ) throws(PasswordFileError) {
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
