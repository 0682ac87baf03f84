internal import KeyedArchive
package import VaultFiles

/// The name of the bundle that a program is in.
package enum BundleIdentifier {
    private static let byteCountLimit = 1 << 20

    /// The name that the file `Info.plist` beside a program gives, as Foundation reads it; nil if there is none.
    package static func beside(_ executable: String, _ files: any FileSystem = LinuxFileSystem()) -> String? {
        guard let bytes = try? infoList(beside: executable, files), bytes.count <= byteCountLimit else { return nil }
        let isBinary = bytes.starts(with: "bplist".utf8)
        guard let list = isBinary ? try? PropertyList(binary: bytes) : try? PropertyList(xml: bytes),
            case .dictionary(let info) = list
        else { return nil }
        return info["CFBundleIdentifier"]?.string
    }

    private static func infoList(beside executable: String, _ files: any FileSystem) throws(FileError) -> [UInt8] {
        let (directory, _) = try files.locate(executable)
        let file = try directory.open("Info.plist", for: .reading)
        guard try file.status().isRegular else { throw FileError(.read, executable, reason: .notARegularFile) }
        return try file.bytes(in: 0..<byteCountLimit + 1)
    }
}
