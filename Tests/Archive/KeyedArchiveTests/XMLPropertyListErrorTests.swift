import KeyedArchive
import Testing

@Suite("XML errors") struct XMLPropertyListErrorTests {
    @Test func `an error reads as one sentence`() {
        let error = XMLPropertyListError(kind: .unknownElement("strin"), line: 7, key: "keychain-access-groups")
        #expect("\(error)" == "line 7, key \"keychain-access-groups\": <strin> is not a property-list element")
    }

    @Test func `an unknown line or key is omitted`() {
        let kind = XMLPropertyListError.Kind.nullNotRepresentable
        #expect("\(XMLPropertyListError(kind: kind, line: nil, key: nil))" == "XML cannot represent null")
        #expect("\(XMLPropertyListError(kind: kind, line: nil, key: "a"))" == "key \"a\": XML cannot represent null")
        #expect("\(XMLPropertyListError(kind: .noValue, line: 2, key: nil))" == "line 2: the document has no value")
    }

    @Test func `names cannot break a log line`() {
        let error = XMLPropertyListError(kind: .noValue, line: 1, key: "a\"\\\n\u{9B}\u{202E}\u{E9}")
        #expect("\(error)" == #"line 1, key "a\"\\\u{A}\u{9B}\u{202E}é": the document has no value"#)
    }

    @Test func `keys and element names are shortened`() throws {
        let long = String(repeating: "\u{1F600}", count: 65)
        let cut = String(repeating: "\u{1F600}", count: 64)
        let name = String(repeating: "x", count: 64)
        Refused("<dict><key>\(long)</key><\(name)x/></dict>", .unknownElement(name), key: cut).expect()
        try Accepted("<dict><key>\(long)</key><true/></dict>", [long: true]).expect()
    }

    @Test(arguments: [
        Refused(
            "<dict><key>a</key><array><dict><key>b</key><x/></dict></array></dict>",
            .unknownElement("x"),
            key: "b"
        ),
        Refused("<dict><key>a</key><dict><key>b</key><true/><x/></dict></dict>", .unknownElement("x"), key: "a"),
        Refused("<dict><key>a</key><dict/><x/></dict>", .unknownElement("x")),
        Refused("<array><dict><key>a</key><true/></dict><x/></array>", .unknownElement("x")),
        Refused("<dict><key>a</key><dict><key>&b;</key></dict></dict>", .markup(.undefinedEntity), key: "a"),
        Refused("<dict><key>a</key><integer>x</integer></dict>", .malformedInteger, key: "a"),
    ])
    func `the reported key is the innermost one around the error`(refused: Refused) { refused.expect() }

    // Passwords are values: no message may contain one, whatever is wrong with it.
    @Test(arguments: ["integer", "real", "date", "data", "true", "array", "dict"])
    func `values do not appear in messages`(element: String) {
        #expect {
            try read("<\(element)>hunter2!&hunter2;</\(element)>")
        } throws: {
            !"\($0)".contains("hunter2")
        }
        #expect { try read("<\(element)>hunter2!</\(element)>") } throws: { !"\($0)".contains("hunter2") }
    }

    @Test(arguments: ["pw<hunter2 >", "pw</hunter2>", "pw<hunter2 x", "pw<hunter2 a=\"b\"/>", "<!hunter2>", "<hunter2"])
    func `what follows an unescaped less-than sign does not appear in messages`(text: String) {
        #expect { try read("<string>\(text)</string>") } throws: { !"\($0)".contains("hunter2") }
    }
}
