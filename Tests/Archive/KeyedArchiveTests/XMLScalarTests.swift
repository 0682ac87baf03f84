import KeyedArchive
import Testing

@Suite("XML scalars") struct XMLScalarTests {
    @Test(arguments: [
        Accepted("<integer>0</integer>", 0),
        Accepted("<integer>\n +0042\t</integer>", 42),
        Accepted("<integer>-0</integer>", 0),
        Accepted("<integer>-7</integer>", -7),
        Accepted("<integer>0xfF</integer>", 255),
        Accepted("<integer>-0X10</integer>", -16),
        Accepted("<integer>&#13;1</integer>", 1),
        Accepted("<integer>170141183460469231731687303715884105727</integer>", .integer(.max)),
        Accepted("<integer>-170141183460469231731687303715884105728</integer>", .integer(.min)),
        Accepted("<integer>-0x80000000000000000000000000000000</integer>", .integer(.min)),
    ])
    func `integers have 128 bits`(accepted: Accepted) throws { try accepted.expect() }

    @Test(arguments: ["", " ", "-", "+", "0x", "1 2", "--1", "- 1", "1a", "0xg", "1.0", "\u{661}", "1\u{A0}", "0x-1"])
    func `other integers are refused`(text: String) {
        Refused("\n<integer>\(text)</integer>", .malformedInteger, line: 2).expect()
    }

    @Test(arguments: [
        "170141183460469231731687303715884105728", "-170141183460469231731687303715884105729",
        "0x80000000000000000000000000000000", "-0x80000000000000000000000000000001",
        "99999999999999999999999999999999999999999999",
    ])
    func `integers of more than 128 bits are refused`(text: String) {
        Refused("<integer>\(text)</integer>", .integerOutOfRange).expect()
    }

    @Test func `an empty element is not a number or a date`() {
        Refused("<integer/>", .malformedInteger).expect()
        Refused("<real/>", .malformedReal).expect()
        Refused("<date/>", .malformedDate).expect()
    }

    @Test(arguments: [
        Accepted("<real>1.5</real>", 1.5),
        Accepted("<real> -1e-3\n</real>", -0.001),
        Accepted("<real>+.5E+2</real>", 50.0),
        Accepted("<real>7</real>", 7.0),
        Accepted("<real>-0</real>", -0.0),
        Accepted("<real>1e400</real>", .real(.infinity)),
        Accepted("<real>NaN</real>", .real(.nan)),
        Accepted("<real>inf</real>", .real(.infinity)),
        Accepted("<real>+INF</real>", .real(.infinity)),
        Accepted("<real>-inf</real>", .real(-.infinity)),
        Accepted("<real>Infinity</real>", .real(.infinity)),
        Accepted("<real>+infinity</real>", .real(.infinity)),
        Accepted("<real>-infinity</real>", .real(-.infinity)),
    ])
    func `reals are decimal or named`(accepted: Accepted) throws { try accepted.expect() }

    @Test(arguments: [
        "", " ", ".", "1e", "e5", "1,5", "0x1p3", "-nan", "nan(1)", "infinit", "1 2", "1.2.3", "+-1", "1_0", "1f",
    ])
    func `other reals are refused`(text: String) {
        Refused("\n<real>\(text)</real>", .malformedReal, line: 2).expect()
    }

    @Test(arguments: [
        Accepted("<date>2001-01-01T00:00:00Z</date>", .date(secondsSinceReferenceDate: 0)),
        Accepted("<date>2000-12-31T23:59:59Z</date>", .date(secondsSinceReferenceDate: -1)),
        Accepted("<date>1970-01-01T00:00:00Z</date>", .date(secondsSinceReferenceDate: -978_307_200)),
        Accepted("<date>2000-02-29T12:00:00Z</date>", .date(secondsSinceReferenceDate: -26_481_600)),
        Accepted("<date>2024-02-29T00:00:00Z</date>", .date(secondsSinceReferenceDate: 730_857_600)),
        Accepted("<date>0001-01-01T00:00:00Z</date>", .date(secondsSinceReferenceDate: -63_113_904_000)),
        Accepted("<date>9999-12-31T23:59:59Z</date>", .date(secondsSinceReferenceDate: 252_423_993_599)),
    ])
    func `dates count from 2001`(accepted: Accepted) throws { try accepted.expect() }

    @Test(arguments: [
        "2001-02-29", "1900-02-29", "2100-02-29", "2001-00-01", "2001-13-01", "2001-01-00", "2001-01-32",
        "2001-04-31", "2001-06-31", "2001-09-31", "2001-11-31", "0000-01-01",
    ])
    func `days that do not exist are refused`(day: String) {
        Refused("\n<date>\(day)T00:00:00Z</date>", .noSuchDate, line: 2).expect()
    }

    @Test(arguments: ["24:00:00", "23:60:00", "23:59:60"])
    func `times that do not exist are refused`(time: String) {
        Refused("<date>2001-01-01T\(time)Z</date>", .noSuchDate).expect()
    }

    @Test(arguments: [
        "", "2001-01-01", "2001-01-01T00:00:00", "2001-01-01T00:00:00z", " 2001-01-01T00:00:00Z",
        "2001-01-01T00:00:00Z ", "-001-01-01T00:00:00Z", "-2001-01-01T00:00:00Z", "2001-1-001T00:00:00Z",
        "2001-01-01 00:00:00Z", "2001-01-01T00:00:0aZ", "2001-01-01T00:00:00.5Z", "12001-01-01T00:00:00Z",
    ])
    func `other forms of date are refused`(text: String) {
        Refused("<date>\(text)</date>", .malformedDate).expect()
    }
}
