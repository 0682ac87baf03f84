internal import KeyedArchive
package import VaultFiles
internal import VaultFormat

/// The name of the bundle that a program is in.
package enum BundleIdentifier {
    private static let byteCountLimit = 1 << 20

    /// Returns the name in the file `Info.plist` beside a program, where Foundation also looks, or nil.
    ///
    /// - Parameters:
    ///   - executable: The path of the program.
    ///   - files: The files of the machine.
    /// - Returns: The name.
    /// - Throws: ``EntitlementsError`` if the file exists but cannot be used. Without the name in it, the program would
    ///   have another access group, and would not find what it has stored.
    package static func beside(
        _ executable: String,
        _ files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) -> String? {
        let path = executable.directoryAndName.0 + "/Info.plist"
        let bytes: [UInt8]
        do {
            bytes = try Entitlements.content(of: path, upTo: byteCountLimit + 1, files)
        } catch {
            guard error.reason != .notFound else { return nil }
            throw EntitlementsError(error)
        }
        return try EntitlementsError.naming(path) { try list(bytes)["CFBundleIdentifier"]?.string }
    }

    private static func list(_ bytes: [UInt8]) throws -> PropertyList {
        guard bytes.count <= byteCountLimit else { throw EntitlementsError(.tooLarge(limit: byteCountLimit)) }
        return bytes.starts(with: "bplist".utf8) ? try PropertyList(binary: bytes) : try PropertyList(xml: bytes)
    }
}
