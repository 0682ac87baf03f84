import CofferCLI
import Testing

@Suite("Tables and bars") struct TextTests {
    private func lines(isTerminal: Bool, _ rows: [[String]]) throws -> [String] {
        var table = TextTable(["NAME", "WHOSE", "WHEN"], terminalOnly: [2])
        for row in rows { table.add(row) }
        return try GatheredOutput.lines(isTerminal: isTerminal) { try table.write(to: $0, isColored: false) }
    }

    @Test func `on a terminal, columns are as wide as their content`() throws {
        let rows = [["a long name", "me", "now"], ["b", "somebody", "then"]]
        #expect(
            try lines(isTerminal: true, rows) == [
                "NAME         WHOSE     WHEN", "a long name  me        now", "b            somebody  then",
            ]
        )
    }

    @Test func `East Asian characters take two columns, combining accents none`() throws {
        let rows = [["日本", "me", "now"], ["e\u{301}", "me", "now"], ["🔑", "me", "now"]]
        #expect(
            try lines(isTerminal: true, rows) == [
                "NAME  WHOSE  WHEN", "日本  me     now", "e\u{301}     me     now", "🔑    me     now",
            ]
        )
    }

    @Test func `without a terminal there are tabs, no headings and fewer columns`() throws {
        #expect(try lines(isTerminal: false, [["a", "me", "now"], ["b", "", "then"]]) == ["a\tme", "b\t"])
    }

    @Test(arguments: [true, false])
    func `a table without rows prints nothing`(isTerminal: Bool) throws {
        #expect(try lines(isTerminal: isTerminal, []).isEmpty)
    }

    @Test func `the longest bar takes the rest of the line`() {
        var chart = BarChart()
        chart.add(["live"], 100, "100 bytes")
        chart.add(["old"], 50, "50 bytes")
        chart.add(["little"], 1, "1 byte")
        chart.add(["none"], 0, "0 bytes")
        #expect(
            chart.lines(columnCount: 29) == [
                "live    100 bytes  ▇▇▇▇▇▇▇▇▇▇", "old      50 bytes  ▇▇▇▇▇", "little     1 byte  ▇",
                "none      0 bytes",
            ]
        )
    }

    @Test func `charts below one another can begin at the same column`() {
        var chart = BarChart()
        chart.add(["a", "b"], 2, "2")
        #expect(chart.headColumnCount == 9)
        #expect(chart.lines(columnCount: 16, headColumnCount: 12) == ["a  b     2  ▇▇▇▇"])
        #expect(chart.lines(columnCount: 16, headColumnCount: 3) == ["a  b  2  ▇▇▇▇▇▇▇"])
    }

    @Test func `only bars are colored, and only if color is on`() {
        var chart = BarChart()
        chart.add(["a"], 1, "1", color: "32")
        chart.add(["b"], 1, "1")
        #expect(chart.lines(columnCount: 8, isColored: true) == ["a  1  \u{1B}[32m▇▇\u{1B}[0m", "b  1  ▇▇"])
        #expect(chart.lines(columnCount: 8) == ["a  1  ▇▇", "b  1  ▇▇"])
    }

    @Test(arguments: [0, 5, 18])
    func `a narrow terminal does not trap`(columnCount: Int) {
        var chart = BarChart()
        chart.add(["a name", "b"], .max, "many")
        #expect(chart.lines(columnCount: columnCount) == ["a name  b  many  ▇"])
        #expect(BarChart().lines(columnCount: columnCount).isEmpty)
    }
}

@Suite("Spelling") struct SpellingTests {
    private let words = ["get", "set", "list", "show", "history", "restore", "entitlements check"]

    @Test(arguments: [
        ("lits", "list"), ("lst", "list"), ("liist", "list"), ("hsitory", "history"), ("histroy", "history"),
        ("gte", "get"), ("restoer", "restore"), ("shwo", "show"), ("entitlement check", "entitlements check"),
    ])
    func `a misspelled word finds the nearest verb`(word: String, meant: String) {
        #expect(word.nearest(in: words) == meant)
    }

    @Test(arguments: ["", "x", "-x", "frobnicate", "xyz", String(repeating: "long", count: 100)])
    func `an unrelated word finds no verb`(word: String) {
        #expect(word.nearest(in: words) == nil)
        #expect(word.nearest(in: []) == nil)
    }
}
