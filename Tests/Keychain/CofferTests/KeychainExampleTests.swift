import Coffer
import CofferFoundation
import CofferSecurity
import Foundation
import TestSupport
import Testing

/// The examples in the documentation of `Coffer`.
@Suite("Examples of the keychain", .temporaryDirectory) struct KeychainExampleTests {
    private let path: String
    private let keychain: Keychain

    init() throws {
        path = try VaultSample().path
        keychain = try Machine.vault(at: path + "-of-all").keychain
    }

    /// The `Vault` of the examples, on a machine of the test.
    private enum Machine {
        static func vault(at path: String) throws -> Coffer.Vault { try create(at: path) }

        static func create(
            at path: String,
            protection: VaultProtection = VaultProtection()
        ) throws(VaultError) -> Coffer.Vault {
            try Coffer.Vault.create(at: path, protection: protection, options: options(VaultOptions()))
        }

        static func open(
            at path: String,
            with ladder: UnlockLadder = UnlockLadder(variables: [:]),
            options: VaultOptions = VaultOptions()
        ) throws(VaultError) -> Coffer.Vault {
            try Coffer.Vault.open(at: path, with: ladder, options: self.options(options))
        }

        private static func options(_ options: VaultOptions) -> VaultOptions {
            var options = options
            if let locations = try? VaultSample().locations { options.locations = locations }
            options.passphraseCost = .weak
            return options
        }
    }

    private func item(_ values: ItemRequest = [:]) -> ItemRequest { values.with(["class": "genp", "acct": "kim"]) }

    // MARK: - Requests and answers

    @Test func `the example of access control`() {
        let control = AccessControl(.whenUnlockedThisDeviceOnly, .userPresence)
        #expect(control?.accessibility == .whenUnlockedThisDeviceOnly)
        #expect(AccessControl(.whenUnlocked, [.or, .and]) == nil)
    }

    @Test func `the example of access groups`() {
        let open = AccessGroups(application: "com.example.mail")
        let declared = AccessGroups(declared: ["TEAM.com.example.shared", "TEAM.com.example.mail"])
        #expect(open.names == ["com.example.mail"])
        #expect(declared.names.first == "TEAM.com.example.shared")
    }

    @Test func `the example of accessibility`() throws {
        var login = GenericPassword(service: "mail", account: "kim")
        login.accessibility = .afterFirstUnlock
        try keychain.add(login, secret: "hunter2")
        #expect(try keychain.attributes(item())["pdmn"] == "ck")
    }

    @Test func `the example of an answer`() throws {
        var used: [[UInt8]] = []
        func use(_ secret: [UInt8]) { used.append(secret) }
        try keychain.add(item(["v_Data": data("secret")]))
        let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Data": true])
        if case .data(let secret) = answer { use(secret) }
        #expect(used == [Array("secret".utf8)])
    }

    @Test func `the example of a dictionary`() throws {
        var printed: [ItemValue] = []
        func print(_ value: ItemValue) { printed.append(value) }
        try keychain.add(item(["svce": "mail"]))
        let answer = try keychain.find(["class": "genp", "acct": "kim", "r_Attributes": true])
        if case .dictionary(let item) = answer { print(item.values["svce"] ?? "") }
        #expect(printed == ["mail"])
    }

    @Test func `the example of a reference to an object`() throws {
        var used: [[UInt8]] = []
        func use(_ data: [UInt8]) { used.append(data) }
        try keychain.add(["class": "cert", "labl": "example.com", "v_Data": .data([1, 2])])
        let answer = try keychain.find(["class": "cert", "labl": "example.com", "r_Ref": true])
        if case .reference(let certificate) = answer { use(certificate.data ?? []) }
        #expect(used == [[1, 2]])
    }

    @Test func `the example of a request`() throws {
        try keychain.add(["class": "genp", "svce": "mail", "v_Data": data("secret")])
        var request: ItemRequest = ["class": "genp", "svce": "mail"]
        request["r_Data"] = true
        let answer = try keychain.find(request)
        #expect(answer == .data(Array("secret".utf8)))
    }

    @Test func `the example of a value`() {
        #expect((ItemValue.string("caf\u{E9}") == .string("cafe\u{301}")) == false)
    }

    @Test func `the example of a class`() {
        #expect(KeychainClass(rawValue: "inet") == .internetPassword)
    }

    @Test func `the example of a persistent reference`() throws {
        let stored = try keychain.add(GenericPassword(account: "kim"))
        let bytes = stored.reference.persistentReference.bytes
        let found = PersistentReference(bytes)?.itemClass
        #expect(found == .genericPassword)
    }

    @Test func `the example of an identity`() throws {
        var signed: [Int] = []
        func sign(with key: Span<UInt8>) { signed.append(key.count) }
        var certificate = Certificate(issuer: [0x30, 0x00], serialNumber: [7])
        (certificate.label, certificate.publicKeyHash) = ("example.com", [1])
        try keychain.add(certificate)
        var key = CryptographicKey(.private)
        (key.applicationLabel, key.isPrivate) = ([1], true)
        try keychain.add(key, secret: "key")
        for identity in try keychain.identities(where: .label("example.com")) {
            try keychain.withSecret(of: identity.key.reference) { key in sign(with: key) }
        }
        #expect(signed == [3])
    }

    // MARK: - Errors

    @Test func `the example of an error`() throws {
        let old = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter1")
        do {
            try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        } catch .duplicateItem {
            try keychain.save(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        }
        #expect(try keychain.secretText(of: old.reference) == "hunter2")
    }

    @Test func `the example of an invalid request`() throws {
        var printed: [String] = []
        func print(_ reason: InvalidRequest) { printed.append("\(reason)") }
        do {
            _ = try keychain.items(GenericPassword.self, where: .attribute("acct", .other))
        } catch .invalid(let reason) {
            print(reason)
        }
        #expect(printed == ["\"acct\" has the wrong type or an invalid value"])
    }

    @Test func `the example of a missing entitlement`() throws {
        var printed: [String] = []
        func print(_ missing: MissingEntitlement) { printed.append("\(missing)") }
        let vault = try Machine.vault(at: path)
        let keychain = vault.keychain(for: AccessGroups(declared: ["TEAM.com.example.mail"]))
        do {
            _ = try keychain.items(GenericPassword.self, where: .group("TEAM.com.example.other"))
        } catch .notEntitled(let missing) {
            print(missing)
        }
        #expect(
            printed == ["the program may not use this access group; add it to the program's entitlements"]
        )
    }

    @Test func `the example of a vault error`() {
        typealias Vault = Machine
        var printed: [String] = []
        func print(_ problem: VaultError) { printed.append("\(problem)") }
        do {
            _ = try Vault.open(at: path)
        } catch {
            if error.kind == .noVault { print(error) }
        }
        #expect(printed.first?.contains("not found; ") == true)
    }

    @Test func `the example of an entitlements error`() {
        var printed: [String] = []
        func print(_ error: EntitlementsError) { printed.append("\(error)") }
        let bytes = Array(
            """
            <plist version="1.0">
            <dict>
                <key>application-identifier</key>
                <string>TEAM.com.example.mail</string>
                <key>keychain-access-groups</key>
                <array>
                    <integer>1</integer>
                </array>
            </dict>
            </plist>
            """.utf8
        )
        do {
            let entitlements = try Entitlements(bytes)
            Issue.record("\(entitlements) were accepted")
        } catch {
            print(error)
        }
        #expect(printed == ["line 7, key \"keychain-access-groups\": this is not text; write it as <string>"])
    }

    // MARK: - Vaults

    @Test func `the example of a keychain`() throws {
        let vault = try Machine.vault(at: path)
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        let login = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        let text = try keychain.secretText(of: login.reference)
        try keychain.delete(login.reference)
        #expect(text == "hunter2")
        #expect(try keychain.count(GenericPassword.self) == 0)
    }

    @Test func `the example of a vault`() throws {
        typealias Vault = Machine
        let passphrase = "a long passphrase"
        let protection = VaultProtection(passphrase: passphrase)
        let vault = try Vault.create(at: path, protection: protection)
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))
        try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        vault.lock()
        #expect(throws: KeychainError.locked) { try keychain.find(["class": "genp"]) }
    }

    @Test func `the example of an unlock ladder`() throws {
        typealias Vault = Machine
        let passphrase = "correct horse battery staple"
        _ = try Vault.create(at: path, protection: VaultProtection(passphrase: passphrase))
        let vault = try Vault.open(at: path, with: UnlockLadder(passphrase: passphrase))
        #expect(vault.isUnlocked)
    }

    @Test func `the examples of protection and options for a new vault`() throws {
        typealias Vault = Machine
        do {
            let passphrase = "a long passphrase"
            let code = try RecoveryCode()
            let protection = VaultProtection(passphrase: passphrase, recoveryCode: code)
            for warning in try protection.warnings() { print("warning: \(warning)") }
            let vault = try Vault.create(at: path, protection: protection)
            #expect(vault.isUnlocked)
        }
        var options = VaultOptions()
        options.lockTimeout = .seconds(1)
        let vault = try Vault.open(at: path, options: options)
        #expect(vault.options.lockTimeout == .seconds(1))
    }

    @Test func `the example of passphrase work`() throws {
        var options = VaultOptions()
        options.passphraseCost = try PassphraseCost(memoryMiB: 64, passes: 8)
        #expect(options.passphraseCost != .standard)
    }

    @Test func `the example of an unlock report`() throws {
        var printed: [String] = []
        func print(_ report: UnlockReport) { printed = report.description.split(separator: "\n").map(String.init) }
        _ = try Machine.create(at: path, protection: VaultProtection(passphrase: Passphrase("a long passphrase")))
        let vault = try Machine.open(at: path)
        print(vault.unlocking)
        #expect(printed.first?.hasSuffix("/device.key: opened the vault, which stays locked") == true)
        #expect(printed.dropFirst().first == "COFFER_PASSPHRASE_FILE: skipped, not set")
    }

    @Test func `the example of a source`() throws {
        var printed: [UnlockSource] = []
        func print(_ source: UnlockSource) { printed.append(source) }
        let vault = try Machine.vault(at: path)
        let failed = vault.unlocking.steps.filter { if case .failed = $0.outcome { true } else { false } }
        for step in failed { print(step.source) }
        #expect(printed == [])
    }

    @Test func `the example of locations`() {
        let locations = VaultLocations.standard
        #expect(locations.vault?.hasSuffix("/login.coffer") != false)
    }

    @Test func `the example of a passphrase`() {
        let passphrase = Passphrase("correct horse battery staple")
        #expect(passphrase.withBytes { $0.count } == 28)
    }

    @Test func `the example of a recovery code`() throws {
        var printed: [Int] = []
        func print(_ count: Int) { printed.append(count) }
        let code = try RecoveryCode()
        code.withText { text in
            print(text.count)
        }
        #expect(printed == [44])
    }

    // MARK: - Long-running work

    @Test func `the example of long-running work`() async throws {
        var printed: [String] = []
        func print(_ value: some CustomStringConvertible) { printed.append(value.description) }
        let vault = try Machine.vault(at: path)
        for try await event in vault.compaction() {
            switch event {
            case .progress(let progress): print(progress.fraction)
            case .finished(let report): print(report.byteCountAfter)
            }
        }
        #expect(printed.last.flatMap { Int($0) } ?? 0 > 0)
    }

    @Test func `the example of progress`() async throws {
        var printed: [Double] = []
        func print(_ fraction: Double) { printed.append(fraction) }
        let vault = try Machine.vault(at: path)
        for try await case .progress(let progress) in vault.verification() { print(progress.fraction) }
        #expect(printed.last == 1)
    }

    @Test func `the examples of compaction and verification reports`() async throws {
        var printed: [String] = []
        func print(_ value: some CustomStringConvertible) { printed.append(value.description) }
        let vault = try Machine.vault(at: path)
        do {
            let report = try await vault.compaction().report()
            print(report.byteCountBefore - report.byteCountAfter)
        }
        let report = try await vault.verification().report()
        for finding in report.findings { print(finding.description) }
        #expect(printed.count == 1)
    }

    @Test func `the examples of slots and devices`() throws {
        var printed: [VaultSlot.Kind] = []
        func print(_ kind: VaultSlot.Kind, _ seconds: Double) { printed.append(kind) }
        let vault = try Machine.create(
            at: path,
            protection: VaultProtection(passphrase: Passphrase("a long passphrase"))
        )
        for slot in try vault.slots { print(slot.kind, slot.created.secondsSince1970) }
        let others = try vault.devices.filter { !$0.isThisMachine }
        #expect(printed == [.passphrase])
        #expect(others == [])
    }

    @Test func `the example of a key change`() async throws {
        let vault = try Machine.vault(at: path)
        var options = KeyChangeOptions()
        options.removedDevices = Set(try vault.devices.filter { !$0.isThisMachine }.map(\.id))
        let change = vault.keyChange(to: VaultProtection(passphrase: Passphrase("another one")), options: options)
        let summary = try await change.report()
        #expect(summary.resealedItemCount == 0)
    }

    @Test func `the example of a key change report`() async throws {
        var printed: [Int] = []
        func print(_ count: Int) { printed.append(count) }
        let vault = try Machine.vault(at: path)
        let summary = try await vault.keyChange(to: VaultProtection()).report()
        print(summary.lostItemCount)
        #expect(printed == [0])
    }

    @Test func `the example of history settings`() throws {
        let vault = try Machine.vault(at: path)
        try vault.setHistorySettings(HistorySettings(revisions: 20, days: 365))
        #expect(try vault.historySettings == HistorySettings(revisions: 20, days: 365))
    }

    @Test func `the example of waiting for changes`() async throws {
        let (keychain, token, account) = (keychain, "t0k3n", "kim")
        do {
            try await keychain.perform { try $0.passwords(service: "api").set(token, for: account) }
        }
        let token2 = Task {
            let token = try await keychain.perform { try $0.passwords(service: "api")[account] }
            return token
        }
        #expect(try await token2.value == token)
    }

    @Test func `the example of the guide to an app`() throws {
        typealias Vault = Machine
        let passphrase = "a long passphrase"
        let vault = try Vault.create(at: path, protection: VaultProtection(passphrase: passphrase))
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.mail"))

        let login = try keychain.add(GenericPassword(service: "mail", account: "kim"), secret: "hunter2")
        let password = try keychain.secretText(GenericPassword.self, where: .service("mail"), .account("kim"))
        #expect(password == "hunter2")
        try keychain.setSecret("correct horse", of: login.reference, ifRevision: login.revision)
        #expect(try keychain.secretText(of: login.reference) == "correct horse")
        try keychain.undo(login.reference)
        #expect(try keychain.secretText(of: login.reference) == "hunter2")
        vault.lock()
        #expect(throws: KeychainError.locked) { try keychain.item(GenericPassword.self) }
    }

    @Test func `the short examples of the README and the guide to an app`() async throws {
        struct Session: Codable { var token = "t0k3n" }
        let (keychain, service, account, token) = (keychain, "api", "kim", "t0k3n")
        try Keychain.withDefault(keychain) {
            let passwords = Keychain.default.passwords(service: service)
            try passwords.set(token, for: account)
            let stored = try passwords[account]
            #expect(stored == token)
            try passwords.remove(account)
            #expect(try passwords[account] == nil)
        }
        let session = Session()
        try keychain.store(session, as: GenericPassword(service: service, account: account))
        try await keychain.perform { try $0.passwords(service: service).set(token, for: account) }
        do {
            @VaultSecret(service: service, account: account, in: keychain) var token
            let followed = try token.get()
            #expect(followed == "t0k3n")
        }
    }

    // MARK: - Completeness

    /// The lines of code in the examples of a file, without comments about the result.
    private func exampleLines(of text: String) -> [String] {
        var lines: [String] = []
        var isInExample = false
        for line in text.split(separator: "\n") {
            guard let comment = line.firstRange(of: "///") else { continue }
            let content = line[comment.upperBound...].trimmingCharacters(in: .whitespaces)
            if content.hasPrefix("```") {
                isInExample = content == "```swift"
            } else if isInExample {
                let code = content.components(separatedBy: "  //")[0].trimmingCharacters(in: .whitespaces)
                if !code.isEmpty, !code.hasPrefix("//") { lines.append(code) }
            }
        }
        return lines
    }

    private func sources(in directory: String) throws -> [(path: String, text: String)] {
        try Repository.swiftFiles(in: directory).map { path in
            (path, try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8))
        }
    }

    @Test func `every line of an example runs in a test`() throws {
        let tests = try self.sources(in: "Tests/Keychain/CofferTests").map(\.text).joined()
        var count = 0
        let sources =
            try self.sources(in: "Sources/Keychain/Coffer") + self.sources(in: "Sources/Apple/CofferSecurity/Requests")
        for (path, text) in sources {
            for line in exampleLines(of: text) {
                count += 1
                let isTested = tests.contains(line)
                #expect(isTested, "\(path): \(line)")
            }
        }
        #expect(count > 60)
    }

    @Test func `every public type has an example`() throws {
        let words = ["public struct ", "public enum ", "public final class ", "public protocol "]
        var bare: [String] = []
        for (_, text) in try sources(in: "Sources/Keychain/Coffer") {
            var comment = ""
            for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
                if line.hasPrefix("///") {
                    comment += line
                } else {
                    if words.contains(where: line.hasPrefix), !comment.contains("```swift") {
                        bare.append(String(line))
                    }
                    comment = ""
                }
            }
        }
        #expect(bare == [])
    }
}
