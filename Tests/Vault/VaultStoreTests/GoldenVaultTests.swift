import CofferBasics
import Foundation
import Testing
import TestSupport
import VaultFormat
import VaultStore

/// The golden vaults, opened and compacted by the store: they contain everything that a vault can contain.
@Suite("Golden vaults") struct GoldenVaultTests {
    private static let vectors = (try? VaultVector.golden().map(\.vector)) ?? []
    /// Vectors of single rules whose vaults open and are intact.
    private static let whole = ((try? VaultVector.all()) ?? []).filter { $0.expectation == "success" }

    @Test func `there are golden vaults`() {
        #expect(!Self.vectors.isEmpty)
        #expect(Self.whole.count > 20)
    }

    @Test(.temporaryDirectory, arguments: vectors) func `a compaction keeps version and suite`(
        vector: VaultVector
    ) throws {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        try Data(vector.bytes).write(to: URL(filePath: path))
        try vector.opened(at: path).compact()
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        // Section 2.1: the version and the length of the header, the features and the suite.
        #expect(bytes[8..<16] == vector.bytes[8..<16])
        #expect(bytes[40..<56] == vector.bytes[40..<56])
    }

    @Test(.temporaryDirectory, arguments: vectors + whole)
    func `a compaction keeps the content, readable or not`(vector: VaultVector) throws {
        let path = try TemporaryDirectory.current.appending(path: "vault.coffer").path
        try Data(vector.bytes).write(to: URL(filePath: path))
        let store = try vector.opened(at: path)
        guard store.readOnlyReason == nil else { return }
        let mustSign = try store.read { vault in
            vault.verifiedKeybag.hasGrants && !vault.keyring.isOwner
        }
        guard !mustSign else {
            let refusal: StoreError =
                (try vector.credential) == nil ? .keys(.locked) : .keyChange(.notGranted, path: path)
            #expect(throws: refusal) { try store.compact() }
            return
        }
        let before = try store.content()
        let report = try store.compact()
        #expect(try store.content() == before)
        let reopened = try vector.opened(at: path)
        #expect(try reopened.content() == before)
        try reopened.compact()
        #expect(try vector.opened(at: path).content() == before)
        #expect(report.byteCountAfter > 0)
    }
}

extension VaultStore {
    /// Everything known about all items, as far as they can be opened, in creation order.
    fileprivate func content() throws -> [String] {
        try read { vault in
            var lines: [String] = []
            for group in Set(vault.keyring.matchKeys.keys.map(\.group)).sorted() {
                for item in try vault.items(in: group) {
                    var line = "\(item.name) \(item.revision) \(item.order) \(item.protection) \(item.presence)"
                    line += " \(item.hasData) \(item.flags) \(item.itemClass) \(item.dataKey)"
                    if item.presence == .readable {
                        let attributes = try vault.attributes(of: item)
                        let secret = try vault.secret(of: item)
                        let data = secret?.withBytes { bytes in [UInt8](copying: bytes) }
                        line += " \(item.written) \(attributes.values) \(data.map { "\($0)" } ?? "-")"
                    }
                    lines.append(line)
                }
            }
            return lines
        }
    }
}
