import CofferBasics
import KeyedArchive
import TestSupport
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vault after random changes through the store, and what it must hold.
struct StoredVault {
    /// A way to open a vault.
    ///
    /// One with a passphrase is only replaced by another one, since items may depend on it.
    private enum Way: CaseIterable {
        case passphrase
        case passphraseAndKeyFile
        case keyFile
        case recoveryCode
        case device

        var hasPassphrase: Bool { self == .passphrase || self == .passphraseAndKeyFile }
    }

    private static let path = "/vault.coffer"

    private(set) var content: RandomContent
    private var random: SeededGenerator
    private let environment: StoreEnvironment
    private let files = MemoryFiles()
    private let time = ManualTime()
    private let device: DeviceID
    private let deviceKey: [UInt8]
    private let hasDevice: Bool
    private let ways: [Way]
    /// The lines of a vector for the way that opens the vault.
    private var secret = ""

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        environment = StoreEnvironment(files: files, time: time, random: DeterministicRandom(seed: "vault \(seed)"))
        device = DeviceID(environment.random.bytes(16).span)
        deviceKey = environment.random.bytes(32)
        let (hasPassphrase, hasDevice) = (Bool.random(using: &random), Bool.random(using: &random))
        self.hasDevice = hasDevice
        ways = Way.allCases.filter { $0.hasPassphrase == hasPassphrase && ($0 != .device || hasDevice) }
        let protections = ProtectionClass.allCases.filter { protection in
            guard protection.isBoundToDevice else { return true }
            return hasDevice && (hasPassphrase || protection != .whenPasscodeSetThisDeviceOnly)
        }
        content = RandomContent(random: SeededGenerator(seed: seed), protections: protections, device: device)

        var new = try NewVault(environment: environment, argon2Limits: .weak)
        if hasDevice { try new.add(device: device, key: Key(copying: deviceKey.span)) }
        try addWay(to: &new)
        var store = try VaultStore.create(new, at: Self.path, environment: environment)
        for _ in 0..<Int.random(in: 0...40, using: &random) { try change(&store) }
    }

    /// The vault as a vector, without its content.
    func vector(named name: String = "stored") throws -> VaultVector {
        let (directory, file) = try files.locate(Self.path)
        let byteCount = try directory.status(of: file).byteCount
        let bytes = try directory.open(file, for: .reading).bytes(in: 0..<byteCount)
        return try VaultVector(name: name, header: header, bytes: bytes)
    }

    /// The lines of a vector that say how to open the vault.
    var header: String {
        "policy: test\n\(secret)" + (hasDevice ? "device: \(device) \(deviceKey.hexadecimal)\n" : "")
    }

    // MARK: - Keys

    private mutating func addWay(to slots: inout some SlotAccepting) throws {
        let way = ways.randomElement(using: &random) ?? .keyFile
        let passphrase = way.hasPassphrase ? "passphrase \(random.next())" : nil
        let keyFile: [UInt8]? =
            way == .keyFile || way == .passphraseAndKeyFile
            ? environment.random.bytes(.random(in: 32...99, using: &random)) : nil
        secret = passphrase.map { "passphrase: \($0)\n" } ?? ""
        if let keyFile { secret += "keyfile-hex: \(keyFile.hexadecimal)\n" }
        switch way {
        case .passphrase, .passphraseAndKeyFile:
            let parameters = Argon2Parameters(operations: 1, memoryKiB: 8)
            try slots.add(
                passphrase: Array((passphrase ?? "").utf8).span,
                keyFile: keyFile?.span,
                parameters: parameters
            )
        case .keyFile:
            let keyFile = keyFile ?? []
            try slots.add(keyFile: keyFile.span)
        case .recoveryCode:
            let code = try RecoverySecret(random: environment.random)
            try slots.add(recoverySeed: code.seed())
            secret = code.withText { text in "recovery: \(String(decoding: [UInt8](copying: text), as: UTF8.self))\n" }
        case .device: try slots.add(unlockOf: device, key: Key(copying: deviceKey.span))
        }
    }

    private mutating func rotate(_ store: VaultStore) throws {
        var rotation = try store.rotation(argon2Limits: .weak)
        rotation.renewsTeamKey = Bool.random(using: &random)
        try addWay(to: &rotation)
        try store.rotate(to: rotation)
    }

    /// Adds a slot that the vector does not mention.
    private func addSlot(_ store: VaultStore) throws {
        var addition = try store.slotAddition(argon2Limits: .weak)
        try addition.add(keyFile: environment.random.bytes(32).span)
        try store.add(addition)
    }

    // MARK: - Changes

    private mutating func change(_ store: inout VaultStore) throws {
        time.advance(nanoseconds: .random(in: 0...9_000_000_000_000, using: &random))
        switch Int.random(in: 0..<40, using: &random) {
        case 0: try rotate(store)
        case 1: try addSlot(store)
        case 2, 3: try store.compact()
        case 4: try store.compact(.purging(.everything))
        case 5, 6:
            // As another process.
            let vector = try vector()
            store = try VaultStore.open(at: Self.path, environment: environment) { prelude throws(VaultFormatError) in
                try vector.roots(prelude)
            }
        case 7:
            var settings = Settings(revision: 0, values: ["note": .string(.random(using: &random))])
            settings.historyRevisions = Int.random(in: 0...3, using: &random)
            try store.transaction { transaction in try transaction.change(settings) }
        default: try changeItems(store)
        }
    }

    /// One transaction; if a primary key is used twice, it changes nothing.
    private mutating func changeItems(_ store: VaultStore) throws {
        var changed = content
        let count = Int.random(in: 1...4, using: &random)
        do {
            try store.transaction { transaction in
                for _ in 0..<count { try changed.change(&transaction) }
            }
            content = changed
        } catch StoreError.duplicate {
            content.random = changed.random
        }
    }
}
