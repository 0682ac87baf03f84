import CofferBasics
import Testing

@Suite("JSON writer") struct JSONWriterTests {
    private func text(isSpaced: Bool = false, escapesInvisible: Bool = false, _ body: (JSONWriter) -> Void) -> String {
        let output = SecretBuilder()
        body(JSONWriter(to: output, isSpaced: isSpaced, escapesInvisible: escapesInvisible))
        return output.withSpan { $0.text }
    }

    private func write(_ json: JSONWriter) {
        json.object {
            json.key("a")
            json.array {
                json.number(1)
                json.bool(false)
                json.literal("null")
            }
            json.key("b")
            json.object {}
        }
    }

    @Test func `blanks follow commas and colons if they are wanted`() {
        #expect(text(write) == #"{"a":[1,false,null],"b":{}}"#)
        #expect(text(isSpaced: true, write) == #"{"a": [1, false, null], "b": {}}"#)
    }

    // RFC 8259, section 7: characters outside of the first plane become two escape sequences.
    @Test func `invisible characters are escaped if that is wanted`() {
        let secret = "\u{7F}\u{E9}\u{200B}\"\u{1F511}\u{E0041}\n\u{1}"
        #expect(text { $0.string(secret) } == "\"\u{7F}\u{E9}\u{200B}\\\"\u{1F511}\u{E0041}\\n\\u0001\"")
        let escaped = #""\u007fé\u200b\"🔑\udb40\udc41\n\u0001""#
        #expect(text(escapesInvisible: true) { $0.string(secret) } == escaped)
    }

    @Test func `characters are those of UTF-8 in its shortest form`() {
        for scalar in ["\0", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"]
            as [Unicode.Scalar]
        {
            let bytes = [0x61] + Array(scalar.utf8)
            #expect(bytes.span.scalar(at: 1)?.scalar == scalar)
            #expect(bytes.span.scalar(at: 1)?.byteCount == bytes.count - 1)
            if scalar.value > 0x7F { #expect(Array(bytes.dropLast()).span.scalar(at: 1) == nil) }
        }
        // RFC 3629, section 10: a continuation alone, long forms, surrogates, and numbers that are too large.
        for bytes in [
            [0x80], [0xC0, 0x80], [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xC3, 0x28],
        ] as [[UInt8]] {
            #expect(bytes.span.scalar(at: 0) == nil, "\(bytes.hexDigits)")
        }
    }
}
