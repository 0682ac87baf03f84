internal import CofferBasics

extension Form where Content == NamedFile {
    static var aws: Form {
        Form {
            ["credentials", "config"].contains($0.name) && SectionedFile.matches($0.bytes)
        } read: { file, _ throws(PasswordFileError) in
            try AWSFile.read(file.bytes)
        }
    }
}

/// The files `credentials` and `config` of Amazon Web Services: one record for each profile with a key.
enum AWSFile {
    static func read(_ bytes: FileBytes) throws(PasswordFileError) -> PasswordFile {
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
            throw .unsupported("settings of AWS without a key: import the file `credentials`")
        }
        file.losses += others
        return file
    }
}
