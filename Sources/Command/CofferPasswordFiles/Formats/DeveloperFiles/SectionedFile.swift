internal import CofferBasics

/// A file of sections with settings, as Python and others read them.
///
/// A line that begins with `#` or `;` is a comment. A line that is indented more than the setting before it belongs to that
/// setting, and becomes another one of its name.
struct SectionedFile {
    /// A section with its settings, in the order of the file.
    struct Section {
        let name: String
        let line: Int
        var settings: [(name: String, value: HeldSecret)] = []

        /// Removes the first setting of this name, and returns its value.
        mutating func take(_ name: String) -> HeldSecret? {
            guard let index = settings.firstIndex(where: { $0.name == name }) else { return nil }
            return settings.remove(at: index).value
        }
    }

    private(set) var sections: [Section] = []
    /// Lines that are not settings of a section, with their numbers.
    private(set) var invalidLines: [Int] = []
    /// How far the last setting is indented.
    private var indentation = 0

    /// Whether the first line that is not a comment is `[section]`.
    static func matches(_ bytes: HeldSecret) -> Bool {
        bytes.withSpan { span in
            var lines = LineReader(offset: bytes.textStart)
            while let line = lines.next(span) {
                let line = span.trimmed(line)
                guard let first = line.first, let last = line.last, !span[first].isCommentMark else { continue }
                let name = span.extracting(line)
                // A list of JSON has quotes or braces.
                return span[first] == UInt8(ascii: "[") && span[last] == UInt8(ascii: "]")
                    && !name.contains(UInt8(ascii: "\"")) && !name.contains(UInt8(ascii: "{")) && line.count > 2
            }
            return false
        }
    }

    init(_ bytes: HeldSecret) throws {
        try bytes.checkUTF8()
        try bytes.withSpan { span in
            var lines = LineReader(offset: bytes.textStart)
            while let line = lines.next(span) { try read(line, number: lines.number, span) }
        }
    }

    private mutating func read(_ line: Range<Int>, number: Int, _ bytes: Span<UInt8>) throws {
        let text = bytes.trimmed(line)
        guard let first = text.first, !bytes[first].isCommentMark else { return }
        guard sections.count < PasswordFile.recordCountLimit else {
            throw PasswordFileError.tooLarge("the file has more than \(PasswordFile.recordCountLimit) sections")
        }
        if bytes[first] == UInt8(ascii: "["), let end = text.first(where: { bytes[$0] == UInt8(ascii: "]") }) {
            sections.append(Section(name: bytes.extracting(first + 1..<end).text.trimmed, line: number))
            return
        }
        guard !sections.isEmpty else { return invalidLines.append(number) }
        let last = sections.count - 1
        let indentation = first - line.lowerBound
        if indentation > self.indentation, let setting = sections[last].settings.last {
            sections[last].settings.append((setting.name, HeldSecret(copying: bytes.extracting(text))))
        } else if let equal = text.first(where: { bytes[$0] == UInt8(ascii: "=") || bytes[$0] == UInt8(ascii: ":") }) {
            self.indentation = indentation
            let name = bytes.extracting(bytes.trimmed(text.lowerBound..<equal)).text
            let value = bytes.extracting(bytes.trimmed(equal + 1..<text.upperBound))
            sections[last].settings.append((name.lowercased(), HeldSecret(copying: value)))
        } else {
            invalidLines.append(number)
        }
    }
}

extension PasswordRecord {
    /// Adds the settings of a section as fields, hidden if one may be a second password or key.
    mutating func add(_ settings: [(name: String, value: HeldSecret)]) {
        let secretNames = ["password", "secret", "token", "key"]
        for (name, value) in settings {
            // Many lines may continue one setting, and all have its name.
            add(name, value, isHidden: name.isLong || secretNames.contains { name.contains(text: $0) })
        }
    }
}

extension UInt8 {
    /// Whether the byte begins a comment in a file of settings.
    var isCommentMark: Bool { self == UInt8(ascii: "#") || self == UInt8(ascii: ";") }
}

extension Form where Content == NamedFile {
    static var aws: Form {
        Form {
            ["credentials", "config"].contains($0.name) && SectionedFile.matches($0.bytes)
        } read: { file, _ in
            try AWSFile.read(file.bytes)
        }
    }
}

/// The files `credentials` and `config` of Amazon Web Services: one record for each profile with a key.
enum AWSFile {
    static func read(_ bytes: HeldSecret) throws -> PasswordFile {
        let sections = try SectionedFile(bytes)
        var file = PasswordFile(form: "AWS credentials", byteCount: bytes.byteCount)
        var others: [String] = []
        for section in sections.sections {
            var section = section
            // The file `config` has `[profile NAME]`, and sections of other kinds.
            let profile =
                section.name.hasPrefix("profile ") ? section.name.dropFirst("profile ".count).trimmed : section.name
            var record = PasswordRecord(.other, at: "line \(section.line)")
            record.title = "aws:" + profile
            record.account = section.take("aws_access_key_id")?.text ?? ""
            record.secret = section.take("aws_secret_access_key")
            record.add("aws_session_token", section.take("aws_session_token"), isHidden: true)
            guard record.secret != nil || !record.account.isEmpty || !record.fields.isEmpty else {
                others.append("[\(section.name.printable)] without a key")
                continue
            }
            record.add(section.settings)
            try file.append(record)
        }
        for line in sections.invalidLines { try file.refuse("line \(line): expected a setting of a section") }
        guard !file.records.isEmpty || !file.refused.isEmpty else {
            throw PasswordFileError.unsupported("settings of AWS without a key: import the file `credentials`")
        }
        file.losses += others
        return file
    }
}

extension Form where Content == NamedFile {
    static var pypirc: Form {
        Form {
            [".pypirc", "pypirc"].contains($0.name)
        } read: { file, _ in
            try PypircFile.read(file.bytes)
        }
    }
}

/// Python's `.pypirc`: one record for each package index.
enum PypircFile {
    // The indexes that need no address.
    private static let addresses = [
        "pypi": "https://upload.pypi.org/legacy/", "testpypi": "https://test.pypi.org/legacy/",
    ]

    static func read(_ bytes: HeldSecret) throws -> PasswordFile {
        let sections = try SectionedFile(bytes)
        var file = PasswordFile(form: "pypirc", byteCount: bytes.byteCount)
        // The list of the other sections.
        for section in sections.sections where section.name != "distutils" {
            var section = section
            var record = PasswordRecord(at: "line \(section.line)")
            record.title = section.name
            record.addSite(section.take("repository")?.text ?? addresses[section.name.lowercased()])
            record.account = section.take("username")?.text ?? ""
            record.secret = section.take("password")
            if record.secret?.withSpan({ $0.contains(UInt8(ascii: "%")) }) == true {
                record.losses.append("the password has a percent sign, which some readers write twice")
            }
            record.add(section.settings)
            try file.append(record)
        }
        for line in sections.invalidLines { try file.refuse("line \(line): expected a setting of a section") }
        return file
    }
}
