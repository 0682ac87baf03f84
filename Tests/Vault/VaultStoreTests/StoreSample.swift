import CofferBasics
import Foundation
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault in a temporary directory, and the roots that open it.
struct StoreSample: Sendable {
    static let group = Array("com.example.app".utf8)

    let path: String
    let environment: StoreEnvironment
    let roots: Keyring.Roots
    let store: VaultStore

    init(
        at path: String,
        files: any FileSystem = LinuxFileSystem(),
        time: any TimeSource = MachineTime(),
        user: UInt32 = CurrentProcess.user,
        machineStart: MachineStart? = .current,
        options: StoreOptions = StoreOptions()
    ) throws {
        self.path = path
        var environment = StoreEnvironment(files: files, time: time, random: try SystemRandom(), user: user)
        environment.machineStart = machineStart
        self.environment = environment
        var new = try NewVault(environment: environment)
        let device = DeviceID(environment.random.bytes(16).span)
        try new.add(device: device, key: try environment.random.key(), opensAll: true)
        roots = new.roots
        store = try VaultStore.create(new, at: path, environment: environment, options: options)
    }

    /// The same vault, opened again as another process would.
    func reopened(options: StoreOptions = StoreOptions()) throws -> VaultStore {
        try VaultStore.open(at: path, environment: environment, options: options) { _ in roots }
    }
}

extension StoreSample {
    /// The content of the file.
    func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }

    /// Replaces the file with another one of these bytes, as restoring a copy does.
    func replaceFile(with bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    /// Appends frames to the file, as anyone with the keys could.
    func append(_ frames: [[Record]]) throws {
        let bytes = try bytes()
        let source = MemorySource(bytes)
        let opening = try VaultOpening(VaultPrelude(of: source), roots: roots, random: environment.random)
        var reader = opening.log(in: source)
        while try reader.next() != nil {}
        var writer = LogWriter(continuing: reader.position, keys: opening.keys)
        var file = Array(bytes[..<reader.position.offset])
        for records in frames { file += try writer.frame(records, time: Time(microseconds: 1)) }
        try replaceFile(with: file)
    }

    /// Writes into the file, as no writer should.
    func overwrite(_ bytes: [UInt8], at offset: Int) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}

/// The attributes of a password.
func login(_ account: String, _ service: String, label: String? = nil) throws -> ItemAttributes {
    var values: CanonicalDictionary<ArchiveValue, ArchiveValue> = ["acct": .string(account), "svce": .string(service)]
    if let label { values["labl"] = .string(label) }
    return try ItemAttributes(.genericPassword, values)
}

/// The attributes of a password, for transactions.
func loginAttributes(_ account: String, _ service: String, label: String? = nil) throws -> ItemAttributes {
    guard let attributes = try? login(account, service, label: label) else { throw StoreError.abandoned }
    return attributes
}

extension Transaction {
    /// Adds a password to `group`; it has no data if `secret` is nil.
    @discardableResult
    mutating func addLogin(
        _ account: String,
        _ service: String,
        _ secret: String?,
        group: [UInt8] = StoreSample.group,
        protection: ProtectionClass = .whenUnlocked,
        owner: DeviceID = .none
    ) throws -> ItemName {
        let bytes = secret.map { Array($0.utf8) }
        return try add(
            try loginAttributes(account, service),
            secret: bytes?.span,
            group: group,
            protection: protection,
            owner: owner
        ).name
    }
}

extension OpenGeneration {
    /// The password of an account, or nil if none exists.
    mutating func password(_ account: String, _ service: String) throws -> String? {
        guard let group = keyring.group(named: StoreSample.group) else { return nil }
        let found = try items(withPrimaryKeyOf: try login(account, service), in: group.group)
        guard let item = found.first, let secret = try secret(of: item) else { return nil }
        return secret.withBytes { bytes in String(decoding: [UInt8](copying: bytes), as: UTF8.self) }
    }
}

extension VaultStore {
    @discardableResult
    func add(_ account: String, _ service: String, _ secret: String?) throws -> ItemName {
        try transaction { transaction in try transaction.addLogin(account, service, secret) }
    }

    func update(
        _ item: StoredItem,
        _ account: String,
        _ service: String,
        secret: String
    ) throws {
        let bytes = Array(secret.utf8)
        try transaction { transaction in
            try transaction.update(
                item,
                attributes: try loginAttributes(account, service),
                secret: .replace(bytes.span)
            )
        }
    }

    func delete(_ item: StoredItem) throws {
        try transaction { transaction in try transaction.delete(item) }
    }

    /// The password item of an account in a group.
    func item(_ account: String, _ service: String, group: [UInt8] = StoreSample.group) throws -> StoredItem? {
        try read { vault in
            guard let group = vault.keyring.group(named: group) else { return nil }
            return try vault.items(withPrimaryKeyOf: try loginAttributes(account, service), in: group.group).first
        }
    }

    func attributes(of item: StoredItem) throws -> ItemAttributes {
        try read { vault in try vault.attributes(of: item) }
    }

    /// The data of an item as text, or nil if it has none.
    func text(of item: StoredItem) throws -> String? {
        try read { vault in try vault.secret(of: item).text }
    }

    /// The password of an account, or nil if none exists.
    func password(_ account: String, _ service: String) throws -> String? {
        try read { vault in
            try vault.password(account, service)
        }
    }

    /// All passwords: account, service and secret.
    func passwords() throws -> [String] {
        try read { vault in
            var lines: [String] = []
            for item in try vault.items(in: vault.keyring.group(named: StoreSample.group)?.group ?? .none) {
                let attributes = try vault.attributes(of: item)
                let secret = try vault.secret(of: item)
                let text = secret?.withBytes { bytes in String(decoding: [UInt8](copying: bytes), as: UTF8.self)
                }
                lines.append("\(attributes["acct"]?.string ?? "") \(attributes["svce"]?.string ?? "") \(text ?? "-")")
            }
            return lines
        }
    }
}

extension Optional where Wrapped: ~Copyable, Wrapped == Secret {
    /// The data as text, or nil if none exists.
    var text: String? {
        switch self {
        case .some(let secret):
            secret.withBytes { bytes in String(decoding: [UInt8](copying: bytes), as: UTF8.self) }
        case .none: nil
        }
    }
}
