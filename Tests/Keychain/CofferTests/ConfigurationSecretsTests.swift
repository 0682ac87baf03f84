import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing
import VaultStore

/// Secrets as values of a configuration, through the provider that `Spec/configuration.md` shows.
@Suite("Secrets of a configuration", .temporaryDirectory, .timeLimit(.minutes(1))) struct ConfigurationSecretsTests {
    private static let password = ["database", "password"]
    private static let groups = AccessGroups(application: "com.example.app")

    private let sample: KeychainSample
    private let keychain: Keychain
    private let secrets: ConfigurationSecrets

    init() throws {
        sample = try KeychainSample()
        keychain = sample.keychain
        secrets = ConfigurationSecrets(service: "shop", in: keychain)
    }

    private func set(_ account: String, _ secret: [UInt8], service: String = "shop") throws {
        try keychain.save(GenericPassword(service: service, account: account), secret: secret)
    }

    private func set(_ account: String, _ secret: String) throws { try set(account, Array(secret.utf8)) }

    /// A value as a provider returns it.
    private func value(_ type: ConfigType, of snapshot: (any ConfigSnapshot)? = nil) throws -> ConfigValue? {
        let provider = snapshot ?? KeychainProvider(secrets: secrets)
        let result = try provider.value(forKey: AbsoluteConfigKey(Self.password), type: type)
        #expect(result.encodedKey == "database.password")
        return result.value
    }

    /// The default keychain of a machine.
    private func keychain(
        of machine: VaultSample,
        _ ladder: UnlockLadder = UnlockLadder(variables: [:])
    ) -> Keychain {
        var options = machine.options
        options.locations.vault = machine.path
        return Keychain(options: options, ladder: ladder, groups: Self.groups) { _ in }
    }

    // MARK: - Values

    @Test(
        arguments: [
            ("hunter2", .string, .string("hunter2")), ("", .string, .string("")), ("-7", .int, .int(-7)),
            ("2.5", .double, .double(2.5)), ("true", .bool, .bool(true)), ("a,b", .bytes, .bytes([97, 44, 98])),
            ("a, b c ,d", .stringArray, .stringArray(["a", "b c", "d"])), ("", .stringArray, .stringArray([])),
            ("1, 2", .intArray, .intArray([1, 2])), ("1.5,2", .doubleArray, .doubleArray([1.5, 2])),
            ("true,false", .boolArray, .boolArray([true, false])),
            ("a,b", .byteChunkArray, .byteChunkArray([[97, 44, 98]])),
        ] as [(String, ConfigType, ConfigContent)]
    )
    func `a value is found and secret`(text: String, type: ConfigType, content: ConfigContent) async throws {
        try set("database.password", [1], service: "other")
        try set("database.password", text)
        #expect(try value(type) == ConfigValue(content, isSecret: true))
        #expect(try value(type, of: KeychainProvider(secrets: secrets).snapshot()) == value(type))
        let fetched = try await KeychainProvider(secrets: secrets)
            .fetchValue(forKey: AbsoluteConfigKey(Self.password), type: type)
        #expect(fetched.value?.content == content)
    }

    @Test(
        arguments: [
            ("x", .int, "Int"), ("", .int, "Int"), ("1 ", .double, "Double"), ("yes", .bool, "Bool"),
            ("1,x", .intArray, "Int"),
        ] as [(String, ConfigType, String)]
    )
    func `another type is an error`(text: String, type: ConfigType, name: String) throws {
        try set("database.password", text)
        #expect(throws: KeychainError.cannotDecode(name)) { try value(type) }
    }

    @Test func `bytes that are not text are only bytes`() throws {
        try set("database.password", [0xFF])
        #expect(throws: KeychainError.cannotDecode("String")) { try value(.string) }
        #expect(try value(.bytes)?.content == .bytes([0xFF]))
    }

    @Test func `a synchronizable item is found`() throws {
        var item = GenericPassword(service: "shop", account: "database.password")
        item.isSynchronizable = true
        try keychain.add(item, secret: "x")
        #expect(try value(.string)?.content == .string("x"))
        #expect(try value(.string, of: KeychainProvider(secrets: secrets).snapshot())?.content == .string("x"))
    }

    // MARK: - Without a value

    @Test func `a missing value is nil, also without a vault`() throws {
        #expect(try value(.string) == nil)
        try keychain.add(GenericPassword(service: "shop", account: "database.password"))
        #expect(try value(.string) == nil)
        let none = ConfigurationSecrets(service: "shop", in: keychain(of: try VaultSample()))
        #expect(try none.bytes(for: Self.password) == nil)
        #expect(try none.frozen().bytes(for: Self.password) == nil)
    }

    @Test func `a locked value is an error`() throws {
        try set("database.password", "x")
        keychain.lock()
        #expect(throws: KeychainError.locked) { try value(.string) }
        #expect(throws: KeychainError.locked) { try value(.string, of: KeychainProvider(secrets: secrets).snapshot()) }
    }

    @Test(arguments: [KeychainSample.Part.attributes, .data])
    func `a damaged value is not missing, also beside others`(part: KeychainSample.Part) throws {
        try set("database.password", "x")
        var other = GenericPassword(service: "shop", account: "other")
        other.accessibility = .always
        try keychain.add(other, secret: "y")
        let damaged = ConfigurationSecrets(
            service: "shop",
            in: try sample.damaging(part, of: [["class": "genp", "acct": "database.password"]])
        )
        if part == .data {
            #expect(throws: KeychainError.self) { try damaged.bytes(for: Self.password) }
        } else {
            // The digest of its name finds the item, whose secret is intact.
            #expect(try damaged.bytes(for: Self.password) == [120])
        }
        #expect(throws: KeychainError.self) { try damaged.frozen().bytes(for: Self.password) }
    }

    // MARK: - Changes

    @Test func `a snapshot does not change`() throws {
        try set("database.password", "x")
        let snapshot = KeychainProvider(secrets: secrets).snapshot()
        try set("database.password", "y")
        #expect(try value(.string, of: snapshot)?.content == .string("x"))
        #expect(try value(.string)?.content == .string("y"))
    }

    @Test func `a watched value is the current one, then each new one`() async throws {
        let other = ConfigurationSecrets(service: "shop", in: try sample.reopened())
        let seen = try await KeychainProvider(secrets: other)
            .watchValue(forKey: AbsoluteConfigKey(Self.password), type: .int) { updates in
                var seen: [String] = []
                for await update in updates {
                    switch update {
                    case .success(let result): seen.append(result.value.map { "\($0.content)" } ?? "nil")
                    case .failure(let error): seen.append("\(error as? KeychainError == .cannotDecode("Int"))")
                    }
                    // Another key does not count.
                    try set("other", "\(seen.count)")
                    switch seen.count {
                    case 1: try set("database.password", "1")
                    case 2: try set("database.password", "x")
                    case 3: try keychain.deleteAll(GenericPassword.self, where: .account("database.password"))
                    default: return seen
                    }
                }
                return seen
            }
        #expect(seen == ["nil", "int(1)", "true", "nil"])
    }

    @Test func `watched snapshots follow all keys, and the creation of the vault`() async throws {
        let machine = try VaultSample()
        let secrets = ConfigurationSecrets(service: "shop", in: keychain(of: machine))
        let values = try await KeychainProvider(secrets: secrets).watchSnapshot { updates in
            var values: [ConfigContent?] = []
            for await snapshot in updates {
                values.append(try value(.string, of: snapshot)?.content)
                guard values.count < 2 else { break }
                let item = GenericPassword(service: "shop", account: "database.password")
                try keychain(of: machine).save(item, secret: "x")
            }
            return values
        }
        #expect(values == [nil, .string("x")])
    }

    @Test func `a locked value is an update, and so is its unlocking`() async throws {
        try set("database.password", "x")
        keychain.lock()
        var errors: [Bool] = []
        for await current in secrets.updates() {
            errors.append((try? current.bytes(for: Self.password)) == nil)
            guard errors.count < 2 else { break }
            try sample.unlock()
        }
        #expect(errors == [true, false])
    }

    @Test func `watching goes on after the keys of the vault were changed`() async throws {
        let machine = try VaultSample()
        _ = try machine.created(VaultProtection(passphrase: Passphrase("correct horse")))
        let ladder = UnlockLadder(variables: [
            "COFFER_PASSPHRASE_FILE": try machine.file("passphrase", "correct horse")
        ])
        var count = 0
        for await current in ConfigurationSecrets(service: "shop", in: keychain(of: machine, ladder)).updates() {
            count += 1
            if count > 1, try current.bytes(for: Self.password) != nil { break }
            guard count == 1 else { continue }
            #expect(try current.bytes(for: Self.password) == nil)
            let other = try machine.opened(with: .passphrase("correct horse"))
            _ = try machine.file("passphrase", "battery staple")
            _ = try await other.keyChange(to: VaultProtection(passphrase: Passphrase("battery staple"))).report()
            let item = GenericPassword(service: "shop", account: "database.password")
            try other.keychain(for: Self.groups).save(item, secret: "x")
        }
    }

    @Test func `the updates end when their task is canceled`() async throws {
        let (secrets, password) = (secrets, Self.password)
        let task = Task {
            var count = 0
            for await _ in secrets.updates(of: password) { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value <= 1)
    }

    @Test func `the vault is not used any more when the updates end`() async throws {
        weak var store: VaultStore?
        do {
            let other = try sample.reopened()
            store = try other.openedStore()
            for await _ in ConfigurationSecrets(service: "shop", in: other).updates() { break }
        }
        for _ in 0..<500 where store != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(store == nil)
    }

    // MARK: - Documentation

    @Test func `the examples`() async throws {
        let keychain = keychain
        try set("database.password", "hunter2")
        try set("database.ports", "5432, 5433")
        let secrets = ConfigurationSecrets(service: "shop", in: keychain)
        let databasePassword: String? = try secrets.value(for: ["database", "password"])
        let ports: [Int]? = try secrets.values(for: ["database", "ports"])
        #expect(databasePassword == "hunter2")
        #expect(ports == [5432, 5433])
        func reconnect(_ password: String?) async throws { #expect(password == "hunter2") }
        for await current in secrets.updates(of: ["database", "password"]) {
            try await reconnect(current.value(for: ["database", "password"]))
            break
        }
    }

    @Test func `the provider in the documentation is the one that is tested`() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "Spec/configuration.md"), encoding: .utf8)
        let provider = try String(
            contentsOf: Repository.root.appending(path: "Tests/Keychain/CofferTests/KeychainProvider.swift"),
            encoding: .utf8
        )
        #expect(page.contains(provider.replacing("import Coffer\n", with: "import Coffer\nimport Configuration\n")))
    }
}
