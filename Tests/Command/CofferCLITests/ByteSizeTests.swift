import CofferCLI
import Testing

@Suite("Byte sizes") struct ByteSizeTests {
    // Units of 1,024 and one decimal, rounded to the nearest as by `numfmt --to=iec-i --format=%.1f`.
    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1.0 KiB"), (1536, "1.5 KiB"),
        (1_048_524, "1023.9 KiB"), (1_048_575, "1.0 MiB"), (1_048_576, "1.0 MiB"), (1_258_291, "1.2 MiB"),
        (1_073_741_824, "1.0 GiB"), (1_099_511_627_776, "1.0 TiB"), (5_497_558_138_880, "5.0 TiB"),
    ])
    func `a size has the largest unit that fits`(byteCount: Int, text: String) {
        #expect(ByteSize.text(byteCount) == text)
    }

    @Test func `the greatest number does not trap`() {
        #expect(ByteSize.text(.max).hasSuffix(" TiB"))
    }
}
