import CofferBasics
import Testing

@Suite("Grouped digits") struct GroupedDigitsTests {
    // As `printf "%'d"` in the locale en_US.
    @Test(arguments: [
        (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (65_536, "65,536"), (123_456, "123,456"),
        (1_000_000, "1,000,000"), (-12, "-12"), (-999, "-999"), (-1000, "-1,000"), (-123_456, "-123,456"),
        (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
    ])
    func `a comma stands between thousands`(number: Int, text: String) {
        #expect(number.grouped == text)
    }
}
