internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The key of this machine: section 12.1 of the format.
struct DeviceKey: Sendable {
    let device: DeviceID
    let key: Key
    let source: UnlockSource
}

extension DeviceKey {
    /// Returns the key of this machine, or nil if it has none.
    ///
    /// - Throws: ``VaultError`` if the file exists but cannot be used; it is never replaced.
    static func found(
        at locations: VaultLocations,
        environment: StoreEnvironment,
        warnings: inout [String]
    ) throws -> DeviceKey? {
        // The credential is named by whoever starts the program, and container managers may create it as a link.
        if let path = locations.deviceCredential {
            let found = try read(path, environment) {
                let (directory, name) = try environment.files.locate(path)
                return try directory.open(name, for: .reading)
            }
            if let found { return found.key }
        }
        guard let path = locations.deviceKey else { return nil }
        let found = try read(path, environment) {
            let (parent, name) = path.directoryAndName
            let directory = try environment.files.trustedDirectory(parent)
            return try directory.openTrusted(name, for: .reading, user: environment.user)
        }
        guard let found else { return nil }
        warnings += try accessWarnings(found.status, path, environment)
        return found.key
    }

    /// Returns the key of this machine, creating one if it has none.
    static func findOrCreate(
        at locations: VaultLocations,
        environment: StoreEnvironment,
        warnings: inout [String]
    ) throws -> DeviceKey {
        if let key = try found(at: locations, environment: environment, warnings: &warnings) { return key }
        guard let path = locations.deviceKey else { throw VaultError.noLocation("the device key") }
        let key = try environment.random.key()
        let file = DeviceKeyFile(device: environment.random.identifier(), key: key)
        do {
            try file.withText { text in try write(text, to: path, environment) }
        } catch let error as FileError where error.reason == .alreadyExists {
            // If two programs create the key at the same time, only one succeeds.
            let key = try found(at: locations, environment: environment, warnings: &warnings)
            guard let key else { throw error }
            return key
        }
        return DeviceKey(device: file.device, key: key, source: .deviceKey(path: path))
    }

    private static func write(
        _ text: Span<UInt8>,
        to path: String,
        _ environment: StoreEnvironment
    ) throws(FileError) {
        let (parent, name) = path.directoryAndName
        let directory = try environment.files.makeDirectory(parent)
        let random = environment.random.number()
        try DurableFile.create(name, text, in: directory, random: random)
    }

    private static func read(
        _ path: String,
        _ environment: StoreEnvironment,
        _ open: () throws -> any OpenFile
    ) throws -> (key: DeviceKey, status: FileStatus)? {
        let content: Passphrase?
        let status: FileStatus
        do {
            let file = try open()
            status = try file.status()
            guard status.isRegular else { throw FileError(.read, path, reason: .notARegularFile) }
            content = try .reading(atMost: DeviceKeyFile.byteCountLimit, droppingNewline: false) { bytes in
                try file.read(filling: &bytes, at: 0)
            }
        } catch let error as FileError {
            switch error.reason {
            case .notFound, .notADirectory: return nil
            // A file of another kind says nothing about the vault.
            case .notARegularFile: throw VaultError(kind: .unavailable, description: "\(error)")
            default: throw error
            }
        }
        do {
            guard let content else { throw KeyFileError.tooLarge(byteCount: DeviceKeyFile.byteCountLimit + 1) }
            let file = try content.withBytes { text in try DeviceKeyFile(parsing: text) }
            return (DeviceKey(device: file.device, key: file.key, source: .deviceKey(path: path)), status)
        } catch let error as KeyFileError {
            throw VaultError(error, deviceKeyAt: path)
        }
    }

    /// Returns warnings about access to the file; throws if other users can replace the key.
    private static func accessWarnings(
        _ status: FileStatus,
        _ path: String,
        _ environment: StoreEnvironment
    ) throws(VaultError) -> [String] {
        let access = AccessReport(of: status, reader: environment.user, writerGroupIDs: [])
        let findings = access.findings.map { $0.description(of: path) }
        guard !access.refusesWriting else {
            throw VaultError(kind: .unavailable, description: findings.joined(separator: "\n"))
        }
        return findings
    }
}

/// The state of the key of this machine.
package enum DeviceKeyState: Sendable {
    /// There is no key; `path` is where it would be, if that is known.
    case absent(path: String?)
    /// There is a key, possibly with warnings.
    case found(path: String, device: String, warnings: [String])
    /// There is a file that cannot be used.
    case unusable(VaultError)

    /// Determines the state on this machine, without creating a key.
    package init(_ options: VaultOptions) {
        do {
            var warnings: [String] = []
            let environment = try options.storeEnvironment()
            let key = try DeviceKey.found(at: options.locations, environment: environment, warnings: &warnings)
            guard let key, case .deviceKey(let path) = key.source else {
                self = .absent(path: options.locations.deviceKey)
                return
            }
            self = .found(path: path, device: key.device.description, warnings: warnings)
        } catch {
            self = .unusable(VaultError(error))
        }
    }
}
