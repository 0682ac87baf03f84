import CofferBasics
import Foundation
import VaultFormat
import VaultStore

/// How many bytes an item takes: fresh in the log, compacted, and with nine past revisions.
struct StoreSizes {
    private static let counts = [1, 10, 100, 1_000, 100_000]
    private static let revisionCount = 10
    /// With more items than this, many are added in one transaction, and there are no past revisions.
    private static let mostSingle = 1_000

    func run() throws {
        print("items      fresh  compacted  bytes of the file  with \(Self.revisionCount) revisions each")
        for count in Self.counts {
            let directory = FileManager.default.temporaryDirectory.appending(path: "sizes-\(UUID())").path
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let subject = try CofferSubject(creatingIn: StorePlace(directory: directory), indexing: .never)
            try subject.keepHistory(Self.revisionCount)
            let head = try subject.usedByteCount()
            let perTransaction = count > Self.mostSingle ? 1_000 : 1
            for start in stride(from: 0, to: count, by: perTransaction) {
                let items = try (start..<start + perTransaction).map(PreparedItem.init)
                try subject.add(items[...], isDurable: false)
            }
            let fresh = try subject.usedByteCount() - head
            try subject.compact()
            let whole = try subject.usedByteCount()
            var line = "\(count)  \(fresh / count)  \((whole - head) / count)  \(whole)"
            if count <= Self.mostSingle {
                for _ in 1..<Self.revisionCount {
                    for number in 0..<count { try subject.change(PreparedItem(number)) }
                }
                try subject.compact()
                line += "  \(try (subject.usedByteCount() - head) / count)"
            }
            print(line)
        }
    }
}

extension CofferSubject {
    /// Keeps so many past revisions of each item.
    fileprivate func keepHistory(_ count: Int) throws {
        try withStore { store in
            try store.transaction { transaction in
                var settings = Settings()
                settings.historyRevisions = count
                try transaction.change(settings)
            }
        }
    }

    /// The size of the file without the reserve.
    fileprivate func usedByteCount() throws -> Int {
        try withStore { store in
            let report = try store.spaceReport()
            return report.fileByteCount - report.reserveByteCount
        }
    }

    /// Writes another revision of an item.
    fileprivate func change(_ item: PreparedItem) throws {
        try withStore { store in
            try store.transaction(durability: .relaxed) { transaction in
                guard let group else { return }
                let items = try transaction.vault.items(withPrimaryKeyOf: item.primaryKey, in: group)
                guard let found = items.first else { return }
                let secret = item.item.secret
                try transaction.update(found, attributes: item.attributes, secret: .replace(secret.span))
            }
        }
    }
}
