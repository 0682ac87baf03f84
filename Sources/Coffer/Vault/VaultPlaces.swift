internal import VaultFiles

/// Where things lie that belong to a vault and are not in it.
///
/// A program that is run by a person has its places below the home directory, a service below its state directory.
///
/// ```swift
/// let places = VaultPlaces.standard
/// places.vault  // /home/kim/.local/share/coffer/login.coffer
/// ```
public struct VaultPlaces: Equatable, Sendable {
    /// The vault of programs that name none; nil if nothing tells where it could be.
    public var vault: String?
    /// Whether somebody has named the vault for this run of the program, and so means it and no other place.
    package var isVaultNamed = false
    /// The file of the device key that a service manager passes on, if it passes any.
    public var deviceCredential: String?
    /// The file of the device key, if there is no such credential; nil if nothing tells where it could be.
    public var deviceKey: String?
    /// The directory in which it is remembered how far vaults had come; nil to remember nothing.
    public var anchors: String?

    /// Places that a program chooses by itself.
    public init(vault: String?, deviceCredential: String? = nil, deviceKey: String?, anchors: String?) {
        self.vault = vault
        self.deviceCredential = deviceCredential
        self.deviceKey = deviceKey
        self.anchors = anchors
    }

    /// The places that the environment of this process says.
    public static var standard: VaultPlaces { VaultPlaces(ProgramEnvironment()) }

    /// The places that an environment says.
    package init(_ environment: ProgramEnvironment) {
        let data = Self.dataDirectory(environment)
        let state = environment.directory("XDG_STATE_HOME", inHome: ".local/state")
        // Without a home there is what the service manager has set aside.
        let service = environment["STATE_DIRECTORY"]?.split(separator: ":").first.map(String.init)
        let named = environment["COFFER_VAULT"].flatMap { $0.isEmpty ? nil : $0 }
        isVaultNamed = named != nil
        vault = named ?? (data.map { $0 + "/coffer" } ?? service).map { $0 + "/login.coffer" }
        deviceCredential = environment.credential("coffer.device")
        deviceKey = (state.map { $0 + "/coffer" } ?? service).map { $0 + "/device.key" }
        anchors = (state.map { $0 + "/coffer" } ?? service).map { $0 + "/anchors" }
    }
}

extension VaultPlaces {
    /// The directory in which programs keep their data; nil if nothing tells where it could be.
    package static func dataDirectory(_ environment: ProgramEnvironment) -> String? {
        environment.directory("XDG_DATA_HOME", inHome: ".local/share")
    }
}

extension ProgramEnvironment {
    /// The path of a credential that a service manager passes on, if it passes any on.
    func credential(_ name: String) -> String? {
        self["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 + "/" + name }
    }

    /// A base directory: what the variable says, unless that is relative, else a directory in the home.
    fileprivate func directory(_ variable: String, inHome name: String) -> String? {
        if let path = self[variable], path.utf8.first == UInt8(ascii: "/") { return path }
        guard let home = self["HOME"], home.utf8.first == UInt8(ascii: "/") else { return nil }
        return home.utf8.last == UInt8(ascii: "/") ? home + name : home + "/" + name
    }
}
