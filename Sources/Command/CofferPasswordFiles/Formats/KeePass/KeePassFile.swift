internal import CofferBasics

extension Form where Content == XMLNode {
    static var keePass: Form {
        Form {
            $0.hasName("KeePassFile")
        } read: { root, _ throws(PasswordFileError) in
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

    mutating func read(_ root: XMLNode) throws(PasswordFileError) -> PasswordFile {
        var file = PasswordFile(form: "KeePass XML", byteCount: root.tree.bytes.byteCount)
        guard let top = root["Root"] else { throw .invalid("the XML of KeePass has no element Root") }
        for group in top.children where group.hasName("Group") {
            // The outermost group has the name of the database.
            try collect(group, KeePassEntry.Place(), isTop: true)
        }
        var references = KeePassReferences(entries, in: root.tree.bytes)
        for (index, entry) in entries.enumerated() {
            try file.append(record(of: entry, at: "entry \(index + 1)", &references))
        }
        file.losses = losses.losses + ["standard icons, and when and how often entries were used"]
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
    ) throws(PasswordFileError) {
        var place = place
        let id = group["UUID"]?.text.trimmed ?? ""
        if !isTop {
            place.folders.append(group["Name"]?.text ?? "")
            // Each group has the names of those around it, which a chain of groups could multiply.
            folderNameCount += place.folders.count
            guard folderNameCount <= Self.folderNameCountLimit else {
                throw .tooLarge("byte \(group.offset): too many groups inside of groups")
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
                    throw .tooLarge("the file has more than \(PasswordFile.recordCountLimit) entries")
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
            do throws(PasswordFileError) {
                guard let value = binary["Value"] else { throw .invalid("no content") }
                record.attachments.append(.init(name, try binaries.content(of: value)))
            } catch {
                record.losses.append("attachment \(name.printable): \(error.description)")
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
