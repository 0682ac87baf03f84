internal import CofferBasics

extension Form where Content == XMLNode {
    static var keePass: Form {
        Form {
            $0.hasName("KeePassFile")
        } read: { root, _ in
            var reader = KeePassFile(root)
            return try reader.read(root)
        }
    }
}

/// A database of KeePass 2 or KeePassXC as XML.
struct KeePassFile {
    /// How many names the paths of all groups may have: they take some 32 MiB.
    private static let folderNameCountLimit = 1 << 20

    /// The groups with deleted entries and with templates, by their identifiers.
    private let trash: String?
    private let templates: String?
    private var entries: [KeePassEntry] = []
    private var folderNameCount = 0
    private var binaries: KeePassBinaries
    private var losses = LossCounter()

    init(_ root: XMLNode) {
        let meta = root["Meta"]
        let hasTrash = meta?["RecycleBinEnabled"]?.text.lowercased() == "true"
        trash = hasTrash ? meta?["RecycleBinUUID"]?.text.trimmed : nil
        templates = meta?["EntryTemplatesGroup"]?.text.trimmed
        binaries = KeePassBinaries(meta?["Binaries"], byteCount: root.tree.bytes.byteCount)
        noteMeta(meta)
    }

    mutating func read(_ root: XMLNode) throws -> PasswordFile {
        var file = PasswordFile(form: "KeePass XML", byteCount: root.tree.bytes.byteCount)
        guard let top = root["Root"] else { throw PasswordFileError.invalid("the XML of KeePass has no element Root") }
        for group in top.children where group.hasName("Group") {
            // The outermost group has the name of the database.
            try collect(group, KeePassEntry.Place(), isTop: true)
        }
        var references = KeePassReferences(entries, in: root.tree.bytes)
        for (index, entry) in entries.enumerated() {
            try file.append(record(of: entry, at: "entry \(index + 1)", &references))
        }
        file.losses = losses.losses
        file.remarks = ["standard icons, and when and how often entries were used, are never taken over"]
        let unusedCount = binaries.unusedCount
        if unusedCount > 0 {
            file.losses.append("attachments of no entry, or only of earlier versions: \(unusedCount)")
        }
        return file
    }

    private mutating func noteMeta(_ meta: XMLNode?) {
        if meta?["DatabaseDescription"]?.secret.isEmpty == false { losses.note("the description of the database") }
        for icon in meta?["CustomIcons"]?.children ?? [] where icon.hasName("Icon") { losses.note("custom icon") }
        if meta?["CustomData"]?.children.isEmpty == false { losses.note("custom data of the database") }
    }

    // MARK: - Groups

    /// Collects the entries of a group and the groups in it; nesting is limited by the reader of XML.
    private mutating func collect(
        _ group: XMLNode,
        _ place: KeePassEntry.Place,
        isTop: Bool = false
    ) throws {
        var place = place
        let id = group["UUID"]?.text.trimmed ?? ""
        if !isTop {
            place.folders.append(group["Name"]?.text ?? "")
            // Each group has the names of those around it, which a chain of groups could multiply.
            folderNameCount += place.folders.count
            guard folderNameCount <= Self.folderNameCountLimit else {
                throw PasswordFileError.tooLarge("byte \(group.offset): too many groups inside of groups")
            }
        }
        if !id.isEmpty {
            place.isTrashed = place.isTrashed || id == trash
            place.isTemplate = place.isTemplate || id == templates
        }
        for name in ["Notes", "Tags"] where group[name]?.secret.isEmpty == false {
            losses.note("\(name.lowercased()) of a group")
        }
        if group["CustomData"]?.children.isEmpty == false { losses.note("custom data of a group") }
        for child in group.children {
            if child.hasName("Entry") {
                guard entries.count < PasswordFile.recordCountLimit else {
                    throw PasswordFileError.tooLarge("the file has more than \(PasswordFile.recordCountLimit) entries")
                }
                entries.append(KeePassEntry(node: child, place: place))
            } else if child.hasName("Group") {
                try collect(child, place)
            }
        }
    }

    // MARK: - Entries

    private mutating func record(
        of entry: KeePassEntry,
        at place: String,
        _ references: inout KeePassReferences
    ) -> PasswordRecord {
        var record = PasswordRecord(.login, at: place)
        record.folders = entry.place.folders
        record.isTrashed = entry.place.isTrashed
        if entry.place.isTemplate { record.losses.append("it is a template") }
        var strings = KeePassStrings(of: entry.node, losses: &record.losses)
        strings.resolve(&references, losses: &record.losses)
        record.readKeePassStrings(&strings)
        record.readKeePassTimes(entry.node["Times"])
        record.readKeePassHistory(entry.node["History"])
        record.readKeePassSettings(entry.node)
        for binary in entry.node.children where binary.hasName("Binary") {
            let name = binary["Key"]?.text ?? ""
            do {
                guard let value = binary["Value"] else { throw PasswordFileError.invalid("no content") }
                record.attachments.append(.init(name, try binaries.content(of: value)))
            } catch {
                record.losses.append("attachment \(name.printable): \(PasswordFileError(error).description)")
            }
        }
        return record
    }
}

/// An entry of KeePass, and where it is.
struct KeePassEntry {
    let node: XMLNode
    let place: Place

    struct Place {
        /// The names of the groups around the entry, without that of the database.
        var folders: [String] = []
        var isTrashed = false
        var isTemplate = false
    }
}

/// The strings of an entry of KeePass, which are taken one by one.
struct KeePassStrings {
    private var strings: [(key: String, value: HeldSecret, isHidden: Bool)] = []

    /// Reads the strings of an entry; those without a value are left out.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - losses: Is appended what is encrypted.
    init(of entry: XMLNode, losses: inout [String]) {
        for string in entry.children where string.hasName("String") {
            guard let value = string["Value"] else { continue }
            let secret = value.secret
            guard !secret.isEmpty else { continue }
            let key = string["Key"]?.text ?? ""
            if value.isTrue("Protected") {
                // The key stream of the database is not in the file.
                losses.append(
                    "field \"\(key.printable)\" is encrypted by the database; export the database as XML again"
                )
            } else {
                strings.append((key, secret, value.isTrue("ProtectInMemory")))
            }
        }
    }

    /// Replaces references to other entries by what they refer to.
    mutating func resolve(_ references: inout KeePassReferences, losses: inout [String]) {
        for index in strings.indices {
            guard let resolved = references.resolved(strings[index].value) else { continue }
            strings[index].value = resolved.value
            if !resolved.isComplete {
                losses.append("field \"\(strings[index].key.printable)\" has a reference that cannot be resolved")
            }
        }
    }

    /// The value of the first string of this key.
    subscript(key: String) -> HeldSecret? { strings.first { $0.key == key }?.value }

    /// Removes the first string of this key, and returns its value.
    mutating func take(_ key: String) -> HeldSecret? {
        guard let index = strings.firstIndex(where: { $0.key == key }) else { return nil }
        return strings.remove(at: index).value
    }

    /// Removes all strings whose key begins with `prefix`, and returns their values.
    mutating func takeAll(withPrefix prefix: String) -> [HeldSecret] {
        let values = strings.filter { $0.key.hasPrefix(prefix) }.map(\.value)
        strings.removeAll { $0.key.hasPrefix(prefix) }
        return values
    }

    /// What was not taken.
    var fields: [PasswordRecord.Field] {
        strings.map { PasswordRecord.Field($0.key, $0.value, isHidden: $0.isHidden) }
    }
}

/// The attachments of a database of KeePass, which entries name by number or contain themselves.
struct KeePassBinaries {
    private var binaries: [String: XMLNode] = [:]
    /// What was decoded, by number: entries may share one.
    private var contents: [String: HeldSecret] = [:]
    /// How many more bytes compressed attachments may inflate to.
    private var freeByteCount: Int

    /// - Parameters:
    ///   - list: The element that has all attachments.
    ///   - byteCount: The size of the file, which limits what its attachments may inflate to.
    init(_ list: XMLNode?, byteCount: Int) {
        freeByteCount = Gzip.byteCountLimit(inFileWith: byteCount)
        for binary in list?.children ?? [] {
            if let id = binary.attribute("ID") { binaries[id] = binary }
        }
    }

    /// How many attachments were never asked for.
    var unusedCount: Int { binaries.count - contents.count }

    /// The content of an attachment.
    ///
    /// - Parameter value: The element in an entry, which has the number of the attachment, or the attachment itself.
    /// - Returns: Its bytes.
    /// - Throws: `PasswordFileError` if it is missing, damaged, encrypted or too large.
    mutating func content(of value: XMLNode) throws -> HeldSecret {
        guard let id = value.attribute("Ref") else { return try decoded(value) }
        if let content = contents[id] { return content }
        guard let binary = binaries[id] else {
            throw PasswordFileError.invalid("number \(id.printable) is not in the file")
        }
        let content = try decoded(binary)
        contents[id] = content
        return content
    }

    private mutating func decoded(_ binary: XMLNode) throws -> HeldSecret {
        guard !binary.isTrue("Protected") else { throw PasswordFileError.unsupported("encrypted by the database") }
        guard let content = binary.secret.base64Decoded else {
            throw PasswordFileError.invalid("its content is not base64")
        }
        guard binary.isTrue("Compressed") else { return content }
        let limit = freeByteCount
        let inflated = try content.withSpan { content in
            try Gzip.inflated(content, limit: limit)
        }
        guard let inflated else { throw PasswordFileError.invalid("its compressed content is damaged") }
        freeByteCount -= inflated.byteCount
        return inflated
    }
}
