import TestSupport
import VaultFiles

extension SimulatedDisk {
    /// The file with a name in `/`, opened by whoever calls.
    func open(_ name: String, for access: FileAccess = .writing) throws(FileError) -> any OpenFile {
        try root.open(name, for: access)
    }

    func create(_ name: String) throws(FileError) -> any OpenFile { try root.create(name) }

    /// The directory `/`, without a call that succeeds or fails being of interest.
    var root: any OpenDirectory {
        get throws(FileError) { try locate("/any").directory }
    }

    /// One character for each `byteCount` bytes of the file: a dot for zeros, the byte where all are the same, else "?".
    func picture(_ path: String, by byteCount: Int = 512) -> String? {
        content(of: path)?.picture(by: byteCount)
    }
}

extension [UInt8] {
    /// So many bytes, all of them this letter.
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
    /// What the file may look like, each state once; "none" if it does not exist.
    func pictures(_ path: String, by byteCount: Int = 512) -> Set<String> {
        Set(map { $0.makeDisk().picture(path, by: byteCount) ?? "none" })
    }

    /// What some files may look like together.
    func pictures(_ paths: [String]) -> Set<[String]> {
        Set(
            map { state in
                let disk = state.makeDisk()
                return paths.map { disk.picture($0) ?? "none" }
            }
        )
    }
}
