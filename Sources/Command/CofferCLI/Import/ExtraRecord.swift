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
        let first = record.sites.first.map { $0.contains("://") ? $0 : "https://" + $0 }
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
        func member(_ name: String) { text.append("\(text.byteCount == 0 ? "{" : ", ")\"\(name)\": ".utf8) }
        func add(_ name: String, _ texts: [String]) {
            guard !texts.isEmpty else { return }
            member(name)
            for (index, element) in texts.enumerated() {
                text.append(index == 0 ? "[".utf8 : ", ".utf8)
                JSONText.append(quoting: element.utf8Span, to: text)
            }
            text.append(UInt8(ascii: "]"))
        }
        add("sites", sites)
        if !realm.isEmpty {
            member("realm")
            JSONText.append(quoting: realm.utf8Span, to: text)
        }
        add("folders", folders)
        add("tags", tags)
        for (name, flag) in [("favorite", isFavorite), ("archived", isArchived)] where flag {
            member(name)
            text.append("true".utf8)
        }
        if let notes {
            member("notes")
            JSONText.append(quoting: notes, to: text)
        }
        for (index, field) in fields.enumerated() {
            if index == 0 { member("fields") }
            text.append(index == 0 ? "[{\"name\": ".utf8 : ", {\"name\": ".utf8)
            JSONText.append(quoting: field.name.utf8Span, to: text)
            text.append(", \"hidden\": \(field.isHidden), \"value\": ".utf8)
            JSONText.append(quoting: field.value, to: text)
            text.append(UInt8(ascii: "}"))
        }
        if !fields.isEmpty { text.append(UInt8(ascii: "]")) }
        text.append(text.byteCount == 0 ? "{}".utf8 : "}".utf8)
        return text.held
    }
}

extension JSONText {
    /// Appends a secret as a JSON string, or as an object with its bytes if it is not UTF-8.
    fileprivate static func append(quoting secret: HeldSecret, to text: SecretBuilder) {
        secret.bytes.withSpan { bytes in
            guard let valid = try? UTF8Span(validating: bytes) else {
                text.append("{\"base64\": \"".utf8)
                Base64Letters.forEach(of: bytes) { text.append($0) }
                return text.append("\"}".utf8)
            }
            append(quoting: valid, to: text)
        }
    }
}
