import CofferPasswordFiles
import Testing

@Suite("Dates of password files") struct FileDateTests {
    // Expected values from `date -u -d TEXT +%s`.
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-31T12:30:15Z", 1_769_862_615),
        ("2026-01-31T12:30:15.999Z", 1_769_862_615),
        ("2026-01-31T13:30:15+01:00", 1_769_862_615), ("2026-01-31T09:00:15-0330", 1_769_862_615),
        ("2026-01-31 12:30:15", 1_769_862_615), ("2026-01-31T12:30", 1_769_862_600), ("2024-02-29", 1_709_164_800),
        ("2000-02-29T23:59:60Z", 951_868_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ])
    func `dates of ISO 8601 are seconds`(text: String, seconds: Int64) {
        #expect(FileDate.iso8601(text) == seconds)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01", "2026-02-29", "2026-1-1", "2026-01-01T24:00:00Z", "2026-01-01T00:60Z", "0000-01-01",
        "2026-01-01T", "2026-01-01T10:00:00+25:00", "1969-12-31T23:59:59Z", "2026-01-01x", "２０２６-01-01",
    ])
    func `other text is no date`(text: String) {
        #expect(FileDate.iso8601(text) == nil)
    }

    @Test func `numbers are seconds or milliseconds by their size`() {
        #expect(FileDate.text("1769862615") == 1_769_862_615)
        #expect(FileDate.text("1769862615000") == 1_769_862_615)
        #expect(FileDate.text(" 2026-01-31T12:30:15Z ") == 1_769_862_615)
        #expect(FileDate.text("-5") == nil)
    }

    @Test(arguments: [Int64.min, -1, 253_402_300_800, Int64.max])
    func `dates out of range do not exist`(seconds: Int64) {
        #expect(FileDate.seconds(seconds) == nil)
        if seconds < 0 || seconds == .max { #expect(FileDate.milliseconds(seconds) == nil) }
    }

    // 63,905,459,415 s after 0001-01-01 is 0x0E_E10F_ECD7.
    @Test func `dates of KeePass are ISO 8601 or base64 of seconds since the year 1`() {
        #expect(FileDate.keePass("2026-01-31T12:30:15Z") == 1_769_862_615)
        #expect(FileDate.keePass("1+wP4Q4AAAA=") == 1_769_862_615)
        #expect(FileDate.keePass("AAAAAAAAAAA=") == nil)
        #expect(FileDate.keePass("//////////8=") == nil)
        #expect(FileDate.keePass("AAAAAAAAAIA=") == nil)
        #expect(FileDate.keePass("1+wP4Q4=") == nil)
    }

    // Expected texts from `date -u -d @SECONDS`.
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (-315_619_200, "1960-01-01T00:00:00Z"), (951_868_799, "2000-02-29T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
            (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_135_596_801, nil), (253_402_300_800, nil), (.min, nil), (.max, nil),
        ] as [(Int64, String?)]
    )
    func `dates are written as text, also before 1970`(seconds: Int64, text: String?) {
        #expect(FileDate.iso8601(ofSeconds: seconds) == text)
    }
}
