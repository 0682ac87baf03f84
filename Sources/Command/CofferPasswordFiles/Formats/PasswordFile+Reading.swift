package import CofferBasics

extension PasswordFile {
    /// Reads a password file of whatever form.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The name of the file without its folder, by which some forms are recognized.
    ///   - options: What the user says about the file.
    /// - Returns: The records that could be read, and what could not.
    /// - Throws: `PasswordFileError` if the form is unknown, or the file cannot be read at all.
    package static func read(
        _ bytes: HeldSecret,
        name: String,
        options: ReadingOptions = ReadingOptions()
    ) throws(PasswordFileError) -> PasswordFile {
        try PasswordFileError.converting { try read(bytes, named: name, options) }
    }

    private static func read(_ bytes: HeldSecret, named name: String, _ options: ReadingOptions) throws -> PasswordFile
    {
        guard bytes.byteCount <= HeldSecret.byteCountLimit else {
            throw PasswordFileError.tooLarge("the file has more than 1 GiB")
        }
        if ZipArchive.matches(bytes) {
            let archive = try ZipArchive(bytes)
            return try read(archive, Form<ZipArchive>.all, options)
        }
        try refuseUnreadable(bytes)
        let bytes = try bytes.convertedFromUTF16()
        guard let start = bytes.firstVisibleOffset else { throw PasswordFileError.invalid("the file is empty") }
        let file = NamedFile(bytes: bytes, name: name)
        // First of all: a file of sections begins with a bracket too, and one of docker is JSON.
        if let form = Form<NamedFile>.all.first(where: { $0.matches(file) }) { return try form.read(file, options) }
        switch bytes.withSpan({ $0[start] }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let tree = try JSONTree(bytes)
            var file = try read(tree.root, Form<JSONNode>.all, options)
            file.noteDuplicateKeys(of: tree)
            return file
        case UInt8(ascii: "<"):
            let tree = try XMLTree(bytes)
            return try read(tree.root, Form<XMLNode>.all, options)
        default:
            let table = try CSVTable(bytes)
            if let columns = options.columns { return try read(table, columns) }
            return try read(table, Form<CSVTable>.all, options)
        }
    }

    private static func read<Content>(
        _ content: Content,
        _ forms: [Form<Content>],
        _ options: ReadingOptions
    ) throws -> PasswordFile {
        guard let form = forms.first(where: { $0.matches(content) }) else { throw PasswordFileError.unknownForm }
        return try form.read(content, options)
    }

    /// Refuses files of which it is known that they cannot be read, and says what to do.
    private static func refuseUnreadable(_ bytes: HeldSecret) throws {
        if bytes.has([0x03, 0xD9, 0xA2, 0x9A]) {
            throw PasswordFileError.unsupported("a database of KeePass; export it as XML, and import that file")
        }
        if bytes.has("-----BEGIN PGP MESSAGE".utf8) {
            throw PasswordFileError.unsupported(
                "encrypted with OpenPGP; decrypt it with `gpg --decrypt`, and import the result"
            )
        }
        if bytes.has("***5642bee8-a5ff-11dc-8314-0800200c9a66***".utf8, at: bytes.firstLineEnd + 1) {
            throw PasswordFileError.unsupported("an export of 1Password 7 (1PIF); export it as 1PUX or CSV")
        }
    }
}

extension HeldSecret {
    /// The offset of the first newline; the end of the file if there is none.
    fileprivate var firstLineEnd: Int {
        withSpan { bytes in bytes.indices.first { bytes[$0] == UInt8(ascii: "\n") } ?? bytes.count }
    }
}
