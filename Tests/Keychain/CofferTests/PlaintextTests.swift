import Coffer
import CofferSecurity
import Foundation
import TestSupport
import Testing

@Suite("No plain text", .temporaryDirectory) struct PlaintextTests {
    /// Texts that no file contains by chance, for every attribute that names or describes an item.
    private static let names = [
        "agrp": "TEAM.group-Xq7Zk", "svce": "service-Xq7Zk", "acct": "account-Xq7Zk", "labl": "label-Xq7Zk",
        "icmt": "comment-Xq7Zk", "desc": "description-Xq7Zk", "gena": "generic-Xq7Zk",
    ]
    private static let secrets = ["secret-one-Xq7Zk", "secret-two-Xq7Zk", "secret-three-Xq7Zk"]
    private static let needles = Array(names.values) + secrets + ["passphrase-Xq7Zk", "server-Xq7Zk", "Xq7Zk"]

    private func request(_ secret: String?) -> ItemRequest {
        var request = ItemRequest(Self.names.mapValues { .string($0) })
        request["class"] = "genp"
        request["v_Data"] = secret.map { data($0) }
        return request
    }

    /// The texts that occur in `bytes`, unchanged or in common encodings.
    private func found(in bytes: Data) -> [String] {
        Self.needles.filter { text in
            [
                Data(text.utf8), Data(text.utf8.flatMap { [$0, 0] }), Data(text.utf8.flatMap { [0, $0] }),
                Data(Data(text.utf8).base64EncodedString().utf8.dropLast(4)),
                Data(text.utf8.map { String($0, radix: 16) }.joined().utf8),
            ].contains { bytes.range(of: $0) != nil }
        }
    }

    private func files(below directory: URL) throws -> [URL] {
        let paths = FileManager.default.enumerator(at: directory, includingPropertiesForKeys: [.isRegularFileKey])
        return try (paths?.allObjects as? [URL] ?? []).filter {
            try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
    }

    @Test func `the search finds each encoding`() throws {
        let text = "x server-Xq7Zk y"
        #expect(found(in: Data(text.utf8)) == ["server-Xq7Zk", "Xq7Zk"])
        #expect(found(in: Data(text.utf8.flatMap { [$0, 0] })).count == 2)
        #expect(found(in: Data(Data("secret-one-Xq7Zk".utf8).base64EncodedString().utf8)).contains("secret-one-Xq7Zk"))
    }

    @Test func `no file of a vault contains a name or secret after any operation`() async throws {
        let sample = try VaultSample()
        let vault = try await Vault.create(
            at: sample.path,
            protection: VaultProtection(passphrase: Passphrase("passphrase-Xq7Zk")),
            options: sample.options
        )
        let keychain = vault.keychain(for: AccessGroups(application: "TEAM.group-Xq7Zk"))
        func check(_ place: SourceLocation = #_sourceLocation) throws {
            let files = try files(below: TemporaryDirectory.current)
            // The vault, the device key, the anchors of vault and place, and the place memory.
            #expect(files.count == 5, sourceLocation: place)
            for file in files {
                let bytes = try Data(contentsOf: file)
                #expect(found(in: bytes) == [], "\(file.lastPathComponent)", sourceLocation: place)
                #expect(found(in: Data(file.path.utf8)) == [], sourceLocation: place)
            }
        }
        try keychain.add(request(Self.secrets[0]))
        try check()
        try keychain.update(request(nil), with: ["v_Data": data(Self.secrets[1])])
        try keychain.add([
            "class": "inet", "srvr": "server-Xq7Zk", "acct": "account-Xq7Zk", "v_Data": data(Self.secrets[2]),
        ])
        try check()
        for item in 0..<100 {
            try keychain.add(["class": "genp", "svce": "service-Xq7Zk", "acct": .string("account-Xq7Zk \(item)")])
        }
        _ = try await vault.compaction().report()
        try check()
        try keychain.delete(["class": "genp"])
        try check()
        _ = try await vault.compaction().report()
        try check()
    }

    @Test func `no error contains a name or secret`() throws {
        let sample = try VaultSample()
        let vault = try sample.created(VaultProtection(passphrase: Passphrase("passphrase-Xq7Zk")))
        let keychain = vault.keychain(for: AccessGroups(application: "TEAM.group-Xq7Zk"))
        let declared = vault.keychain(for: AccessGroups(declared: ["TEAM.other-Xq7Zk"]))
        try keychain.add(request(Self.secrets[0]))
        var errors: [any Error] = []
        func collect(_ body: () throws -> Void) {
            do {
                try body()
                Issue.record("no error")
            } catch {
                errors.append(error)
            }
        }
        collect { try keychain.add(request(Self.secrets[1])) }
        collect { _ = try keychain.find(["class": "genp", "acct": "account-Xq7Zk other"]) }
        collect { try declared.add(request(Self.secrets[1])) }
        collect { try keychain.add(request(nil).with(["labl": .data([UInt8](repeating: 7, count: 70_000))])) }
        collect { try keychain.add(request(nil).with(["pdmn": "account-Xq7Zk"])) }
        collect { _ = try keychain.find(["class": "service-Xq7Zk"]) }
        collect { _ = try keychain.find(["v_PersistentRef": data("secret-one-Xq7Zk")]) }
        collect { try keychain.add(["class": "genp", "v_Data": .string(Self.secrets[0]), "r_Data": "account-Xq7Zk"]) }
        vault.lock()
        collect { _ = try keychain.find(request(nil)) }
        collect { try keychain.update(request(nil), with: ["v_Data": data(Self.secrets[1])]) }
        collect { try vault.unlock(with: .passphrase("passphrase-Xq7Zk other")) }
        for error in errors {
            for text in ["\(error)", String(reflecting: error), error.localizedDescription] {
                #expect(found(in: Data(text.utf8)) == [], "\(text)")
            }
        }
        #expect(errors.count == 11)
    }
}

@Suite("Messages") struct KeychainErrorTests {
    @Test(.temporaryDirectory) func `attributes that are too large are reported with their size and the limit`() throws
    {
        let keychain = try KeychainSample().keychain
        let error = #expect(throws: KeychainError.self) {
            try keychain.add(["class": "genp", "labl": .data([UInt8](repeating: 7, count: 80_423))])
        }
        #expect(try #require(error).description.contains("attributes too large: 80,423 bytes (limit 65,536)"))
    }

    static let errors: [KeychainError] = [
        .invalid(.missingClass), .invalid(.unknownKey("k")), .invalid(.keyNotText), .invalid(.value(of: "k")),
        .invalid(.value(of: "")), .invalid(.conflictingProtection), .invalid(.conditionsOnSynchronizableItem),
        .invalid(.keyNotAllowedHere("k")), .invalid(.referenceWithAttributes), .invalid(.persistentReference),
        .invalid(.tooManyKeys), .noSuchAttribute("k"), .noSuchClass("c"), .unsupportedCondition("k"), .duplicateItem,
        .itemNotFound, .locked, .notEntitled(.anyGroup), .notEntitled(.group("g")), .notEntitled(.groupNotText),
        .notEntitled(.reservedAttribute("k")), .noPassphrase,
    ]

    @Test(arguments: errors) func `each message fits after the name of a program`(error: KeychainError) {
        let text = error.description
        #expect(text.first?.isLowercase == true)
        #expect(!text.hasSuffix("."))
    }

    @Test func `no two messages are the same`() {
        #expect(Set(Self.errors.map(\.description)).count == Self.errors.count)
    }

    @Test func `control characters in a key are escaped`() {
        #expect(!KeychainError.noSuchAttribute("\u{1B}[2J").description.contains("\u{1B}"))
    }
}
