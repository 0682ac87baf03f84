internal import CofferBasics
internal import CofferPasswordFiles

/// What a record has besides the attributes of an item: `Spec/import.md`, section 4.
struct ExtraRecord {
    var sites: [String] = []
    var realm = ""
    var folders: [String] = []
    var tags: [String] = []
    var isFavorite = false
    var isArchived = false
    var fields: [PasswordRecord.Field] = []
    var notes: HeldSecret?

    /// The members of the JSON, and what their values may be.
    static let kinds: [String: [JSONNode.Kind]] = [
        "sites": [.array], "realm": [.string], "folders": [.array], "tags": [.array], "favorite": [.bool],
        "archived": [.bool], "notes": [.string, .object], "fields": [.array],
    ]

    /// Nothing.
    init() {}

    /// What the item of a record lacks, which has `address` of its first site, if that.
    init(_ record: PasswordRecord, besides address: ServerAddress?) {
        let first = record.sites.first.map { $0.contains(text: "://") ? $0 : "https://" + $0 }
        let isWhole = address.map { [$0.text, $0.text + "/"].contains(first) } ?? false
        let others = record.sites.dropFirst()
        // A further one that has the same parts would be taken for the first one.
        sites = isWhole && !others.contains { ServerAddress(site: $0) == address } ? Array(others) : record.sites
        realm = address == nil ? record.realm : ""
        (folders, tags, fields) = (record.folders, record.tags, record.fields)
        (isFavorite, isArchived) = (record.isFavorite, record.isArchived)
    }

    var isEmpty: Bool {
        sites.isEmpty && realm.isEmpty && folders.isEmpty && tags.isEmpty && !isFavorite && !isArchived
            && fields.isEmpty && notes == nil
    }

    /// The record as JSON.
    var json: HeldSecret {
        let text = SecretBuilder()
        let json = JSONWriter(forPeople: text)
        func add(_ name: String, _ texts: [String]) {
            guard !texts.isEmpty else { return }
            json.key(name)
            json.write(.array(texts.map { .string($0) }))
        }
        json.object {
            add("sites", sites)
            if !realm.isEmpty { json.write([("realm", .string(realm))]) }
            add("folders", folders)
            add("tags", tags)
            for (name, flag) in [("favorite", isFavorite), ("archived", isArchived)] where flag {
                json.write([(name, true)])
            }
            if let notes { json.write("notes", notes) }
            guard !fields.isEmpty else { return }
            json.key("fields")
            json.array {
                for field in fields {
                    json.object {
                        json.write([("name", .string(field.name)), ("hidden", .bool(field.isHidden))])
                        json.write("value", field.value)
                    }
                }
            }
        }
        return text.held
    }
}

extension JSONWriter {
    /// Writes a member with a secret: a string, or an object with its bytes if it is not UTF-8.
    fileprivate func write(_ name: String, _ secret: HeldSecret) {
        key(name)
        secret.withSpan { bytes in
            guard !bytes.isText else { return string(bytes) }
            object {
                key("base64")
                base64(bytes)
            }
        }
    }
}
