import CofferBasics
import CofferPasswordFiles

extension Fuzz {
    /// The first byte chooses the reader; what is read must be decodable, and codes must be written as they were read.
    static func passwordFile(_ input: [UInt8]) {
        guard let choice = input.first else { return }
        let bytes = Array(input.dropFirst())
        let file = HeldSecret(copying: bytes.span)
        switch choice {
        case UInt8(ascii: "j"): if let tree = try? JSONTree(file) { readAll(of: tree.root) }
        case UInt8(ascii: "x"): if let tree = try? XMLTree(file) { readAll(of: tree.root) }
        case UInt8(ascii: "c"): if let table = try? CSVTable(file) { readAll(of: table) }
        case UInt8(ascii: "z"): if let archive = try? ZipArchive(file) { readAll(of: archive) }
        case UInt8(ascii: "g"): _ = try? Gzip.inflated(bytes.span, limit: 1 << 20)
        case UInt8(ascii: "o"): readOneTimePassword(bytes)
        case UInt8(ascii: "e"): readExport(file)
        case UInt8(ascii: "d"):
            for name in [".netrc", ".env", "credentials", ".git-credentials", ".npmrc", ".pypirc"] {
                _ = try? PasswordFile.read(file, name: name)
            }
        default: _ = try? PasswordFile.read(file, name: "file")
        }
    }
}

private func readAll(of node: JSONNode) {
    _ = (node.secret, node.source, node.integer, node.isTrue)
    for element in node.elements { readAll(of: element) }
    for member in node.members { readAll(of: member.value) }
}

private func readAll(of node: XMLNode) {
    _ = (node.secret, node.name, node.attribute("ID"))
    for child in node.children { readAll(of: child) }
}

private func readAll(of table: CSVTable) {
    for row in table.rows {
        for column in table.header.indices { _ = row[column]?.secret }
    }
}

private func readAll(of archive: ZipArchive) {
    for entry in archive.entries {
        let content = try? archive.content(of: entry)
        precondition(content?.byteCount ?? entry.byteCount == entry.byteCount, "an entry has another size")
    }
}

private func readExport(_ file: HeldSecret) {
    guard let tree = try? JSONTree(file), let export = try? ExportFile(tree) else { return }
    for index in 0..<export.itemCount { _ = try? export.item(at: index) }
}

private func readOneTimePassword(_ bytes: [UInt8]) {
    guard let generator = try? OneTimePasswordURI(bytes.span) else { return }
    let text = generator.text
    let again = text.withSpan { try? OneTimePasswordURI($0) }
    precondition(again?.text == text, "a written code is read as another one")
}
