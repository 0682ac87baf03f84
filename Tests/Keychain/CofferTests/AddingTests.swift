import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultFiles

/// `Spec/keychain-behavior.md`, section 3: what an addition accepts, rejects and returns.
@Suite("Adding", .temporaryDirectory) struct AddingTests {
    @Test(arguments: ["genp", "inet", "cert", "keys"]) func `a class is sufficient`(itemClass: String) throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.add(["class": .string(itemClass)]) == .notRequested)
        #expect(try keychain.count(["class": .string(itemClass)]) == 1)
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(["class": .string(itemClass)]) }
    }

    @Test func `no data and empty data are distinct`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["acct": "none"]))
        try keychain.add(password.with(["acct": "empty", "v_Data": .data([])]))
        #expect(try keychain.find(password.with(["acct": "none", "r_Data": true])) == .missing)
        #expect(try keychain.find(password.with(["acct": "empty", "r_Data": true])) == .data([]))
    }

    @Test func `data can be large`() throws {
        let keychain = try KeychainSample().keychain
        let bytes = [UInt8](repeating: 3, count: 1 << 20)
        try keychain.add(password.with(["v_Data": .data(bytes)]))
        #expect(try keychain.find(password.with(["r_Data": true])) == .data(bytes))
    }

    @Test func `data over the limit are rejected, and nothing is stored`() throws {
        let keychain = try KeychainSample().keychain
        let bytes = [UInt8](repeating: 3, count: 1 << 20 + 1)
        let error = try #require(throws: KeychainError.self) {
            try keychain.add(password.with(["v_Data": .data(bytes)]))
        }
        guard case .vault(let problem) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(problem.kind == .tooLarge)
        #expect(try keychain.count(password) == 0)
    }

    @Test func `an identity cannot be added without its reference`() throws {
        #expect(throws: KeychainError.invalid(.value(of: "class"))) {
            try KeychainSample().keychain.add(["class": "idnt"])
        }
    }

    @Test func `both dates are the time of the addition whatever the caller passes`() throws {
        let sample = try KeychainSample()
        let said = ItemValue.date(secondsSinceReferenceDate: 5)
        try sample.keychain.add(password.with(["cdat": said, "mdat": said]))
        let now = Double(sample.time.wallMicroseconds()) / 1e6 - 978_307_200
        let attributes = try sample.keychain.attributes(password)
        #expect(attributes["cdat"] == .date(secondsSinceReferenceDate: now))
        #expect(attributes["mdat"] == .date(secondsSinceReferenceDate: now))
    }

    @Test(arguments: ["cdat", "mdat"]) func `an ignored date must still be a date`(name: String) throws {
        #expect(throws: KeychainError.invalid(.value(of: name))) {
            try KeychainSample().keychain.add(password.with([name: "today"]))
        }
    }

    @Test(arguments: ["m_Limit", "m_CaseInsensitive", "m_ItemList", "m_SubjectContains"])
    func `match keys on an addition are rejected, and nothing is stored`(key: String) throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere(key))) {
            try keychain.add(password.with([key: key == "m_Limit" ? 1 : true]))
        }
        #expect(try keychain.count(password) == 0)
    }

    @Test func `a list of items is rejected, and nothing is stored`() throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: KeychainError.invalid(.keyNotAllowedHere("u_ItemList"))) {
            try keychain.add(password.with(["u_ItemList": .array([])]))
        }
        #expect(try keychain.count(password) == 0)
    }

    @Test func `a 12-byte reference is rejected, and a 20-byte one is ignored`() throws {
        let keychain = try KeychainSample().keychain
        let old = ItemValue.data(Array("genp".utf8) + [UInt8](repeating: 0, count: 8))
        #expect(throws: KeychainError.invalid(.persistentReference)) {
            try keychain.add(password.with(["v_PersistentRef": old]))
        }
        let reference = ItemValue.data(Array("genp".utf8) + [UInt8](repeating: 1, count: 16))
        let answer = try keychain.add(password.with(["v_PersistentRef": reference, "r_PersistentRef": true]))
        guard case .data(let bytes) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(bytes.count == 20 && bytes.starts(with: "genp".utf8))
        #expect(.data(bytes) != reference)
    }

    // MARK: - Duplicates

    @Test(arguments: ["labl", "gena", "desc", "icmt"])
    func `attributes outside the primary key do not make another item`(name: String) throws {
        let keychain = try KeychainSample().keychain
        let item = password.with(["acct": "kim", "v_Data": data("old")])
        try keychain.add(item.with([name: "one"]))
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.add(item.with([name: "two", "v_Data": data("new")]))
        }
        #expect(try keychain.text(password) == "old")
        #expect(try keychain.attributes(password)[name] == "one")
    }

    @Test(arguments: ["ak", "ck", "dk", "aku", "cku", "dku"])
    func `another protection does not make another item`(protection: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        #expect(throws: KeychainError.duplicateItem) {
            try keychain.add(password.with(["pdmn": .string(protection)]))
        }
    }

    static let primaryKeys: [(String, [String])] = [
        ("genp", ["acct", "svce"]),
        ("inet", ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"]),
        ("cert", ["ctyp", "issr", "slnr"]),
        ("keys", ["kcls", "klbl", "atag", "crtr", "type", "bsiz", "esiz", "sdat", "edat"]),
    ]

    @Test(arguments: primaryKeys) func `each attribute of the primary key makes another item`(
        itemClass: String,
        names: [String]
    ) throws {
        let keychain = try KeychainSample().keychain
        let bare: ItemRequest = ["class": .string(itemClass)]
        try keychain.add(bare)
        let texts: Set = ["acct", "svce", "sdmn", "srvr", "atyp", "path", "atag"]
        let bytes: Set = ["issr", "slnr", "klbl"]
        for name in names {
            let value: ItemValue =
                if texts.contains(name) { "x" } else if bytes.contains(name) { data("x") } else if name.hasSuffix("dat")
                {
                    .date(secondsSinceReferenceDate: 7)
                } else { 7 }
            try keychain.add(bare.with([name: value]))
            #expect(throws: KeychainError.duplicateItem) { try keychain.add(bare.with([name: value])) }
            #expect(try keychain.count(bare.with([name: value])) == 1)
        }
        #expect(try keychain.count(bare) == names.count + 1)
    }

    @Test func `items that differ in synchronizability or group are distinct`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password)
        try keychain.add(password.with(["sync": true]))
        try keychain.add(password.with(["agrp": "com.example.other"]))
        #expect(throws: KeychainError.duplicateItem) { try keychain.add(password.with(["sync": 1])) }
        #expect(try keychain.count(password.with(["sync": "syna"])) == 2)
    }

    @Test(arguments: ["aku", "cku", "dku"]) func `a this-device-only item can be synchronizable`(
        protection: String
    ) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["pdmn": .string(protection), "sync": true]))
        #expect(try keychain.attributes(password.with(["sync": true]))["pdmn"] == .string(protection))
    }

    @Test func `the value for any stores an item that is not synchronizable`() throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(password.with(["sync": "syna"]))
        #expect(try keychain.attributes(password)["sync"] == 0)
    }

    // MARK: - Results

    @Test func `an addition returns its data, empty if it has none`() throws {
        let keychain = try KeychainSample().keychain
        #expect(try keychain.add(password.with(["v_Data": data("x"), "r_Data": true])) == .data([0x78]))
        #expect(try keychain.add(password.with(["acct": "k", "r_Data": true])) == .data([]))
    }

    @Test func `an addition returns attributes with defaults, and no query keys`() throws {
        let keychain = try KeychainSample().keychain
        let answer = try keychain.add(password.with(["labl": "Mail", "v_Data": data("x"), "r_Attributes": true]))
        guard case .dictionary(let added) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(Set(added.values.keys) == ["labl", "acct", "svce", "agrp", "pdmn", "cdat", "mdat", "sync", "sha1"])
        #expect(added.values["agrp"] == "com.example.app")
        #expect(added.values["pdmn"] == "ak")
    }

    @Test func `several results are returned in one dictionary`() throws {
        let keychain = try KeychainSample().keychain
        let answer = try keychain.add(
            password.with(["v_Data": data("x"), "r_Attributes": true, "r_Data": true, "r_PersistentRef": true])
        )
        guard case .dictionary(let added) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(added.values["v_Data"] == data("x"))
        guard case .data(let reference)? = added.values["v_PersistentRef"] else {
            Issue.record("no reference")
            return
        }
        #expect(try keychain.text(["v_PersistentRef": .data(reference)]) == "x")
    }

    @Test(arguments: [("genp", ItemAnswer.missing), ("inet", .missing)])
    func `passwords have no references`(itemClass: String, answer: ItemAnswer) throws {
        #expect(try KeychainSample().keychain.add(["class": .string(itemClass), "r_Ref": true]) == answer)
    }

    @Test(arguments: [("genp", "ak"), ("inet", "ak"), ("keys", "ak"), ("cert", "dk")])
    func `each class has its own default protection`(itemClass: String, protection: String) throws {
        let keychain = try KeychainSample().keychain
        try keychain.add(["class": .string(itemClass)])
        #expect(try keychain.attributes(["class": .string(itemClass)])["pdmn"] == .string(protection))
    }

    @Test func `one group has its own default protection`() throws {
        let keychain = try KeychainSample().keychain
        let group = password.with(["agrp": "com.apple.apsd"])
        try keychain.add(group)
        #expect(try keychain.attributes(group)["pdmn"] == "dku")
    }

    @Test(arguments: [
        (ItemValue.data([UInt8](repeating: 1, count: 16)), true), (.data([]), true), (.null, true),
        (.data([UInt8](repeating: 1, count: 15)), false), ("user", false), (1, false),
    ])
    func `the user of an item is empty whatever the caller passes`(value: ItemValue, isTaken: Bool) throws {
        let keychain = try KeychainSample().keychain
        guard isTaken else {
            #expect(throws: KeychainError.invalid(.value(of: "musr"))) {
                try keychain.add(password.with(["musr": value]))
            }
            return
        }
        try keychain.add(password.with(["musr": value]))
        #expect(try keychain.attributes(password)["musr"] == .data([]))
    }

    @Test func `items that need a passphrase are rejected without one`() throws {
        let keychain = try KeychainSample().keychain
        #expect(throws: KeychainError.noPassphrase) { try keychain.add(password.with(["pdmn": "akpu"])) }
        #expect(try keychain.count(password) == 0)
    }
}
