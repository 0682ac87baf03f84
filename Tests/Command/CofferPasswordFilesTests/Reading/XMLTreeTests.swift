import CofferBasics
import CofferPasswordFiles
import Testing

@Suite("XML trees") struct XMLTreeTests {
    private func root(_ text: String) throws -> XMLNode { try XMLTree(HeldSecret(text)).root }

    @Test func `elements, attributes and texts are found`() throws {
        let root = try root(
            """
            \u{FEFF}<?xml version="1.0" encoding="utf-8"?><!-- x -->
            <File><Entry ID = '1' Kind="a&amp;b"><Key>K</Key><Value ProtectInMemory="True">V</Value></Entry>
            <Empty/><Entry ID="2"></Entry></File>
            <!-- end -->
            """
        )
        #expect(root.name == "File")
        #expect(root.children.map(\.name) == ["Entry", "Empty", "Entry"])
        let entry = try #require(root["Entry"])
        #expect(entry.attribute("ID") == "1")
        #expect(entry.attribute("Kind") == "a&b")
        #expect(entry.attribute("id") == nil)
        #expect(entry["Value"]?.isTrue("ProtectInMemory") == true)
        #expect(entry["Value"]?.secret.text == "V")
        #expect(entry["Val"] == nil)
        #expect(entry["Values"] == nil)
        #expect(root["Empty"]?.text == "")
        #expect(root.children.last?.children.isEmpty == true)
    }

    @Test func `references, CDATA, comments and line ends become text`() throws {
        let text =
            "<a> &lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;&#13;\r\nx\ry<!-- no -->z<![CDATA[<&amp;]\r\n]]>.<?p?> </a>"
        #expect(try root(text).text == " <>&\"'A\u{1F600}\r\nx\nyz<&amp;]\n. ")
    }

    @Test(arguments: [
        ("", 0), ("a", 0), ("<a>", 3), ("<a></b>", 3), ("<a/><b/>", 4), ("<a b></a>", 0), ("<a b=c/>", 0),
        ("<a b='<'/>", 0), ("<a>&nbsp;</a>", 3), ("<a>&</a>", 3), ("<a>&#xD800;</a>", 3), ("<a>&#0;</a>", 3),
        ("<a>\0</a>", 3), ("<a b='&x;'/>", 6), ("<!DOCTYPE a><a/>", 0), ("<a><!ENTITY b 'c'></a>", 3), ("<ä/>", 0),
        ("<a><!-- </a>", 7), ("<a><![CDATA[ </a>", 17),
    ])
    func `invalid XML is refused with its position`(text: String, offset: Int) {
        guard case .invalid(let message)? = fileError({ _ = try root(text) }) else {
            Issue.record("accepted")
            return
        }
        // Where something has no end, the position is that of the end of the file.
        let position = message.contains("has no end") ? text.utf8.count : offset
        #expect(message.hasPrefix("byte \(position): "), "\(message)")
    }

    @Test func `64 levels are read and 65 are refused`() throws {
        func nested(_ count: Int) -> String {
            String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
        }
        #expect(try root(nested(64)).name == "a")
        #expect(fileError { _ = try root(nested(65)) } == .tooLarge("byte 192: more than 64 levels"))
    }
}
