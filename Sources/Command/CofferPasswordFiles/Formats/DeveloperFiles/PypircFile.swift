internal import CofferBasics

extension Form where Content == NamedFile {
    static var pypirc: Form {
        Form {
            [".pypirc", "pypirc"].contains($0.name)
        } read: { file, _ throws(PasswordFileError) in
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

    static func read(_ bytes: FileBytes) throws(PasswordFileError) -> PasswordFile {
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
            if record.secret?.bytes.withSpan({ $0.contains(UInt8(ascii: "%")) }) == true {
                record.losses.append("the password has a percent sign, which some readers write twice")
            }
            record.add(section.settings)
            try file.append(record)
        }
        for line in sections.invalidLines { try file.refuse("line \(line): expected a setting of a section") }
        return file
    }
}
