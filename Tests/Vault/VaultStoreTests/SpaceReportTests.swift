import Foundation
import KeyedArchive
import TestSupport
import Testing
import VaultFormat
import VaultStore

/// What the bytes of a vault are used for.
@Suite("Space", .temporaryDirectory) struct SpaceReportTests {
    private func sample() throws -> StoreSample {
        try StoreSample(at: TemporaryDirectory.current.appending(path: "vault.coffer").path)
    }

    private func check(_ report: SpaceReport, of sample: StoreSample) throws {
        #expect(report.fileByteCount == (try sample.bytes().count))
        let parts = report.headByteCount + report.snapshotByteCount + report.logByteCount + report.reserveByteCount
        #expect(parts == report.fileByteCount)
        #expect(report.liveByteCount >= 0 && report.deadByteCount >= 0)
    }

    @Test func `items are counted by group and class`() throws {
        let sample = try sample()
        let other = Array("another".utf8)
        try sample.store.transaction { transaction in
            for account in ["kim", "lee"] { try transaction.addLogin(account, "mail", "x") }
            try transaction.addLogin("kim", "mail", "x", group: other)
        }
        let report = try sample.store.spaceReport()
        #expect(
            report.counts == [
                SpaceReport.Count(group: other, itemClass: .genericPassword, itemCount: 1),
                SpaceReport.Count(group: StoreSample.group, itemClass: .genericPassword, itemCount: 2),
            ]
        )
        #expect(report.deadByteCount == 0 && report.pastRevisionCount == 0 && !report.hasClosedGroups)
        try check(report, of: sample)
    }

    @Test func `superseded data in the log is dead until a compaction`() throws {
        let sample = try sample()
        let secret = String(repeating: "s", count: 10_000)
        try sample.store.add("kim", "mail", secret)
        try sample.store.add("lee", "mail", "short")
        let item = try #require(try sample.store.item("kim", "mail"))
        try sample.store.update(item, "kim", "mail", secret: "short")
        let report = try sample.store.spaceReport()
        #expect(report.pastRevisionCount == 1)
        // The long secret is dead; what is live is much smaller.
        #expect((10_000..<12_000).contains(report.deadByteCount))
        #expect(report.liveByteCount < 4_000)
        try check(report, of: sample)
        try sample.store.compact()
        let compacted = try sample.store.spaceReport()
        #expect(compacted.deadByteCount == 0 && compacted.pastRevisionCount == 0 && compacted.logByteCount == 0)
        try check(compacted, of: sample)
    }

    @Test func `data in the snapshot that the log has superseded is dead`() throws {
        let sample = try sample()
        let secret = String(repeating: "s", count: 10_000)
        try sample.store.add("kim", "mail", secret)
        try sample.store.add("lee", "mail", "short")
        try sample.store.compact()
        try sample.store.delete(try #require(try sample.store.item("kim", "mail")))
        let report = try sample.store.spaceReport()
        #expect(report.pastRevisionCount == 1)
        #expect(report.deadByteCount > 10_000 && report.deadByteCount < report.fileByteCount)
        #expect(report.counts.map(\.itemCount) == [1])
        try check(report, of: sample)
    }

    @Test func `kept past revisions are neither live nor dead`() throws {
        let sample = try sample()
        try sample.store.transaction { transaction in
            var settings = Settings(revision: 0, values: [:])
            settings.historyDays = 100
            try transaction.change(settings)
        }
        try sample.store.add("kim", "mail", "1")
        try sample.store.update(try #require(try sample.store.item("kim", "mail")), "kim", "mail", secret: "2")
        try sample.store.compact()
        let report = try sample.store.spaceReport()
        #expect(report.historyByteCount > 0 && report.pastRevisionCount == 1 && report.deadByteCount == 0)
        try check(report, of: sample)
    }

    @Test func `a locked vault reports the same`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        let report = try sample.store.spaceReport()
        sample.store.lock()
        #expect(try sample.store.spaceReport() == report)
    }

    // MARK: - The end

    @Test func `a reader learns what is wrong with the end`() throws {
        let sample = try sample()
        try sample.store.add("kim", "mail", "x")
        #expect(sample.store.tail.verdict == .clean)
        var bytes = try sample.bytes()
        let end = ((bytes.lastIndex { $0 != 0 } ?? 0) / 64 + 1) * 64
        bytes.replaceSubrange(end..., with: [UInt8](repeating: 0xFF, count: 1_024))
        try sample.replaceFile(with: bytes)
        #expect(try sample.reopened().tail.verdict == .damaged(byteCount: 1_024))
        #expect(try sample.bytes() == bytes, "reading writes nothing")
    }
}
