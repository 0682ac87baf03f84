internal import VaultFiles

/// Completes the path of a file, as shells do.
struct PathCompletion {
    /// The directory for which `~` stands.
    let home: String?

    /// The path with the home directory in place of `~`.
    func expanded(_ text: String) -> String {
        guard let home, text == "~" || text.hasPrefix("~/") else { return text }
        return home + text.dropFirst()
    }

    /// Completes `text` as far as only one name is possible, and returns the possible names if there are several.
    func complete(_ text: String) -> (text: String, names: [String]) {
        let start = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (folder, word) = (String(text[..<start]), text[start...])
        let path = folder.isEmpty ? "." : expanded(folder)
        guard let directory = try? LinuxFileSystem.directory(path), let all = try? directory.names() else {
            return (text, [])
        }
        // Hidden files only if the name begins like one.
        let found = all.filter { $0.hasPrefix(word) && (word.hasPrefix(".") || !$0.hasPrefix(".")) }.sorted()
        guard var common = found.first else { return (text, []) }
        for name in found { while !name.hasPrefix(common) { common.removeLast() } }
        guard found.count == 1 else { return (folder + common, found) }
        let isFolder = (try? LinuxFileSystem.directory("\(path)/\(common)")) != nil
        return (folder + common + (isFolder ? "/" : ""), [])
    }
}
