import KeyedArchive
import Testing

@Suite("XML limits") struct XMLLimitTests {
    private static let small = DecodingLimits(byteCount: 100, depth: 3, objectCount: 0, nodeCount: 4)

    private func expect(_ kind: XMLPropertyListError.Kind, line: Int?, key: String? = nil, _ document: String) {
        #expect(throws: XMLPropertyListError(kind: kind, line: line, key: key)) {
            try read(document, limits: Self.small)
        }
    }

    @Test func `the byte limit is checked before everything else`() throws {
        let document = "<true/>" + String(repeating: "\n", count: 93)
        #expect(try read(document, limits: Self.small) == true)
        expect(.tooLarge(limit: 100), line: nil, document + "\0")
    }

    @Test func `a scalar has depth 1 and each container adds 1`() throws {
        #expect(try read("<array><array><true/></array></array>", limits: Self.small) == [[true]])
        expect(.tooDeep(limit: 3), line: 2, "<array><array><array>\n<true/></array></array></array>")
        expect(.tooDeep(limit: 3), line: 1, key: "b", "<array><dict><key>b</key><array><true/></array></dict></array>")
    }

    @Test func `every value counts, but keys do not`() throws {
        let three = "<key>a</key><true/><key>b</key><true/>"
        #expect(try read("<dict>\(three)<key>c</key><true/></dict>", limits: Self.small).dictionary?.count == 3)
        expect(.tooManyValues(limit: 4), line: 2, key: "c", "<dict>\(three)<key>c</key><array>\n<true/></array></dict>")
    }

    private static let smallToWrite = DecodingLimits(byteCount: 1000, depth: 3, objectCount: 100, nodeCount: 4)

    @Test func `the writer observes the same limits`() throws {
        let fitting: PropertyList = ["a": ["b": true, "c": false]]
        let document = try fitting.xmlEncoded(limits: Self.smallToWrite)
        #expect(try PropertyList(xml: document, limits: Self.smallToWrite) == fitting)
        #expect(throws: XMLPropertyListError(kind: .tooDeep(limit: 3), line: nil, key: "b")) {
            try (["a": ["b": [1]]] as PropertyList).xmlEncoded(limits: Self.smallToWrite)
        }
        #expect(throws: XMLPropertyListError(kind: .tooManyValues(limit: 4), line: nil, key: nil)) {
            try ([1, 2, 3, 4] as PropertyList).xmlEncoded(limits: Self.smallToWrite)
        }
        var limits = Self.smallToWrite
        limits.byteCount = document.count - 1
        #expect(throws: XMLPropertyListError(kind: .tooLarge(limit: document.count - 1), line: nil, key: nil)) {
            try fitting.xmlEncoded(limits: limits)
        }
    }

    @Test func `a uid counts as the dictionary that represents it in XML`() throws {
        let uids: PropertyList = [.uid(1), .uid(2)]
        #expect(throws: XMLPropertyListError(kind: .tooManyValues(limit: 4), line: nil, key: "CF$UID")) {
            try uids.xmlEncoded(limits: Self.smallToWrite)
        }
        let document = try ([.uid(1)] as PropertyList).xmlEncoded(limits: Self.smallToWrite)
        #expect(try PropertyList(xml: document, limits: Self.smallToWrite) == [.uid(1)])
    }

    @Test func `hostile nesting gives an error instead of a crash`() {
        let arrays = String(repeating: "<array>", count: 1_000_000)
        Refused(arrays, .tooDeep(limit: 64)).expect()
        let dictionaries = String(repeating: "<dict><key>a</key>\n", count: 1_000_000)
        #expect(throws: XMLPropertyListError(kind: .tooLarge(limit: 16 << 20), line: nil, key: nil)) {
            try read(dictionaries)
        }
        Refused(String(dictionaries.prefix(4_000_000)), .tooDeep(limit: 64), line: 65, key: "a").expect()
    }

    // Each of these would take minutes if anything were quadratic.
    @Test(arguments: ["\n", "&#9;", "]", "<![CDATA[]]>", "<!---->", "<?a?>", "a\r\n"])
    func `long text is read in linear time`(unit: String) throws {
        let document = "<string>" + String(repeating: unit, count: 200_000) + "</string>"
        #expect(throws: Never.self) { try read(document) }
        Refused(document + "<", .markup(.malformedTag), line: document.utf8.count { $0 == 10 } + 1).expect()
    }

    @Test func `a duplicate among many keys is found`() {
        let entries = (0..<20_000).map { "<key>\($0)</key><true/>\n" }.joined()
        Refused("<dict>\(entries)<key>7</key><true/></dict>", .duplicateKey, line: 20_001, key: "7").expect()
    }
}
