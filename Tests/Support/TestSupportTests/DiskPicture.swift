import TestSupport
import VaultFiles

extension SimulatedDisk {
    /// Opens the file with this name in `/`.
    func open(_ name: String, for access: FileAccess = .writing) throws(FileError) -> any OpenFile {
        try root.open(name, for: access)
    }

    func create(_ name: String) throws(FileError) -> any OpenFile { try root.create(name) }

    /// The directory `/`, for tests that do not care about the call that finds it.
    var root: any OpenDirectory {
        get throws(FileError) { try locate("/any").directory }
    }

    /// Returns one character for each `byteCount` bytes of the file: a dot for zeros, the byte if all are the same, or
    /// "?".
    func picture(_ path: String, by byteCount: Int = 512) -> String? {
        content(of: path)?.picture(by: byteCount)
    }
}

extension [UInt8] {
    /// Makes this many bytes, all equal to the letter.
    init(_ letter: Character, _ count: Int) {
        self.init(repeating: letter.asciiValue ?? 0, count: count)
    }

    fileprivate func picture(by byteCount: Int) -> String {
        var picture = ""
        for start in stride(from: 0, to: count, by: byteCount) {
            let bytes = Set(self[start..<Swift.min(count, start + byteCount)])
            let byte = bytes.count == 1 ? bytes.first ?? 0 : UInt8(ascii: "?")
            picture += byte == 0 ? "." : String(UnicodeScalar(byte))
        }
        return picture
    }
}

extension OpenFile {
    func write(_ letter: Character, _ count: Int, at offset: Int) throws(FileError) {
        try writeAll([UInt8](letter, count).span, at: offset)
    }
}

extension PowerLossStates {
    /// Returns the possible pictures of the file, each once; "none" if it does not exist.
    func pictures(_ path: String, by byteCount: Int = 512) -> Set<String> {
        Set(map { $0.makeDisk().picture(path, by: byteCount) ?? "none" })
    }

    /// Returns the possible combinations of pictures of several files.
    func pictures(_ paths: [String]) -> Set<[String]> {
        Set(
            map { state in
                let disk = state.makeDisk()
                return paths.map { disk.picture($0) ?? "none" }
            }
        )
    }
}
