import Coffer
import Foundation
import VaultStore

/// The time that a merge of two large copies takes, compared with reading both.
struct MergeBench {
    private let itemCount: Int

    init(itemCount: Int) {
        self.itemCount = itemCount
    }

    func run() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-bench-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        var options = VaultOptions(
            locations: VaultLocations(vault: nil, deviceKey: directory.appending(path: "device.key").path, anchors: nil)
        )
        options.compactsWhenDue = false
        let paths = ["own", "other"].map { directory.appending(path: "\($0).coffer").path }
        let own = try Vault.create(at: paths[0], options: options)
        try FileManager.default.copyItem(atPath: paths[0], toPath: paths[1])
        let other = try Vault.open(at: paths[1], options: options)
        try fill(own, from: 0)
        try fill(other, from: itemCount)
        for isCompacted in [false, true] {
            if isCompacted { for vault in [own, other] { try vault.store.compact() } }
            let merging = directory.appending(path: "merging.coffer").path
            try? FileManager.default.removeItem(atPath: merging)
            try FileManager.default.copyItem(atPath: paths[0], toPath: merging)
            let reading = try Self.seconds { for path in paths { try read(path, options) } }
            let merge = try Self.seconds {
                let vault = try Vault.open(at: merging, options: options)
                let report = try vault.store.merge(try Vault.openCopy(at: paths[1], options: options).store)
                precondition(report.addedItemCount == itemCount)
            }
            print(
                "\(isCompacted ? "compacted" : "from logs"): reading both \(reading.formatted()) s, "
                    + "merging \(itemCount) items \(merge.formatted()) s, \((merge / reading).formatted()) times"
            )
        }
    }

    private func fill(_ vault: Vault, from first: Int) throws {
        let keychain = vault.keychain(for: AccessGroups(application: "com.example.bench"))
        let secret = [UInt8](repeating: 7, count: 64)
        for start in stride(from: first, to: first + itemCount, by: 1000) {
            try keychain.transaction { (transaction) throws(KeychainError) in
                for number in start..<min(start + 1000, first + itemCount) {
                    let item = GenericPassword(
                        service: "service \(number / 4)",
                        account: "account \(number)"
                    )
                    try transaction.add(item, secret: secret)
                }
            }
        }
    }

    /// Opens a vault and reads all its items with their secrets.
    private func read(_ path: String, _ options: VaultOptions) throws {
        let vault = try Vault.open(at: path, options: options)
        let count = try vault.store.read { vault in
            var count = 0
            for group in vault.groupNames.keys {
                for item in try vault.items(in: group) {
                    _ = try vault.attributes(of: item)
                    if try vault.secret(of: item) != nil { count += 1 }
                }
            }
            return count
        }
        precondition(count == itemCount)
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = Measurement.sharedNanoseconds()
        try body()
        return Double(Measurement.sharedNanoseconds() - start) / 1e9
    }
}
