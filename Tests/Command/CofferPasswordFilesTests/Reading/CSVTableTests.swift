import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("CSV tables") struct CSVTableTests {
    private func table(_ text: String) throws -> CSVTable { try CSVTable(HeldSecret(text)) }

    private func cells(_ text: String) throws -> [[String]] {
        let table = try table(text)
        return table.rows.map { row in table.header.indices.compactMap { row[$0]?.text } }
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `lines may end in LF, CRLF or CR`(end: String) throws {
        #expect(try cells("a,b\(end)1,2\(end)3,4") == [["1", "2"], ["3", "4"]])
        #expect(try cells("a,b\(end)1,2\(end)") == [["1", "2"]])
    }

    @Test func `quoted cells contain commas, quotes and line ends as they are`() throws {
        #expect(try cells("a,b\n\"1,\"\"x\"\"\",\"2\r\n3\n\n4\"\n") == [["1,\"x\"", "2\r\n3\n\n4"]])
    }

    @Test func `a quote inside an unquoted cell is part of it`() throws {
        #expect(try cells("a,b\n1\"2\"\"3, \"x\"\n") == [["1\"2\"\"3", " \"x\""]])
    }

    @Test func `blank lines do not count, and lines are those of the file`() throws {
        let table = try table("\n\r\n a ,B\n\n1,\"2\n\n\"\n  \n,\n3,4\n\n")
        #expect(table.header == ["a", "B"])
        #expect(table.rows.map(\.line) == [5, 10])
    }

    @Test func `columns are found by trimmed name in any case`() throws {
        let table = try table("\u{FEFF} Title ,URL,title\nx,y,z\n")
        #expect(table.column("TITLE") == 0)
        #expect(table.column("url") == 1)
        #expect(table.column("name") == nil)
        #expect(table.rows.first?["title"]?.text == "x")
    }

    @Test func `cells are never trimmed`() throws {
        #expect(try cells("a,b\n  1 , \u{E4} \n") == [["  1 ", " \u{E4} "]])
    }

    @Test func `an empty quoted cell differs from an empty one`() throws {
        let row = try #require(try table("a,b,c\n,\"\",x").rows.first)
        #expect([row["a"], row["b"], row["c"]].map { $0?.isQuoted } == [false, true, false])
        #expect([row["a"], row["b"], row["c"]].map { $0?.isEmpty } == [true, true, false])
    }

    @Test func `a short row lacks cells and a long one is a problem`() throws {
        let rows = try Array(table("a,b\n1\n1,2,3\n").rows)
        #expect(rows[0].problem == nil)
        #expect(rows[0]["b"] == nil)
        #expect(rows[1].problem == "3 cells, but the header has 2; is a comma not quoted?")
    }

    @Test func `broken quotes are a problem of their row`() throws {
        let rows = try Array(table("a,b\n\"1\"x,2\n3,4\n5,\"6\n7,8\n").rows)
        #expect(rows.map(\.problem) == ["text after the closing quote of a cell", nil, "a quote is not closed"])
        #expect(rows[1]["b"]?.text == "4")
    }

    @Test(arguments: [";", "\t"])
    func `other separators are used if the header has no comma`(separator: String) throws {
        #expect(try cells("a\(separator)b\n1,2\(separator)3\n") == [["1,2", "3"]])
        #expect(try table("a,b\(separator)c\n").header == ["a", "b\(separator)c"])
    }

    @Test func `UTF-8 that is invalid is refused with its position`() {
        let error = fileError { _ = try CSVTable(HeldSecret(Array("a,b\n1,".utf8) + [0xE4, 0x0A])) }
        #expect(error == .invalid("byte 6: not UTF-8; save the file as UTF-8 and try again"))
    }

    @Test func `rows and cells are limited, those that short rows lack included`() throws {
        let rows = String(repeating: "x\n", count: 1 << 19 + 1)
        #expect(fileError { _ = try table("a,b\n" + rows) } == .tooLarge("line 524290: more than 524288 rows"))
        let header = String(repeating: "a,", count: 999) + "\n"
        #expect(try table(header + String(repeating: "x\n", count: 8387)).rows.count == 8387)
        let error = fileError { _ = try table(header + String(repeating: "x\n", count: 8388)) }
        #expect(error == .tooLarge("more than 8388608 cells"))
    }

    @Test func `a file without rows has no form, and a header may have 1,000 columns`() throws {
        #expect(fileError { _ = try table("\n\n") } == .unknownForm)
        #expect(try table(String(repeating: "a,", count: 999)).header.count == 1000)
        let error = fileError { _ = try table(String(repeating: "a,", count: 1000)) }
        #expect(error == .tooLarge("the header has more than 1000 columns"))
    }
}
