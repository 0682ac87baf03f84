internal import CofferBasics

/// An item in the output of `security dump-keychain`, as far as it was read.
struct KeychainDumpItem {
    /// Why an item is not a record.
    enum Problem: String, Error {
        case noClass = "an item without a class"
        case noData = "no password; access to it was refused, or `-d` is missing"
        case notPassword = "a certificate or key, of which the dump has only attributes; export it as a file"
    }

    /// The line on which the item begins.
    let line: Int
    private var itemClass: String?
    private var attributes: [(name: String, value: [UInt8])] = []
    private var data: HeldSecret?
    private var invalid: [(name: String, text: HeldSecret)] = []

    init(line: Int) {
        self.line = line
    }

    // MARK: - Reading

    mutating func setClass(_ text: Span<UInt8>) {
        // Numbers of classes are for certificates and keys.
        switch KeychainDumpValue(text) {
        case .bytes(let name) where text.has("\"".utf8): itemClass = name.text
        default: itemClass = text.text
        }
    }

    /// Reads a line such as `"acct"<blob>="me"`, without the blanks in front.
    mutating func addAttribute(_ line: Span<UInt8>) {
        // The tag has no `<`, or is a number; the type has no `=`.
        let typeStart = line.indices.first { line[$0] == UInt8(ascii: "<") } ?? line.count
        let equal = (typeStart..<line.count).first { line[$0] == UInt8(ascii: "=") } ?? line.count
        guard equal < line.count else { return invalid.append(("", HeldSecret(copying: line))) }
        let name = Self.name(ofTag: line.extracting(0..<typeStart))
        switch KeychainDumpValue(line.extracting(equal + 1..<line.count)) {
        case .null: break
        case .bytes(let value): attributes.append((name, value.array))
        case .invalid(let text): invalid.append((name, text))
        }
    }

    private static func name(ofTag tag: Span<UInt8>) -> String {
        if tag.has("0x00000007".utf8) { return "labl" }
        if case .bytes(let name) = KeychainDumpValue(tag), tag.has("\"".utf8) { return name.text }
        return tag.text.trimmed
    }

    mutating func setData(_ value: KeychainDumpValue) {
        switch value {
        case .null: break
        case .bytes(let bytes): data = bytes
        case .invalid(let text): invalid.append(("data", text))
        }
    }

    // MARK: - Records

    private subscript(name: String) -> [UInt8]? { attributes.first { $0.name == name }?.value }

    private func text(_ name: String) -> String {
        guard let bytes = self[name] else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    var label: String { text("labl") }

    /// The record of the item, or why there is none.
    var record: Result<PasswordRecord, Problem> {
        guard let itemClass else { return .failure(.noClass) }
        let isPassword = ["genp", "inet", "ashp"].contains(itemClass)
        guard let data else { return .failure(isPassword ? .noData : .notPassword) }
        var record = PasswordRecord(isPassword ? .login : .key, at: "line \(line)")
        record.title = label.isEmpty ? text("svce") : label
        record.account = text("acct")
        record.secret = data
        record.realm = text("sdmn")
        record.created = date("cdat")
        record.changed = date("mdat")
        if let comment = self["icmt"] { record.notes = HeldSecret(copying: comment.span) }
        record.addSite(site)
        addAttributes(to: &record, itemClass: itemClass)
        if itemClass == "genp", text("desc") == "secure note" || text("type") == "note" {
            record.kind = .note
            SecureNote.read(data, to: &record)
        }
        return .success(record)
    }

    private func addAttributes(to record: inout PasswordRecord, itemClass: String) {
        if itemClass == "genp" || itemClass == "inet" {
            record.appleItem = PasswordRecord.AppleItem(itemClass: itemClass, attributes: attributes)
        } else {
            record.losses.append("class \(itemClass.printable); its attributes are in fields")
            for (name, value) in attributes { record.add(name, HeldSecret(copying: value.span)) }
        }
        for (name, text) in invalid {
            record.losses.append("attribute \(name.printable) is malformed; kept as a field")
            record.add(name, text, isHidden: true)
        }
    }

    /// The address of an internet password: its server, with the other parts that are there.
    private var site: String {
        let server = text("srvr")
        guard !server.isEmpty else { return "" }
        let schemes = [
            "http": "http", "htps": "https", "ftp ": "ftp", "ftps": "ftps", "ssh ": "ssh", "smb ": "smb", "afp ": "afp",
            "imap": "imap", "imps": "imaps", "pop3": "pop3", "pops": "pop3s", "smtp": "smtp", "ldap": "ldap",
            "ldps": "ldaps", "teln": "telnet",
        ]
        let scheme = (itemClass == "ashp" ? "afp" : schemes[text("ptcl")]).map { $0 + "://" } ?? ""
        let port = (self["port"] ?? []).suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
        let path = text("path")
        return scheme + server + (port == 0 ? "" : ":\(port)")
            + (path.isEmpty || path.hasPrefix("/") ? path : "/" + path)
    }

    /// A date such as `20260102030405Z` with a NUL character after it.
    private func date(_ name: String) -> Int64? {
        let digits = (self[name] ?? []).filter { $0 != 0 }
        guard digits.count == 15, digits.last == UInt8(ascii: "Z") else { return nil }
        func part(_ range: Range<Int>) -> String { String(decoding: digits[range], as: UTF8.self) }
        let day = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
        return FileDate.iso8601("\(day)T\(part(8..<10)):\(part(10..<12)):\(part(12..<14))Z")
    }
}
