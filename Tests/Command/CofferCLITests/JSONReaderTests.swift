import CofferBasics
import CofferCLI
import Testing
import TestSupport
import VaultCrypto

@Suite("JSON reader", .temporaryDirectory) struct JSONReaderTests {
    private static let keys = ["ServerURL", "Username", "Secret"]

    /// Edge cases.
    private static let texts: [String] = [
        "{}", " {\t}\r\n", "", "[]", "7", "{", "}", "{}}", "{} x", "{,}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
        #"{"Secret":"x"}"#, #"{"Secret":"x" , "Username":"\u006b\u0069m"}"#, #"{"Secret":null}"#, #"{"Secret":1}"#,
        #"{"Secret":["x"]}"#, #"{"Secret":true}"#, #"{"secret":"x"}"#, #"{"\u0053ecret":"x"}"#,
        #"{"Secret":"\"\\\/\b\f\n\r\t"}"#, #"{"Secret":"\ud83d\ude00\u20ac\u00e9\u0000"}"#, #"{"Secret":"\ud83d"}"#,
        #"{"Secret":"\ude00"}"#, #"{"Secret":"\ud83d\u0041"}"#, #"{"Secret":"\ud83dx"}"#, #"{"Secret":"\x41"}"#,
        #"{"Secret":"\u12"}"#, #"{"Secret":"\u12G4"}"#, #"{"Secret":"\"#, #"{"Secret":"x"#, "{\"Secret\":\"a\nb\"}",
        "{\"Secret\":\"\u{7F}\u{E9}\u{1F600}\"}", "{\"Secret\":\"\t\"}", #"{"Secret":"x","Secret":"y"}"#,
        #"{"a":{"Secret":"x"}}"#, #"{"a":{"b":1,"b":2}}"#,
        #"{"a":[1,-2,0.5,1e9,1E-9,2.5e+3,true,false,null,"x",{},[]]}"#,
        #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":NaN}"#,
        #"{"a":Infinity}"#, #"{"a":-Infinity}"#, #"{"a":nul}"#, #"{"a":truex}"#, #"{"a":[1,]}"#, #"{"a":[1 2]}"#,
        #"{'a':1}"#, #"{"a" "b"}"#, "\u{FEFF}{}", #"{"a":"\ud800\udc00"}"#, #"{"a":"\udfff\ud800"}"#,
        "{\"a\":" + String(repeating: "[", count: 63) + String(repeating: "]", count: 63) + "}",
        "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
        "{\"a\":" + String(repeating: "[", count: 100_000),
        String(repeating: "{\"a\":", count: 100_000),
    ]

    @Test(.enabled(if: PythonOracle.isExpected))
    func `JSON is read as Python reads it`() throws {
        var items =
            Self.texts.map { Array($0.utf8) } + [[0xFF], Array("{\"Secret\":\"".utf8) + [0xC3] + Array("\"}".utf8)]
        // Valid JSON with a few changed bytes.
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array(#"{}[]:,"\u0d8c1e-.ntrS"#.utf8) + [0x20, 0x0A, 0x80, 0x00]
        let whole = Array(#"{"Secret":"\ud83d\ude00x","Username":"kim","a":[1.5e3,{"b":null}],"ServerURL":"h"}"#.utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0...Int(generator.next() % 2) {
                let place = Int(generator.next() % UInt64(bytes.count))
                switch generator.next() % 3 {
                case 0: bytes[place] = alphabet[Int(generator.next() % UInt64(alphabet.count))]
                case 1: bytes.remove(at: place)
                default: bytes.insert(alphabet[Int(generator.next() % UInt64(alphabet.count))], at: place)
                }
            }
            items.append(bytes)
        }
        let oracle = PythonOracle(
            script: "Tests/Command/CofferCLITests/Oracle/json_oracle.py",
            directory: try TemporaryDirectory.current
        )
        let answers = try oracle.answer(to: items, arguments: [])
        #expect(answers.count == items.count)
        for (item, answer) in zip(items, answers) {
            #expect(read(item) == answer, "\(String(decoding: item.prefix(200), as: UTF8.self))")
        }
    }

    /// Returns the answer that the oracle would give.
    private func read(_ item: [UInt8]) -> [UInt8] {
        guard let texts = try? JSONReader.texts(of: Self.keys, in: item.span) else { return Array("no".utf8) }
        return Self.keys.reduce(into: Array("yes".utf8)) { result, key in
            guard let text = texts[key] else { return }
            result += Array("\(key):".utf8) + text.withSpan { bytes in [UInt8](copying: bytes) } + [0]
        }
    }

    @Test(
        arguments: [
            (#"{"a":{"b":"x","c":{"d":"y"}},"v":1}"#, ["a.b": "x", "a.c.d": "y", "v": "1"]),
            (#"{"v":[ 1, "]" ],"a":{"c":{"d":"\u0041"}}}"#, ["a.c.d": "A", "v": #"[ 1, "]" ]"#]),
            (#"{"v":null,"a":null}"#, [:]), (#"{"v":true,"a":"b","b":"x"}"#, ["v": "true"]),
            (#"{"a":[{"b":"x"}]}"#, [:]),
            (#"{"a.b":"x","a":{"c.d":"y"}}"#, [:]), (#"{"x":{"a":{"b":"x"}}}"#, [:]),
            ("{\"\u{3B1}\":{\"b\":\"x\"}}", [:]),
            (#"{"a":{"b":{}}}"#, nil), (#"{"a":{"b":"x","b":"y"}}"#, nil), (#"{"a":{"b":"x"},"a":{"b":"y"}}"#, nil),
            (#"{"a":{"b":"x"}"#, nil), (#"{"v":{}x}"#, nil),
            (#"{"a":{"c":{"e":"# + String(repeating: "[", count: 61) + String(repeating: "]", count: 61) + "}}}", [:]),
            (#"{"a":{"c":{"e":"# + String(repeating: "[", count: 62) + String(repeating: "]", count: 62) + "}}}", nil),
        ] as [(String, [String: String]?)]
    )
    func `values below others, and values that are not strings, are found`(text: String, values: [String: String]?) {
        let keys = ["a.b", "a.c.d", "v"]
        let texts = try? JSONReader.texts(of: keys, literals: ["v"], in: Array(text.utf8).span)
        let found = texts?.mapValues { text in
            text.withSpan { bytes in String(decoding: [UInt8](copying: bytes), as: UTF8.self) }
        }
        #expect(found == values)
    }

    @Test func `an error gives its offset and repeats no input`() {
        let failure = #expect(throws: TextError.self) {
            try JSONReader.texts(of: Self.keys, in: Array(#"{"Secret":"hunter2" "x":1}"#.utf8).span)
        }
        #expect(failure == .invalid("invalid JSON at byte 20: expected a comma or the end of the object"))
    }
}
