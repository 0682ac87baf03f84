internal import VaultFiles

/// The locations of a vault and of the files that belong to it.
///
/// For a program that a person runs, they are in the home directory; for a service, in its state directory.
///
/// ```swift
/// let locations = VaultLocations.standard
/// locations.vault  // /home/kim/.local/share/coffer/login.coffer
/// ```
public struct VaultLocations: Equatable, Sendable {
    /// The vault of programs that do not name one; nil if its location is unknown.
    public var vault: String?
    /// Whether the vault was named explicitly for this run of the program, so that no other location is used.
    package var isVaultNamed = false
    /// The device key file that a service manager passes as a credential, if any.
    public var deviceCredential: String?
    /// The device key file to use if there is no such credential; nil if its location is unknown.
    public var deviceKey: String?
    /// The directory for what this machine remembers of vaults; nil to remember nothing.
    public var anchors: String?

    /// Creates locations that the program chooses itself.
    public init(vault: String?, deviceCredential: String? = nil, deviceKey: String?, anchors: String?) {
        self.vault = vault
        self.deviceCredential = deviceCredential
        self.deviceKey = deviceKey
        self.anchors = anchors
    }

    /// The locations according to the environment of this process.
    public static var standard: VaultLocations { VaultLocations(ProgramEnvironment()) }

    /// Creates the locations according to an environment.
    package init(_ environment: ProgramEnvironment) {
        let data = Self.dataDirectory(environment)
        let state = environment.directory("XDG_STATE_HOME", inHome: ".local/state")
        // Without a home directory, the state directory from the service manager is used.
        let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        let named = environment["COFFER_VAULT"].flatMap { $0.isEmpty ? nil : $0 }
        isVaultNamed = named != nil
        vault = named ?? (data.map { $0 + "/coffer" } ?? service).map { $0 + "/login.coffer" }
        deviceCredential = environment.credential("coffer.device")
        deviceKey = (state.map { $0 + "/coffer" } ?? service).map { $0 + "/device.key" }
        anchors = (state.map { $0 + "/coffer" } ?? service).map { $0 + "/anchors" }
    }
}

extension VaultLocations {
    /// The directory in which programs keep their data; nil if its location is unknown.
    package static func dataDirectory(_ environment: ProgramEnvironment) -> String? {
        environment.directory("XDG_DATA_HOME", inHome: ".local/share")
    }
}

extension ProgramEnvironment {
    /// The path of a credential from the service manager, if that passes any.
    func credential(_ name: String) -> String? {
        self["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 + "/" + name }
    }

    /// The user groups that may write the file of a vault, by number.
    package var writerGroupIDs: Set<UInt32> {
        Set((self["COFFER_WRITER_GROUPS"] ?? "").split(separator: ",").compactMap { UInt32($0) })
    }

    /// The path of the credential of a grant, if the variable names one, or the service manager passes one.
    func grantPath(_ files: any FileSystem) -> String? {
        if let named = self["COFFER_GRANT_FILE"], !named.isEmpty { return named }
        return credential("coffer.grant").flatMap { files.mayHave($0) ? $0 : nil }
    }

    /// A base directory: the value of the variable if it is an absolute path, else a directory in the home directory.
    fileprivate func directory(_ variable: String, inHome name: String) -> String? {
        if let path = self[variable], path.utf8.first == UInt8(ascii: "/") { return path }
        guard let home = self["HOME"], home.utf8.first == UInt8(ascii: "/") else { return nil }
        return home.utf8.last == UInt8(ascii: "/") ? home + name : home + "/" + name
    }
}
