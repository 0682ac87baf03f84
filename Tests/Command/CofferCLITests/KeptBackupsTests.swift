import Testing

@testable import CofferCLI

@Suite("Which backups are kept") struct KeptBackupsTests {
    private func surplus(_ kept: KeptBackups, among stamps: [String]) -> [String] {
        kept.surplus(among: stamps) { $0[...] }
    }

    @Test func `the last one of each day is kept`() {
        let stamps = ["20260101T080000Z", "20260101T200000Z", "20260102T080000Z", "20260102T080001Z"]
        #expect(surplus(KeptBackups(days: 7, weeks: 0, months: 0), among: stamps) == [stamps[0], stamps[2]])
    }

    @Test func `days without a backup do not count`() {
        let stamps = ["20260101T080000Z", "20260301T080000Z", "20260501T080000Z"]
        #expect(surplus(KeptBackups(days: 2, weeks: 0, months: 0), among: stamps) == [stamps[0]])
    }

    /// 2026-01-04 is a Sunday, 2026-01-05 a Monday.
    @Test func `a week begins on Monday`() {
        let stamps = ["20260103T080000Z", "20260104T080000Z", "20260105T080000Z"]
        #expect(surplus(KeptBackups(days: 0, weeks: 4, months: 0), among: stamps) == [stamps[0]])
    }

    @Test func `the last one of each month is kept, over a year's end`() {
        let stamps = ["20251130T080000Z", "20251201T080000Z", "20251231T080000Z", "20260101T080000Z"]
        #expect(surplus(KeptBackups(days: 0, weeks: 0, months: 2), among: stamps) == [stamps[0], stamps[1]])
    }

    @Test func `the newest is kept in any case`() {
        let stamps = ["20260101T080000Z", "20260102T080000Z"]
        #expect(surplus(KeptBackups(days: 0, weeks: 0, months: 0), among: stamps) == [stamps[0]])
        #expect(surplus(KeptBackups(), among: []) == [])
    }

    /// Daily backups of two years: 7 days, 4 weeks of which the newest is among the days, and 12 months likewise.
    @Test func `what a daily backup leaves after two years`() {
        var stamps: [String] = []
        for year in ["2024", "2025"] {
            for (month, count) in zip(1..., [31, year == "2024" ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
                for day in 1...count {
                    stamps.append("\(year)\(month < 10 ? "0" : "")\(month)\(day < 10 ? "0" : "")\(day)T030000Z")
                }
            }
        }
        let removed = Set(surplus(KeptBackups(), among: stamps))
        #expect(
            stamps.filter { !removed.contains($0) }.map { $0.prefix(8) } == [
                "20250131", "20250228", "20250331", "20250430", "20250531", "20250630", "20250731", "20250831",
                "20250930", "20251031", "20251130", "20251214", "20251221", "20251225", "20251226", "20251227",
                "20251228", "20251229", "20251230", "20251231",
            ]
        )
    }
}
