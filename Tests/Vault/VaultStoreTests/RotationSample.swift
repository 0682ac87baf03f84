import CofferBasics
import Foundation
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault of two machines, with or without a passphrase, and what opens it on each.
struct RotationSample: Sendable {
    static let device = DeviceID([UInt8](repeating: 0x71, count: 16).span)
    static let otherDevice = DeviceID([UInt8](repeating: 0x91, count: 16).span)
    static let passphrase = "first passphrase"
    static let weak = Argon2Parameters(operations: 1, memoryKiB: 8)

    let path: String
    let environment: StoreEnvironment
    let keys: [DeviceID: Key]

    init(named name: String = "vault.coffer", hasPassphrase: Bool = true, files: any FileSystem = LinuxFileSystem())
        throws
    {
        path = try TemporaryDirectory.current.appending(path: name).path
        environment = StoreEnvironment(files: files, random: try SystemRandom())
        keys = [Self.device: try environment.random.key(), Self.otherDevice: try environment.random.key()]
        var new = try NewVault(environment: environment, argon2Limits: .weak)
        if hasPassphrase { try new.add(passphrase: Array(Self.passphrase.utf8).span, parameters: Self.weak) }
        for (device, key) in keys { try new.add(device: device, key: key, opensAll: !hasPassphrase) }
        _ = try VaultStore.create(new, at: path, environment: environment)
    }

    /// Returns the vault, opened with these secrets on these machines.
    func opened(
        _ passphrase: String? = RotationSample.passphrase,
        on devices: [DeviceID] = [RotationSample.device],
        keyFile: [UInt8]? = nil,
        recovery: Key? = nil,
        options: StoreOptions = StoreOptions()
    ) throws -> VaultStore {
        let bytes = passphrase.map { Array($0.utf8) }
        let keys = keys.filter { devices.contains($0.key) }
        return try VaultStore.open(at: path, environment: environment, options: options) {
            prelude throws(VaultFormatError) in
            try prelude.roots(
                passphrase: bytes?.span,
                keyFile: keyFile?.span,
                recovery: recovery,
                deviceKeys: keys,
                limits: .weak,
                availableByteCount: nil
            )
        }
    }

    /// Whether these open the vault.
    func opens(_ passphrase: String?, on devices: [DeviceID] = [], keyFile: [UInt8]? = nil) throws -> Bool {
        do {
            return try opened(passphrase, on: devices, keyFile: keyFile).isUnlocked
        } catch StoreError.vault(.noMatch, _), StoreError.vault(.deviceKeyNeeded, _) {
            return false
        }
    }

    func keybag() throws -> Keybag {
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        return try VaultPrelude(of: MemorySource(bytes)).keybag
    }
}

extension VaultStore {
    /// Changes the passphrase, and what `body` changes in the rotation.
    @discardableResult
    func changePassphrase(
        to passphrase: String,
        _ body: (inout Rotation) throws -> Void = { _ in }
    ) throws -> RotationReport {
        var rotation = try rotation(argon2Limits: .weak)
        try rotation.add(passphrase: Array(passphrase.utf8).span, parameters: RotationSample.weak)
        try body(&rotation)
        return try rotate(to: rotation)
    }

    /// Everything that the open vault says about its items: their current state, and their state after each
    /// transaction.
    func inventory() throws -> [String] {
        try read { vault in
            var lines: [String] = []
            // The content of a revision is the same at each moment.
            var seen: Set<Revision> = []
            let groups = vault.groupNames.sorted { $0.value.lexicographicallyPrecedes($1.value) }
            for (group, name) in groups {
                lines.append("group \(group) \(String(decoding: name, as: UTF8.self))")
                for item in try vault.items(in: group) { try lines.append(vault.line(about: item)) }
                for sequence in 0...vault.position.sequence {
                    let past = try vault.items(in: group, at: .sequence(sequence))
                    lines.append("after \(sequence): \(past.isComplete)")
                    for item in past.items {
                        let isNew = seen.insert(item.revision).inserted
                        try lines.append(isNew ? vault.line(about: item) : item.head)
                    }
                }
            }
            return lines
        }
    }
}

extension OpenGeneration {
    fileprivate mutating func line(about item: StoredItem) throws -> String {
        let head =
            "\(item.name) \(item.revision) \(item.itemClass) \(item.flags) \(item.order) \(item.protection) "
            + "\(item.written)"
        guard item.presence == .readable else { return "\(head) \(item.presence)" }
        let attributes = try attributes(of: item)
        return "\(head) \(attributes.lines) \(try secret(of: item).text ?? "no data")"
    }

    fileprivate mutating func line(about past: PastRevision) throws -> String {
        guard keyring.presence(of: past.dataKey) == .readable else { return past.head }
        return "\(past.head) \(try attributes(of: past).lines) \(try secret(of: past).text ?? "no data")"
    }
}

extension PastRevision {
    fileprivate var head: String {
        let moments = "\(written) \(ended.map { "\($0)" } ?? "-")"
        return "  \(name) \(revision) \(itemClass) \(order) \(moments)"
    }
}

extension ItemAttributes {
    fileprivate var lines: String { values.map { "\($0)=\($1)" }.sorted().joined(separator: ",") }
}
