import Coffer
import CofferBasics
import CofferSecurity
import Foundation
import Testing
import TestSupport
import VaultCrypto
import VaultFormat
import VaultStore

/// The memory of a program that has locked or closed its vault.
///
/// The test searches for the keys that it gets by opening the same vault itself.
@Suite("Memory", .temporaryDirectory) struct MemoryTests {
    private static let passphrase = "a passphrase that stands nowhere else"

    private let sample: VaultSample
    private let program: WorkerProcess
    private let secrets: [String: [UInt8]]

    init() throws {
        sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase(Self.passphrase)))
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        var secrets: [String: [UInt8]] = [:]
        for protection in ["ak", "ck", "dk", "aku", "cku", "dku"] {
            let secret = vault.store.environment.random.bytes(40)
            try keychain.add([
                "class": "genp", "acct": .string(protection), "pdmn": .string(protection), "v_Data": .data(secret),
            ])
            secrets["secret of \(protection)"] = secret
        }
        self.secrets = try Self.secrets(of: vault, sample).merging(secrets) { $1 }
        program = try WorkerProcess("KeychainWorker")
    }

    private static func secrets(of vault: Vault, _ sample: VaultSample) throws -> [String: [UInt8]] {
        var secrets = ["passphrase": Array(passphrase.utf8)]
        func add(_ name: String, _ key: Key) {
            secrets[name] = key.withBytes { bytes in [UInt8](copying: bytes) }
        }
        let (keyring, held, cipher) = try vault.store.read { vault in
            (vault.opening.keyring, vault.opening.heldKeys, vault.cipher)
        }
        if let root = keyring.roots.user?.key { add("user root", root) }
        for root in keyring.roots.devices.values { add("device root", root) }
        add("structure key", held.structureKey.key)
        for key in held.matchKeys.values { add("match key", key) }
        for (name, key) in held.classKeys { add("class key \(name.protection)", key) }
        for (handle, key) in keyring.dataKeys {
            let protection = try #require(keyring.dataKeyEntries[handle]?.protection)
            let keys = try DataKeys(key, cipher: cipher)
            add("data key \(protection)", key)
            add("metadata key \(protection)", keys.metadata)
            add("secret key \(protection)", keys.secret)
        }
        let file = try Data(contentsOf: URL(filePath: sample.locations.deviceKey ?? ""))
        add("device key", try DeviceKeyFile(parsing: Array(file).span).key)
        return secrets
    }

    private func open(with passphraseFile: String? = nil) throws -> String {
        let state = sample.directory.appending(path: "state").path
        guard let passphraseFile else { return try program.answer(to: "open", sample.path, state, "com.example.mail") }
        return try program.answer(to: "open", sample.path, state, "com.example.mail", passphraseFile)
    }

    private func found() throws -> Set<String> { try MemoryImage(of: program.number).found(secrets) }

    @Test func `the search finds the keys of an open vault`() throws {
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        #expect(try program.answer(to: "count") == "6")
        let found = try found()
        for name in ["user root", "structure key", "match key", "class key whenUnlocked", "data key whenUnlocked"] {
            #expect(found.contains(name), "\(name)")
        }
    }

    @Test(arguments: [false, true]) func `a secret is wiped after it has been read`(isCompacted: Bool) async throws {
        if isCompacted {
            let vault = try sample.opened(with: .passphrase(Self.passphrase))
            _ = try await vault.compaction().report()
        }
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        for protection in ["ak", "ck", "dk", "aku", "cku", "dku"] {
            #expect(try program.answer(to: "read", protection) == "40")
        }
        #expect(try found().filter { $0.hasPrefix("secret of ") } == [])
        #expect(try program.answer(to: "hold", "ak") == "40")
        #expect(try found().filter { $0.hasPrefix("secret of ") } == ["secret of ak"])
    }

    // The program has the text, which nobody can wipe: any other copy would stay in memory for as long as it likes.
    @Test func `a password that is handed out as text is in memory once`() throws {
        let text = String((0..<4_000).map { _ in Character(UnicodeScalar(UInt8.random(in: 97...122))) })
        do {
            let vault = try sample.opened(with: .passphrase(Self.passphrase))
            let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
            try keychain.passwords(service: "text").set(text, for: "kim")
        }
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        #expect(try program.answer(to: "text", "kim") == "4000")
        // Released memory keeps its end, while its beginning is used to manage it.
        #expect(try MemoryImage(of: program.number).count(of: Array(text.utf8.suffix(40))) == 1)
    }

    @Test(arguments: [
        ["add"], ["addReturning"], ["add", "update"], ["add", "read"], ["add", "readAll"], ["add", "readNothing"],
    ])
    func `no call of SecItem leaves a copy of a secret`(calls: [String]) throws {
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        // Released memory keeps its end, while its beginning is used to manage it.
        var ends: [String: [UInt8]] = [:]
        var file = ""
        for call in calls {
            // A reading call gets the data that it must find.
            if !call.hasPrefix("read") {
                let secret: [UInt8] = (0..<4_000).map { _ in .random(in: 0...255) }
                file = try sample.file(call, Data(secret))
                ends[call] = secret.suffix(40)
            }
            #expect(try program.answer(to: "SecItem", call, file) == "0")
        }
        #expect(try MemoryImage(of: program.number).found(ends) == [])
    }

    /// Foundation copies the data into an array, so the memory of a program reveals nothing here.
    @Test func `an answer about several items is wiped`() throws {
        var addresses: [UInt] = []
        func data() -> [UInt8] {
            let bytes = [UInt8](repeating: 7, count: 4_000)
            addresses.append(bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) })
            return bytes
        }
        var answer = ItemAnswer.list([.data(data()), .list([.data(data())])])
        answer.wipe()
        for address in addresses {
            #expect(try ProcessMemory.bytes(at: address, count: 4_000).filter { $0 == 7 }.count < 1_000)
        }
    }

    @Test func `a passphrase is wiped once the vault is open`() throws {
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        #expect(try !found().contains("passphrase"))
    }

    @Test func `a locked vault has no keys of locked items in memory`() throws {
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        #expect(try program.answer(to: "count") == "6")
        #expect(try program.answer(to: "lock") == "locked")
        let found = try found()
        #expect(found.contains("data key afterFirstUnlock"))
        #expect(found.contains("data key always"))
        let gone = secrets.keys.filter { $0.hasSuffix(" whenUnlocked") || $0.hasSuffix(" whenUnlockedThisDeviceOnly") }
        #expect(gone.count == 8)
        #expect(found.isDisjoint(with: gone + ["user root", "passphrase"]), "\(found.sorted())")
    }

    @Test func `a vault that was never unlocked has no keys of locked items in memory`() throws {
        #expect(try open() == "locked")
        let found = try found()
        #expect(found.contains("data key always"))
        let closed = secrets.keys.filter { name in
            ["whenUnlocked", "afterFirstUnlock"].contains {
                name.hasSuffix(" \($0)") || name.hasSuffix("\($0)ThisDeviceOnly")
            }
        }
        #expect(closed.count == 16)
        #expect(found.isDisjoint(with: closed + ["user root"]), "\(found.sorted())")
    }

    @Test func `a closed vault has no keys in memory`() throws {
        #expect(try open(with: sample.file("passphrase", Self.passphrase)) == "unlocked")
        #expect(try program.answer(to: "count") == "6")
        #expect(try program.answer(to: "close") == "closed")
        #expect(try found() == [])
    }
}
