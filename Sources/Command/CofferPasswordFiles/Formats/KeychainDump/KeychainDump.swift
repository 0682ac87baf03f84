internal import CofferBasics

extension Form where Content == NamedFile {
    static var keychainDump: Form {
        Form {
            $0.bytes.has("keychain: ".utf8, at: $0.bytes.textStart)
        } read: { file, _ in
            var reader = KeychainDump(file.bytes)
            return try file.bytes.withSpan { bytes in try reader.read(bytes) }
        }
    }
}

/// What `security dump-keychain -d` writes on macOS.
struct KeychainDump {
    private var file: PasswordFile
    private var losses = LossCounter()
    private var lines: LineReader
    private var item: KeychainDumpItem?
    private var hasData = false

    init(_ bytes: HeldSecret) {
        file = PasswordFile(form: "macOS keychain dump", byteCount: bytes.byteCount)
        lines = LineReader(offset: bytes.textStart)
    }

    mutating func read(_ bytes: Span<UInt8>) throws -> PasswordFile {
        while let line = lines.next(bytes) {
            try readLine(bytes.extracting(line), bytes)
        }
        try finishItem()
        guard hasData || file.records.isEmpty && file.refused.isEmpty else {
            throw PasswordFileError.unsupported(
                "a list of a keychain without passwords; write it with `security dump-keychain -d`"
            )
        }
        file.losses += losses.losses
        file.remarks = ["items that iCloud Keychain keeps are not in such a file"]
        return file
    }

    private mutating func readLine(_ line: Span<UInt8>, _ bytes: Span<UInt8>) throws {
        if line.has("keychain: ".utf8) {
            try finishItem()
            item = KeychainDumpItem(line: lines.number)
        } else if line.has("class: ".utf8) {
            item?.setClass(line.extracting(droppingFirst: 7))
        } else if line.has("    ".utf8) {
            item?.addAttribute(line.extracting(droppingFirst: 4))
        } else if line.hasSameBytes(as: "data:".utf8.span) {
            hasData = true
            let value = readValueLine(bytes)
            item?.setData(value)
        } else if line.has("raw data:".utf8) {
            _ = readValueLine(bytes)
            losses.note("raw data of an item")
        } else if line.has("access: ".utf8) {
            losses.note("access control of an item")
            skipIndented(bytes)
        } else if !line.isEmpty, !line.has("version: ".utf8), !line.has("attributes:".utf8),
            !line.has("no access control".utf8)
        {
            losses.note("a line that is not part of a dump")
        }
    }

    /// The value on the next line, if there is one before the next item.
    private mutating func readValueLine(_ bytes: Span<UInt8>) -> KeychainDumpValue {
        guard let line = lines.peek(bytes), !bytes.extracting(line).has("keychain: ".utf8) else { return .empty }
        _ = lines.next(bytes)
        return KeychainDumpValue(bytes.extracting(line))
    }

    private mutating func skipIndented(_ bytes: Span<UInt8>) {
        while let line = lines.peek(bytes), bytes.extracting(line).has(" ".utf8) { _ = lines.next(bytes) }
    }

    private mutating func finishItem() throws {
        guard let item else { return }
        self.item = nil
        switch item.record {
        case .success(let record): try file.append(record)
        case .failure(let problem):
            let label = item.label.isEmpty ? "" : " (\(item.label.printable))"
            try file.refuse("line \(item.line)\(label): \(problem.rawValue)")
        }
    }
}

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

    /// The record of the item, or the reason why it has no record.
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

/// A value in the output of `security dump-keychain`.
enum KeychainDumpValue {
    case null
    case bytes(HeldSecret)
    /// Text that is no value.
    case invalid(HeldSecret)

    static var empty: KeychainDumpValue { .bytes(HeldSecret(text: "")) }

    /// Reads `<NULL>`, text in quotes, or hexadecimal digits with the same text after them; nothing is an empty value.
    init(_ text: Span<UInt8>) {
        let quote = UInt8(ascii: "\"")
        if text.isEmpty {
            self = .empty
        } else if text.hasSameBytes(as: "<NULL>".utf8.span) {
            self = .null
        } else if text[0] == quote {
            // Quotes in the text are not escaped, so it ends at the last one.
            let last = (1..<text.count).last { text[$0] == quote }
            self =
                last.map { .bytes(HeldSecret(copying: text.extracting(1..<$0))) } ?? .invalid(HeldSecret(copying: text))
        } else if text.has("0x".utf8) {
            let end = (2..<text.count).first { text[$0] == UInt8(ascii: " ") } ?? text.count
            let decoded = Encodings.hexadecimal(text.extracting(2..<end))
            self = decoded.map { .bytes($0) } ?? .invalid(HeldSecret(copying: text))
        } else {
            self = .invalid(HeldSecret(copying: text))
        }
    }
}

/// Secure notes of Keychain Access: property lists with the text and, if it has formats, an RTFD archive.
enum SecureNote {
    /// Replaces the secret of `record` by the text of the note; data of another form stay as they are.
    static func read(_ data: HeldSecret, to record: inout PasswordRecord) {
        guard let dictionary = dictionary(in: data) else {
            if data.withSpan({ $0.has("<?xml".utf8) || $0.has("bplist".utf8) }) {
                record.losses.append("the note is not a property list that can be read; its bytes are kept")
            }
            return
        }
        record.secret = nil
        var key = ""
        for element in dictionary.children {
            guard !element.hasName("key") else {
                key = element.text
                continue
            }
            if key == "NOTE", element.hasName("string") {
                record.setSecret(element.secret, orField: key)
            } else if key == "RTFD", element.hasName("data"), let content = element.secret.base64Decoded {
                record.attachments.append(PasswordRecord.Attachment("note.rtfd", content))
            } else {
                record.add(key, element.secret, isHidden: true)
            }
        }
    }

    /// The outermost dictionary of a property list in XML; nil if it is not one.
    ///
    /// The text before `<plist` is skipped, which declares the document type, unless it has declarations of its own.
    private static func dictionary(in data: HeldSecret) -> XMLNode? {
        let list = data.withSpan { bytes -> HeldSecret? in
            guard let start = bytes.indices.first(where: { bytes.has("<plist".utf8, at: $0) }),
                !bytes.extracting(0..<start).contains(UInt8(ascii: "["))
            else { return nil }
            return HeldSecret(copying: bytes.extracting(start..<bytes.count))
        }
        guard let list, let tree = try? XMLTree(list), tree.root.hasName("plist") else { return nil }
        return tree.root["dict"]
    }
}
