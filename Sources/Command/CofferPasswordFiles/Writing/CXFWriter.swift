internal import CofferBasics

/// Writes JSON in the Credential Exchange Format 1.0 of the FIDO Alliance, with one account.
struct CXFWriter: FormWriter {
    private let json: JSONWriter
    private let identifier: [UInt8]
    private var itemCount = 0
    private var collections = CXFCollections()

    /// Begins a file whose identifiers begin with `identifier`; they have at most 64 bytes.
    init(to output: SecretBuilder, time: Int64, identifier: [UInt8]) {
        precondition(identifier.count <= 32, "the identifier is too long")
        json = JSONWriter(to: output)
        self.identifier = identifier
        json.begin("{")
        json.key("version")
        json.object {
            json.key("major")
            json.number(1)
            json.key("minor")
            json.number(0)
        }
        json.member("exporterRpId", "coffer")
        json.member("exporterDisplayName", "Coffer")
        json.key("timestamp")
        json.number(max(0, time))
        json.key("accounts")
        json.begin("[")
        json.begin("{")
        json.key("id")
        json.base64URL(identifier.span)
        json.member("username", "")
        json.member("email", "")
        json.key("items")
        json.begin("[")
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        collections.add(itemCount, in: record.folders)
        json.beginLine()
        json.begin("{")
        json.key("id")
        json.base64URL(identifier(.item, itemCount).span)
        date("creationAt", record.created, &losses)
        date("modifiedAt", record.changed, &losses)
        json.member("title", record.title)
        if record.isFavorite {
            json.key("favorite")
            json.bool(true)
        }
        if !record.sites.isEmpty {
            json.key("scope")
            json.object {
                json.key("urls")
                json.strings(record.sites)
                json.key("androidApps")
                json.strings([])
            }
        }
        json.key("credentials")
        json.begin("[")
        var credentials = CXFCredentials(to: json)
        credentials.write(record, &losses)
        json.end("]")
        if !record.tags.isEmpty {
            json.key("tags")
            json.strings(record.tags)
        }
        json.end("}")
        itemCount += 1
    }

    mutating func end(_ losses: inout ExportLosses) {
        json.endLine()
        json.end("]")
        json.key("collections")
        write(collections.outermost)
        for bracket: Unicode.Scalar in ["}", "]", "}"] { json.end(bracket) }
        json.endLine()
    }

    private func date(_ name: String, _ seconds: Int64?, _ losses: inout ExportLosses) {
        guard let seconds else { return }
        // Importers fail on negative dates, some with the whole file.
        guard seconds >= 0 else { return losses.add(.dates) }
        json.key(name)
        json.number(seconds)
    }

    // MARK: - Collections and identifiers

    private func write(_ numbers: [Int]) {
        json.array {
            for number in numbers {
                let collection = collections.all[number]
                json.object {
                    json.key("id")
                    json.base64URL(identifier(.collection, number).span)
                    json.member("title", collection.title)
                    json.key("items")
                    json.array {
                        for item in collection.items {
                            json.object {
                                json.key("item")
                                json.base64URL(identifier(.item, item).span)
                            }
                        }
                    }
                    if !collection.inner.isEmpty {
                        json.key("subCollections")
                        write(collection.inner)
                    }
                }
            }
        }
    }

    private enum Identified: UInt8 {
        case item = 1
        case collection = 2
    }

    private func identifier(_ kind: Identified, _ number: Int) -> [UInt8] {
        var bytes = identifier + [kind.rawValue]
        bytes.append(littleEndian: UInt64(number))
        return bytes
    }
}

/// The folders of a file in the Credential Exchange Format, and which items are in them.
struct CXFCollections {
    struct Collection {
        let title: String
        var items: [Int] = []
        /// The collections inside, as indices of `all`.
        var inner: [Int] = []
    }

    /// How deep collections are nested; names further inside are joined with slashes.
    private static let depthLimit = 16

    private(set) var all: [Collection] = []
    private(set) var outermost: [Int] = []
    private var numbers: [[String]: Int] = [:]

    mutating func add(_ item: Int, in folders: [String]) {
        var path = Array(folders.prefix(Self.depthLimit - 1))
        let rest = folders.dropFirst(Self.depthLimit - 1)
        if !rest.isEmpty { path.append(rest.joined(separator: "/")) }
        guard !path.isEmpty else { return }
        all[number(of: path)].items.append(item)
    }

    private mutating func number(of path: [String]) -> Int {
        if let number = numbers[path] { return number }
        let outer = path.count > 1 ? number(of: path.dropLast()) : nil
        let number = all.count
        all.append(Collection(title: path.last ?? ""))
        numbers[path] = number
        if let outer { all[outer].inner.append(number) } else { outermost.append(number) }
        return number
    }
}

extension JSONWriter {
    /// Writes a member whose value is a text.
    func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }

    func strings(_ texts: [String]) {
        array { for text in texts { string(text) } }
    }
}
