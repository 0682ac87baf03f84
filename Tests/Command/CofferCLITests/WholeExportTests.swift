import Coffer
import CofferBasics
import Foundation
import TestSupport
import Testing
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// An export of everything brings a vault to another file, also one in another version of the format.
@Suite("Exports of whole vaults", .temporaryDirectory) struct WholeExportTests {
    private let sample: CommandSample

    init() throws {
        sample = try CommandSample()
        try write(Array("correct horse".utf8), to: "passphrase")
    }

    private func path(_ name: String) -> String { sample.home.appending(path: name).path }

    /// Makes `old.coffer` the vault of a vector, unlocked on a machine that is its device.
    ///
    /// Deriving the key from its passphrase costs too little for a command.
    private func prepare(_ vector: VaultVector) throws {
        try write(vector.bytes, to: "old.coffer")
        let store = try VaultStore.open(
            at: path("old.coffer"),
            environment: StoreEnvironment(time: sample.time, random: SystemRandom())
        ) { prelude throws(VaultFormatError) in try vector.roots(prelude) }
        let keys = try #require(try store.heldKeys())
        let vault = try store.read { $0.vault }
        let cache = KeyCache(keyring: KernelKeyring(calls: sample.keys))
        let now = Time(microseconds: sample.time.wallMicroseconds())
        try #require(cache.save(keys, of: vault, for: .seconds(3600), now: now) == .stored)
        guard let (id, key) = vector.device else { return }
        let file = DeviceKeyFile(device: DeviceID(id.span), key: try Key(copying: key.span))
        try write(file.withText { [UInt8](copying: $0) }, to: ".local/state/coffer/device.key")
    }

    /// Writes a file that no other user can read.
    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = sample.home.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        try #require(FileManager.default.createFile(atPath: file.path, contents: Data(bytes), attributes: attributes))
    }

    /// Runs a command for a vault, on another machine if `state` is its directory, and returns what it prints.
    @discardableResult
    private func run(
        _ words: String...,
        input: String = "",
        at vault: String = "old.coffer",
        on state: String? = nil
    ) throws -> String {
        let options = ["--vault", path(vault), "--passphrase-file", path("passphrase")]
        var call = CommandSample.Call(words: words + options, input: Array(input.utf8))
        if let state { call.variables["XDG_STATE_HOME"] = path(state) }
        let result = sample.run(call)
        try #require(result.status == 0, "\(words): \(result.errors)")
        return result.text + result.errors
    }

    /// Exports `old.coffer`, and imports the file into `new.coffer`, which is new and has a passphrase.
    ///
    /// - Returns: What the export says is not in the file, what the import says, and the content of both vaults.
    private func migrate() throws -> (rest: String, said: String, before: VaultContent, after: VaultContent) {
        let passphrase = UnlockLadder.Secret.passphraseFile(path("passphrase"))
        let before = try VaultContent(of: sample.vault(at: path("old.coffer")))
        let words = ["export", "--for", "coffer", "-o", path("all.json"), "--vault", path("old.coffer")]
        let export = sample.run(CommandSample.Call(words: words))
        try #require(export.status == 0 && !export.errors.contains("not written"), "\(export.errors)")
        let note = try #require(export.errors.firstMatch(of: /coffer: not in the file: (.*)\n/))
        try run("init", "--no-prompt", at: "new.coffer")
        let said = try run("import", path("all.json"), at: "new.coffer")
        let after = try VaultContent(of: sample.vault(at: path("new.coffer"), secret: passphrase))
        return (String(note.1), said, before, after)
    }

    // MARK: - Golden vaults

    private static let vectors = ((try? VaultVector.golden()) ?? []).map(\.vector).filter { $0.name.hasSuffix(", 1") }

    @Test(arguments: vectors)
    func `a golden vault has the same content after export and import`(vector: VaultVector) throws {
        try prepare(vector)
        let (rest, said, before, after) = try migrate()
        #expect(!said.contains("warning"), "\(said)")
        #expect(after.items == before.items)
        #expect(after.groups == before.groups)
        #expect(before.items.count(where: { !$0.hasPrefix("deleted") }) == vector.itemCount)
        let ways = [
            "device.coffer, 1": "1 way to open the vault (device key), 1 machine",
            "slots.coffer, 1":
                "4 ways to open the vault (key file, passphrase, passphrase and key file, recovery code), 1 machine",
        ]
        // They have no settings.
        let history = "how much history is kept (nothing, once the vault is compacted)"
        #expect(rest == "\(ways[vector.name] ?? "1 way to open the vault (passphrase)"), \(history)")
    }

    // MARK: - A vault with everything

    /// Makes `old.coffer` a vault that three machines have changed.
    private func makeVault() throws {
        try run("init", "--no-prompt")
        for number in 0...10 { try run("set", "mail", "kim", "--force", input: "\(number)") }
        // Deleted, with a former revision; deleted, and there again; moved; renamed, so that others have its name.
        for text in ["first", "last"] { try run("set", "gone", "kim", "--force", input: text) }
        try run("rm", "gone", "kim", "--force")
        for text in ["deleted", "there again"] {
            try run("set", "again", "kim", input: text)
            if text == "deleted" { try run("rm", "again", "kim", "--force") }
        }
        try run("set", "moved", "kim", input: "x")
        try run("mv", "moved", "--to-group", "other")
        try run("set", "name", "kim", input: "the former one")
        try run("mv", "name", "another")
        try run("set", "name", "kim", input: "the new one")
        for name in ["contested", "moved and changed"] { try run("set", name, "kim", input: "both") }
        let machines = ["office", "lab"]
        for name in machines {
            try FileManager.default.copyItem(atPath: path("old.coffer"), toPath: path("\(name).coffer"))
            try run("key", "add", "device", at: "\(name).coffer", on: name)
            try run("set", "contested", "kim", "--force", input: name, at: "\(name).coffer", on: name)
        }
        try run("set", "moved and changed", "kim", "--force", input: "changed", at: "office.coffer", on: "office")
        try run("mv", "moved and changed", "--to-group", "other")
        let access = ["--accessible", "whenUnlockedThisDeviceOnly"]
        try run("set", "of the lab", "kim", access[0], access[1], input: "x", at: "lab.coffer", on: "lab")
        try run("set", "contested", "kim", "--force", input: "home")
        for name in machines { try run("sync", "--take", path("\(name).coffer")) }
        try run("history", "--keep", "20")
        try run("unlock")
    }

    @Test func `deleted, moved, renamed and contested items come back, and what does not is said`() throws {
        try makeVault()
        let (rest, said, before, after) = try migrate()
        #expect(said.contains("9 records: 7 items added, 2 deleted items added\n"), "\(said)")
        #expect(after.items == before.items)
        #expect(after.groups == ["coffer", "other"] && before.groups == after.groups)
        let revisions = before.items.joined(separator: "\n").split(separator: "\n")
        #expect(revisions.count(where: { $0.contains("conflict") }) == 4)
        #expect(revisions.count(where: { $0.contains("mail") }) == 11)
        #expect(
            rest == "1 way to open the vault (passphrase), 3 machines, how much history is kept "
                + "(20 revisions of each item, for 90 days), 1 item of other machines"
        )
        try run("compact", at: "new.coffer")
        try run("verify", at: "new.coffer")
        let passphrase = UnlockLadder.Secret.passphraseFile(path("passphrase"))
        let compacted = try VaultContent(of: sample.vault(at: path("new.coffer"), secret: passphrase))
        #expect(compacted.items == before.items)
        // The verbs show it.
        let history = try run("history", "gone", at: "new.coffer").replacing(/\t.*\t/, with: " ")
        #expect(history == "- deleted\n2 secret\n1 added\n")
        #expect(try run("conflicts", at: "new.coffer").split(separator: "\n").count == 5)
        try run("undo", "gone", at: "new.coffer")
        #expect(try run("get", "gone", at: "new.coffer") == "last")
        try run("conflicts", "contested", "--keep", "2", at: "new.coffer")
        try run("undo", "mail", at: "new.coffer")
        #expect(try run("get", "mail", at: "new.coffer") == "9")
    }

    @Test func `deleted items of a file change no other items, and are added once`() throws {
        try makeVault()
        _ = try migrate()
        let again = try run("import", path("all.json"), at: "new.coffer")
        #expect(again.contains("0 items added, 7 existing items left unchanged, 2 duplicates left out\n"), "\(again)")
        try run("init", "--no-prompt", at: "third.coffer")
        for name in ["gone", "again", "contested"] { try run("set", name, "kim", input: "own", at: "third.coffer") }
        let said = try run("import", path("all.json"), at: "third.coffer")
        #expect(said.contains("5 items added, 2 deleted items added, 2 existing items left unchanged"), "\(said)")
        for name in ["gone", "again", "contested"] { #expect(try run("get", name, at: "third.coffer") == "own") }
        #expect(try run("conflicts", at: "third.coffer").split(separator: "\n").count == 2)
        let change = try #require(said.firstMatch(of: /--change ([0-9]+)/))
        try run("undo", "--change", String(change.1), at: "third.coffer")
        #expect(try run("list", at: "third.coffer").split(separator: "\n").count == 3)
    }

    @Test func `of a vault with grants, an item that moved is a deleted one in its former group`() throws {
        try run("init", "--no-prompt")
        try run("grant", "issue", "web", "web", "-o", path("credential"))
        try run("set", "moved", "kim", input: "x")
        try run("mv", "moved", "--to-group", "web")
        try run("unlock")
        let (rest, said, before, after) = try migrate()
        #expect(said.contains("1 item added, 1 deleted item added\n"), "\(said)")
        #expect(after.items == before.items)
        #expect(rest == "1 way to open the vault (passphrase), 1 grant, 1 machine")
        // The holder has the items of its group, and can count the rest too.
        let words = ["export", "--for", "coffer", "--vault", path("old.coffer")]
        let holder = sample.run(CommandSample.Call(words: words, variables: ["COFFER_GRANT_FILE": path("credential")]))
        #expect(holder.text.split(separator: "\n").count == 3 && holder.errors.contains(rest), "\(holder.errors)")
    }
}

/// What programs see of a vault: its groups, and a text for each item that exists or is deleted, with all its revisions.
private struct VaultContent {
    private(set) var items: [String] = []
    private(set) var groups: Set<String> = []

    init(of vault: Vault) throws {
        let groups = AccessGroups(declared: ["coffer", "*"])
        let keychain = Keychain(vault.store, groups: groups).showingEachGroup
        try add(GenericPassword.self, in: keychain)
        try add(InternetPassword.self, in: keychain)
        try add(Certificate.self, in: keychain)
        try add(CryptographicKey.self, in: keychain)
        items.sort()
    }

    private mutating func add<Item: KeychainItem>(_ type: Item.Type, in keychain: Keychain) throws {
        let live = try keychain.items(Item.self, where: .synchronizable(.any))
        let deleted = try keychain.deletedItems(Item.self, where: .synchronizable(.any))
        let conflicts = try keychain.conflicts(Item.self).map(\.revisions[0].reference)
        for (state, reference) in live.map({ ("live", $0.reference) }) + deleted.map({ ("deleted", $0.reference) }) {
            let history = try keychain.history(of: reference)
            try #require(history.isDeleted == (state == "deleted"))
            try #require(history.conflicts.isEmpty != conflicts.contains(reference))
            let revisions = try history.revisions.map { past in
                groups.insert(past.accessGroup)
                let role = past.isCurrent ? "current" : past.isConflict ? "conflict" : "former"
                let attributes = try #require(past.item).attributes.values
                let values = attributes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                let dates = [past.created, past.modified, past.written].map { $0?.secondsSinceReferenceDate }
                let secret = try keychain.secret(of: past).map { "\($0)" } ?? "none"
                return "\(role) \(values) \(dates) \(secret)"
            }
            items.append("\(state) \(Item.itemClass) \(revisions.joined(separator: "\n  "))")
        }
    }
}
