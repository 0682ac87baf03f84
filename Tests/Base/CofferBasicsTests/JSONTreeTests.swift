import CofferBasics
import Testing

@Suite("JSON trees") struct JSONTreeTests {
    private func root(_ text: String) throws -> JSONNode { try JSONTree(HeldSecret(text)).root }

    /// The error that `body` throws; nil if it throws none.
    private func textError(_ body: () throws -> Void) -> TextError? {
        do { try body() } catch { return error as? TextError }
        return nil
    }

    @Test func `values are found by key and in their order`() throws {
        let root = try root(#" {"a": [1, "two", null, true, {}], "b": {"c": "d"}, "e": -1.5e3} "#)
        #expect(root.members.map(\.name) == ["a", "b", "e"])
        let elements = root["a"]?.elements ?? []
        #expect(elements.map(\.kind) == [.number, .string, .null, .bool, .object])
        #expect(elements.map(\.text) == ["1", "two", nil, "true", nil])
        #expect(root["b"]?["c"]?.secret?.text == "d")
        #expect(root["b"]?["x"] == nil)
        #expect(root["e"]?.integer == -1500)
        #expect(root["e"]?.text == "-1.5e3")
    }

    @Test func `null is the same as a missing key`() throws {
        let root = try root(#"{"a": null}"#)
        #expect(root["a"] == nil)
        #expect(root.members.map(\.value.kind) == [.null])
    }

    @Test func `escape sequences become characters`() throws {
        let root = try root(#"{"\u0061\n": "\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00\u0000é"}"#)
        #expect(root["a\n"]?.text == "\"\\/\u{8}\u{C}\n\r\t\u{E4}\u{1F600}\0é")
    }

    @Test(arguments: [
        ("12", 12), ("\"12\"", 12), ("1.0", 1), ("1.5", nil), ("1e400", nil), ("\"x\"", nil), ("[]", nil),
    ])
    func `integers may be written as strings`(text: String, expected: Int64?) throws {
        #expect(try root(text).integer == expected)
    }

    @Test(arguments: [("true", true), ("\"True\"", true), ("1", true), ("\"1\"", true), ("0", false), ("\"\"", false)])
    func `flags may be numbers and strings`(text: String, expected: Bool) throws {
        #expect(try root(text).isTrue == expected)
    }

    @Test func `the source of a value is what the file has`() throws {
        let root = try root(#"{"a": {"b": ["\u0041", 1]}, "c": "\n"}"#)
        #expect(root["a"]?.source.text == #"{"b": ["\u0041", 1]}"#)
        #expect(root["c"]?.source.text == #""\n""#)
    }

    @Test func `the last of several equal keys counts and the second is reported`() throws {
        let tree = try JSONTree(HeldSecret(#"{"a": 1, "b": {"x": 1, "\u0078": 2}}"#))
        #expect(tree.root["b"]?["x"]?.integer == 2)
        #expect(tree.duplicateKeyOffset == 24)
        #expect(try JSONTree(HeldSecret(#"[{"a": 1}, {"a": 1}]"#)).duplicateKeyOffset == nil)
        let keys = (0..<70).map { "\"\($0)\": 0" }.joined(separator: ",")
        #expect(try JSONTree(HeldSecret("{\(keys)}")).duplicateKeyOffset == nil)
        #expect(try JSONTree(HeldSecret("{\(keys),\"7\":1}")).duplicateKeyOffset != nil)
    }

    @Test(arguments: [
        ("", 0), ("{", 1), ("[1,]", 3), ("[1 2]", 3), ("{\"a\" 1}", 5), ("{a: 1}", 1), ("[01]", 2), ("[1.]", 3),
        ("[-]", 2), ("[+1]", 1), ("\"a", 2), ("\"\n\"", 1), ("\"\\x\"", 1), ("\"\\u12G4\"", 5), ("\"\\ud800x\"", 1),
        ("\"\\udc00\"", 1), ("\"\\ud800\\u0041\"", 1), ("tru", 0), ("[] []", 3), ("[1e]", 3), ("{\"a\":1,}", 7),
        ("'a'", 0), ("// a\n[]", 0), ("NaN", 0),
    ])
    func `invalid JSON is refused with its position`(text: String, offset: Int) {
        guard case .invalid(let message)? = textError({ _ = try root(text) }) else {
            Issue.record("accepted")
            return
        }
        #expect(message.hasPrefix("byte \(offset): "), "\(message)")
    }

    @Test func `invalid UTF-8 is refused with its position`() {
        let error = textError { _ = try JSONTree(HeldSecret([0x22, 0x61, 0xFF, 0x22])) }
        #expect(error == .invalid("byte 2: not UTF-8; save the file as UTF-8 and try again"))
    }

    @Test func `a byte-order mark is skipped`() throws {
        #expect(try root("\u{FEFF}[1]").elements.count == 1)
    }

    @Test func `64 levels are read and 65 are refused`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "[", count: count) + String(repeating: "]", count: count)
        }
        #expect(try root(nested(64)).kind == .array)
        #expect(textError { _ = try root(nested(65)) } == .tooLarge("byte 64: more than 64 levels"))
    }
}

extension HeldSecret {
    convenience init(_ text: String) {
        self.init(Array(text.utf8))
    }

    convenience init(_ bytes: [UInt8]) {
        self.init(copying: bytes.span)
    }
}
