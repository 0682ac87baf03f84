internal import CofferBasics
internal import VaultCrypto

extension Form where Content == JSONNode {
    static var credentialExchange: Form {
        Form(matches: ExchangeFile.matches) { root, _ in
            try ExchangeFile.read(root, archive: nil, documentName: "")
        }
    }
}

extension Form where Content == ZipArchive {
    /// An archive with one document, and the files that it names beside it.
    static var credentialExchange: Form {
        Form {
            $0[ExchangeFile.encryptedName] != nil || ExchangeFile.document(in: $0) != nil
        } read: { archive, _ in
            guard let (entry, tree) = ExchangeFile.document(in: archive) else { throw ExchangeFile.encrypted }
            var file = try ExchangeFile.read(tree.root, archive: archive, documentName: entry.name)
            file.noteDuplicateKeys(of: tree)
            return file
        }
    }
}

/// A file of the FIDO Credential Exchange Format.
struct ExchangeFile {
    /// The content of the FIDO Credential Exchange Protocol.
    static let encryptedName = "CXP-Export/index.jwe"
    static let encrypted = PasswordFileError.unsupported(
        "an answer of the FIDO Credential Exchange Protocol, which only the program that asked for it can decrypt; export"
            + " from the other program in a form of its own"
    )

    private let documentName: String
    /// The entries of the archive by their names without directories.
    private var files: [String: ZipArchive.Entry] = [:]
    private var attachments: ArchiveAttachments
    private var digests: [String: [UInt8]] = [:]
    /// The collections of the items of an account, by identifier: the names of the first one with those around it, and
    /// the names of the others.
    private var collections: [String: (path: [String], others: [String])] = [:]
    private var titles: [String: String] = [:]
    private var losses = LossCounter()

    static func matches(_ root: JSONNode) -> Bool {
        if root["hpke"] != nil, root["payload"] != nil { return true }
        return root["accounts"]?.kind == .array && root["version"] != nil
            && (root["exporterRpId"] != nil || root["exporter"] != nil || root["exporterDisplayName"] != nil)
    }

    /// The only JSON document of an archive, if it is one of this format.
    static func document(in archive: ZipArchive) -> (entry: ZipArchive.Entry, tree: JSONTree)? {
        let documents = archive.entries.filter { $0.name.lowercased().hasSuffix(".json") }
        guard documents.count == 1, let content = try? archive.content(of: documents[0]),
            let tree = try? JSONTree(content), matches(tree.root)
        else { return nil }
        return (documents[0], tree)
    }

    static func read(
        _ root: JSONNode,
        archive: ZipArchive?,
        documentName: String
    ) throws -> PasswordFile {
        guard root["hpke"] == nil || root["accounts"] != nil else { throw encrypted }
        var reader = ExchangeFile(archive, documentName)
        return try reader.read(root)
    }

    private init(_ archive: ZipArchive?, _ documentName: String) {
        self.documentName = documentName
        attachments = ArchiveAttachments(archive)
        for entry in archive?.entries ?? [] where entry.name != documentName {
            if let name = entry.name.split(separator: "/").last { files[String(name)] = entry }
        }
    }

    private mutating func read(_ root: JSONNode) throws -> PasswordFile {
        var file = PasswordFile(
            form: "Credential Exchange Format",
            byteCount: attachments.archive?.byteCount ?? root.tree.bytes.byteCount
        )
        var members = JSONMembers(root)
        members.skip("exporterRpId", "exporterDisplayName", "exporter", "timestamp")
        // Drafts had a number; 1.0 has an object.
        let version = members.take("version")
        if let major = version?["major"]?.integer ?? version?.integer, major > 1 {
            losses.note("version \(major) of the format is unknown")
        }
        let accounts = members.objects("accounts")
        for (index, account) in accounts.enumerated() {
            try readAccount(account, at: accounts.count > 1 ? "account \(index + 1), " : "", of: &file)
        }
        losses.noteUnknown(members, of: "the file")
        file.losses = losses.losses
        if let archive = attachments.archive {
            file.noteUnread(archive) { [documentName] in $0.name == documentName || attachments.isRead($0) }
        }
        return file
    }

    // MARK: - Accounts and collections

    // `place` is that of the account, to be followed by that of the item; empty if there is only one account.
    private mutating func readAccount(
        _ account: JSONNode,
        at place: String,
        of file: inout PasswordFile
    ) throws {
        var members = JSONMembers(account)
        members.skip("id", "username", "email", "fullName")
        noteExtensions(members.elements("extensions"), of: "an account")
        let items = members.elements("items")
        collections = [:]
        for collection in members.objects("collections") { readCollection(collection, in: []) }
        titles = [:]
        for item in items {
            if let id = item["id"]?.text { titles[id] = item["title"]?.text?.shortened ?? "" }
        }
        for (index, item) in items.enumerated() {
            let place = place + "item \(index + 1)"
            guard item.kind == .object else {
                try file.refuse("\(place) is not an object")
                continue
            }
            for record in try records(of: item, at: place) { try file.append(record) }
        }
        for _ in collections {
            losses.note("link of a collection to an item that is not in the account")
        }
        losses.noteUnknown(members, of: "an account")
    }

    /// Reads a collection and those in it; nesting is limited by the reader of JSON.
    private mutating func readCollection(_ collection: JSONNode, in path: [String]) {
        var members = JSONMembers(collection)
        let title = members.text("title") ?? ""
        let path = path + [title]
        members.skip("id", "creationAt", "modifiedAt")
        if members.text("subtitle") != nil { losses.note("subtitle of a collection") }
        noteExtensions(members.elements("extensions"), of: "a collection")
        for link in members.elements("items") {
            guard let id = link["item"]?.text ?? link.text else { continue }
            if collections[id] == nil {
                collections[id] = (path, [])
            } else {
                collections[id]?.others.append(title)
            }
        }
        for inner in members.objects("subCollections") { readCollection(inner, in: path) }
        losses.noteUnknown(members, of: "a collection")
    }

    private mutating func noteExtensions(_ extensions: [JSONNode], of owner: String) {
        for element in extensions {
            let name = element["name"]?.text?.shortened.printable ?? "without a name"
            losses.note("extension \(name) of \(owner)")
        }
    }

    // MARK: - Items

    private mutating func records(of item: JSONNode, at place: String) throws -> [PasswordRecord] {
        var members = JSONMembers(item)
        let credentials = members.objects("credentials")
        var record = PasswordRecord(ExchangeItem.kind(of: credentials), at: place)
        record.title = members.text("title") ?? ""
        record.isFavorite = members.isTrue("favorite")
        record.tags = members.texts("tags")
        record.created = members.date("creationAt")
        record.changed = members.date("modifiedAt")
        if let id = members.text("id"), let collections = collections.removeValue(forKey: id) {
            record.folders = collections.path
            // An item may be in several collections.
            record.tags += collections.others
        }
        // Of drafts: what the item is.
        members.skip("type")
        record.add("subtitle", members.secret("subtitle"))
        readScope(members.members("scope"), to: &record)
        noteExtensions(members.elements("extensions"), of: "an item")
        record.addRest(of: members)
        var result = ExchangeItem(record)
        for (index, credential) in credentials.enumerated() {
            guard result.others.count < PasswordFile.recordCountLimit else {
                throw PasswordFileError.tooLarge("\(place): more than \(PasswordFile.recordCountLimit) records")
            }
            if credential["type"]?.text == "file" {
                addFile(JSONMembers(credential), to: &result.main)
            } else {
                result.add(credential, number: index + 1) { [titles] in titles[$0] }
            }
        }
        return [result.main] + result.others
    }

    private func readScope(_ scope: JSONMembers, to record: inout PasswordRecord) {
        var scope = scope
        record.sites = scope.texts("urls")
        for program in scope.objects("androidApps") {
            var members = JSONMembers(program)
            record.add("Android program", members.secret("bundleId"))
            record.addRest(of: members, in: "Android program")
        }
        record.addRest(of: scope, in: "scope")
    }

    /// Adds the file of an archive that a credential names by its identifier.
    private mutating func addFile(_ credential: JSONMembers, to record: inout PasswordRecord) {
        var members = credential
        members.skip("type", "decryptedSize")
        let name = members.text("name") ?? ""
        let id = members.text("id") ?? ""
        let hash = members.secret("integrityHash")?.base64Decoded
        guard let entry = files[id] ?? files[name] else {
            return record.losses.append("attachment \(name.printable) is not in the file")
        }
        let count = record.attachments.count
        attachments.add(entry, named: name, to: &record)
        if let hash, let attachment = record.attachments.dropFirst(count).last,
            digest(of: attachment.content, in: entry) != hash.array
        {
            record.attachments.removeLast()
            record.losses.append("attachment \(name.printable) is damaged: its digest is wrong")
        }
        record.addRest(of: members, in: "file")
    }

    /// The SHA-256 of an entry, made once: many credentials may name it.
    private mutating func digest(of content: HeldSecret, in entry: ZipArchive.Entry) -> [UInt8] {
        if let digest = digests[entry.name] { return digest }
        let digest = content.withSpan(SHA256.digest)
        digests[entry.name] = digest
        return digest
    }
}
