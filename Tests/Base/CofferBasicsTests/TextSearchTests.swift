import CofferBasics
import Testing

@Suite("Text search") struct TextSearchTests {
    @Test func `text is found character by character`() {
        #expect("https://example.com".contains(text: "://"))
        #expect(!"mailto:kim".contains(text: "://"))
        #expect("kim".contains(text: ""))
        #expect("cafe\u{301}s".contains(text: "caf\u{E9}"))
        #expect(!"cafe\u{301}s".contains(text: "cafe"))
        #expect("Kim (work) (2)".firstRange(ofText: " (").map { "Kim (work) (2)"[..<$0.lowerBound] } == "Kim")
        #expect("kim".firstRange(ofText: "") == nil)
        #expect("kim".firstRange(ofText: "kimberly") == nil)
    }

    @Test func `ranges do not overlap`() {
        #expect("aaaaa".ranges(ofText: "aa").count == 2)
        #expect("".ranges(ofText: "a").isEmpty)
    }

    @Test func `text is split and replaced`() {
        #expect("a::b::".parts(separatedBy: "::") == ["a", "b", ""])
        #expect("a::b::c".parts(separatedBy: "::", maxSplits: 1) == ["a", "b::c"])
        #expect("abc".parts(separatedBy: "::") == ["abc"])
        #expect("one\ntwo\n".replacing(text: "\n", with: "; ") == "one; two; ")
        #expect("kim".replacing(text: "", with: "-") == "kim")
    }
}
