import Coffer
import CofferSecurity
import TestSupport
import Testing

/// The join gives the same results as two plain loops, for a few values so that certificates and keys often match.
@Suite("Identities compared with a model", .temporaryDirectory) struct IdentityModelTests {
    private struct Half {
        var hash: String?
        var label: String
        var group: String
        var protection: String
        var isSynchronizable: Bool
        var isPrivateKey = false

        var request: ItemRequest {
            [
                "labl": .string(label), "agrp": .string(group), "pdmn": .string(protection),
                "sync": .bool(isSynchronizable),
            ]
        }
    }

    private static let groups = ["one", "two"]

    private static func half(_ random: inout SeededGenerator) -> Half {
        Half(
            hash: ["a", "b", "c", nil].randomElement(using: &random) ?? nil,
            label: ["L", "M"].randomElement(using: &random) ?? "L",
            group: groups.randomElement(using: &random) ?? "one",
            protection: ["ak", "ck", "dk"].randomElement(using: &random) ?? "ak",
            isSynchronizable: Int.random(in: 0..<4, using: &random) == 0,
            isPrivateKey: Int.random(in: 0..<4, using: &random) > 0
        )
    }

    private struct Query {
        var label: String?
        var hash: String?
        var group: String?
        var protection: String?

        var request: ItemRequest {
            var request = identity
            request["labl"] = label.map { .string($0) }
            request["klbl"] = hash.map { data($0) }
            request["agrp"] = group.map { .string($0) }
            request["pdmn"] = protection.map { .string($0) }
            return request
        }
    }

    private static func query(_ random: inout SeededGenerator) -> Query {
        func some(_ values: [String], _ random: inout SeededGenerator) -> String? {
            Int.random(in: 0..<3, using: &random) == 0 ? values.randomElement(using: &random) : nil
        }
        return Query(
            label: some(["L", "M"], &random),
            hash: some(["a", "b"], &random),
            group: some(groups, &random),
            protection: some(["ak", "ck", "dk"], &random)
        )
    }

    /// The numbers of the certificate and the key of each matching identity.
    private static func pairs(
        _ certificates: [Half],
        _ keys: [Half],
        _ query: Query,
        isLocked: Bool
    ) throws(KeychainError) -> [String] {
        func isClosed(_ half: Half) -> Bool { isLocked && half.protection == "ak" }
        let meant = keys.indices.filter { number in
            let key = keys[number]
            return !key.isSynchronizable && (query.hash.map { key.hash == $0 } ?? true)
                && (query.group.map { key.group == $0 } ?? true)
                && (query.protection.map { key.protection == $0 } ?? true) && key.isPrivateKey
        }
        var found: [String] = []
        for (number, certificate) in certificates.enumerated() {
            guard !isClosed(certificate) else {
                guard meant.isEmpty else { throw .locked }
                continue
            }
            guard query.label.map({ certificate.label == $0 }) ?? true, let hash = certificate.hash else { continue }
            for other in meant where keys[other].hash == hash {
                guard !isClosed(keys[other]) else { throw .locked }
                found.append("\(number) \(other)")
            }
        }
        guard !found.isEmpty else { throw .itemNotFound }
        return found
    }

    @Test(arguments: UInt64(1)...16) func `the keychain and the model give the same answers`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sample = try KeychainSample(AccessGroups(declared: Self.groups))
        var (certificates, keys): ([Half], [Half]) = ([], [])
        for number in 0..<Int.random(in: 2...6, using: &random) {
            let half = Self.half(&random)
            var request = half.request.with(["class": "cert", "slnr": data("\(number)"), "v_Data": data("\(number)")])
            request["pkhh"] = half.hash.map { data($0) }
            try sample.keychain.add(request)
            certificates.append(half)
        }
        for number in 0..<Int.random(in: 2...6, using: &random) {
            let half = Self.half(&random)
            var request = half.request.with(["class": "keys", "atag": data("\(number)"), "v_Data": data("\(number)")])
            request["klbl"] = half.hash.map { data($0) }
            request["priv"] = 1
            request["kcls"] = half.isPrivateKey ? 1 : 0
            try sample.keychain.add(request)
            keys.append(half)
        }
        if Bool.random(using: &random) { try sample.keychain.compact() }
        for isLocked in [false, true] {
            if isLocked { sample.keychain.lock() }
            for _ in 0..<20 {
                let query = Self.query(&random)
                let expected = Result { () throws(KeychainError) in
                    try Self.pairs(certificates, keys, query, isLocked: isLocked)
                }
                let found = Result { () throws(KeychainError) in try sample.keychain.pairs(query.request) }
                #expect(found == expected, "\(query), \(isLocked)")
            }
        }
    }
}

extension Keychain {
    /// The data of the certificate and the key of each identity that matches a request.
    fileprivate func pairs(_ request: ItemRequest) throws(KeychainError) -> [String] {
        let answer = try find(request.with(["r_Data": true, "r_Attributes": true, "m_Limit": "m_LimitAll"]))
        guard case .list(let answers) = answer else { return [] }
        return answers.map { answer in
            ["certdata", "v_Data"].map { name in
                guard case .data(let bytes)? = answer.values[name] else { return "" }
                return String(decoding: bytes, as: UTF8.self)
            }.joined(separator: " ")
        }
    }
}
