import Coffer
import CofferSecurity
import TestSupport
import Testing
import VaultStore

/// The keychain behaves like its simple model for any sequence of requests.
@Suite("The keychain and its model", .temporaryDirectory) struct ModelTests {
    private static let groups = ["one", "two"]

    @Test(arguments: UInt64(1)...24) func `the keychain and the model give the same answers`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let declared = AccessGroups(declared: Self.groups)
        let sample = try KeychainSample(declared)
        var keychain = sample.keychain
        try makeKeys(keychain)
        var model = KeychainModel(groups: Self.groups)
        for step in 0..<120 {
            // The order of items in different groups is that of time.
            sample.time.advance(nanoseconds: 1_000_000)
            switch Int.random(in: 0..<24, using: &random) {
            case 0:
                keychain.lock()
                model.isLocked = true
            case 1, 2:
                try keychain.openedStore()?.unlock { [roots = sample.roots] _ in roots }
                model.isLocked = false
            case 3: try keychain.openedStore()?.compact()
            case 4:
                keychain = try sample.reopened(declared)
                model.isLocked = false
            case 5..<12:
                let item = Requests.item(&random)
                let real = failure { () throws(KeychainError) in try keychain.add(item) }
                let expected = failure { () throws(KeychainError) in try model.add(item) }
                #expect(real == expected, "step \(step): \(item.values)")
            case 12..<16:
                let query = Requests.query(&random)
                let changes = Requests.changes(of: query, &random)
                let real = failure { () throws(KeychainError) in try keychain.update(query, with: changes) }
                let expected = failure { () throws(KeychainError) in try model.update(query, with: changes) }
                #expect(real == expected, "step \(step): \(query.values) to \(changes.values)")
            case 16, 17:
                let query = Requests.query(&random)
                let real = failure { () throws(KeychainError) in try keychain.delete(query) }
                let expected = failure { () throws(KeychainError) in try model.delete(query) }
                #expect(real == expected, "step \(step): \(query.values)")
            default: break
            }
            let query = Requests.query(&random)
            for limit in [1, 2, Int.max] {
                let expected = Result { () throws(KeychainError) in try model.find(query, limit: limit).map(\.filledUp)
                }
                let found = Result { () throws(KeychainError) in try keychain.items(query, limit: limit) }
                #expect(found == expected, "step \(step): \(query.values), \(limit)")
            }
        }
    }

    /// Uses each protection in each group once: missing keys cannot be created while the keychain is locked.
    private func makeKeys(_ keychain: Keychain) throws {
        for group in Self.groups {
            for protection in ["ak", "ck", "dk", "aku", "cku", "dku"] {
                let item = password.with(["agrp": .string(group), "pdmn": .string(protection)])
                try keychain.add(item)
                try keychain.delete(item)
            }
        }
    }

    private func failure<Result>(_ body: () throws(KeychainError) -> Result) -> KeychainError? {
        do throws(KeychainError) {
            _ = try body()
            return nil
        } catch {
            return error
        }
    }
}

/// Random requests with few different values, so that they often match the same items.
private enum Requests {
    private static func some(_ values: [ItemValue], _ random: inout SeededGenerator) -> ItemValue? {
        Bool.random(using: &random) ? values.randomElement(using: &random) : nil
    }

    private static func named(_ itemClass: String, _ random: inout SeededGenerator) -> ItemRequest {
        var request: ItemRequest = ["class": .string(itemClass)]
        for name in KeychainModel.primaryKeys[itemClass] ?? [] { request[name] = some([data("a"), data("")], &random) }
        request["agrp"] = some(["one", "two"], &random)
        return request
    }

    private static func itemClass(_ random: inout SeededGenerator) -> String {
        ["genp", "genp", "inet", "cert", "keys"].randomElement(using: &random) ?? "genp"
    }

    static func item(_ random: inout SeededGenerator) -> ItemRequest {
        var request = named(itemClass(&random), &random)
        request["labl"] = some(["L", "M"], &random)
        request["sync"] = some([true, false], &random)
        request["pdmn"] = some(["ak", "ck", "dk", "aku", "cku", "dku"], &random)
        request["v_Data"] = some([data("1"), data("2"), data("")], &random)
        return request
    }

    static func query(_ random: inout SeededGenerator) -> ItemRequest {
        var request = named(itemClass(&random), &random)
        if Int.random(in: 0..<4, using: &random) == 0 { request["labl"] = "L" }
        if Int.random(in: 0..<4, using: &random) == 0 { request["pdmn"] = "ck" }
        request["sync"] = some([true, false, "syna"], &random)
        return request
    }

    static func changes(of query: ItemRequest, _ random: inout SeededGenerator) -> ItemRequest {
        guard case .string(let itemClass)? = query["class"] else { return [:] }
        var changes = item(&random)
        changes["class"] = nil
        for name in Set(KeychainModel.primaryKeys.values.joined()) {
            if !(KeychainModel.primaryKeys[itemClass] ?? []).contains(name) { changes[name] = nil }
        }
        return changes
    }
}

extension Keychain {
    /// The items that match a request, in the model's form.
    fileprivate func items(_ request: ItemRequest, limit: Int) throws(KeychainError) -> [KeychainModel.Item] {
        let limitValue: ItemValue = limit == .max ? "m_LimitAll" : .integer(Int64(limit))
        let answer = try find(request.with(["r_Data": true, "r_Attributes": true, "m_Limit": limitValue]))
        let answers = if case .list(let answers) = answer { answers } else { [answer] }
        var items: [KeychainModel.Item] = []
        for case .dictionary(let found) in answers {
            guard case .string(let itemClass)? = request["class"], case .string(let group)? = found.values["agrp"],
                case .string(let protection)? = found.values["pdmn"]
            else { continue }
            var item = KeychainModel.Item(
                itemClass: itemClass,
                group: group,
                protection: protection,
                isSynchronizable: found.values["sync"] == 1,
                attributes: [:]
            )
            if case .data(let bytes)? = found.values["v_Data"] { item.data = bytes }
            item.attributes["labl"] = found.values["labl"]
            for name in KeychainModel.primaryKeys[itemClass] ?? [] {
                let value = found.values[name]
                item.attributes[name] = if case .string(let text)? = value { data(text) } else { value }
            }
            items.append(item)
        }
        return items
    }
}
