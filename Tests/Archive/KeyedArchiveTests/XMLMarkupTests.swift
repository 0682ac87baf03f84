import KeyedArchive
import Testing

@Suite("XML markup") struct XMLMarkupTests {
    @Test(arguments: [
        Accepted("<?xml version=\"1.0\"?><true/>", true),
        Accepted("<?xml version = '1.0' encoding = 'utf-8' standalone='no' ?>\n<true/>", true),
        Accepted("<?xml version=\"1.0\" encoding=\"US-ascii\"?><true/>", true),
        Accepted("\u{FEFF}<?xml version=\"1.0\" encoding=\"US-ASCII\"?><true/>", true),
        Accepted("\u{FEFF}<true/>", true),
        Accepted("<?xml-stylesheet a?><true/>", true),
        Accepted("<!DOCTYPE plist><true/>", true),
        Accepted("<!-- a --><!DOCTYPE plist SYSTEM 'a\"b>' ><!-- b --><true/>", true),
        Accepted("<!DOCTYPE\nplist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://a\"><true/>", true),
        Accepted("<plist a='&lt;' b:c = \"'\"\n><true/></plist >", true),
        Accepted("<!----><?a?><?b ? > c?><!-- - --><true/>", true),
    ])
    func `well-formed markup is read`(accepted: Accepted) throws { try accepted.expect() }

    @Test(arguments: [
        Refused("\n<?xml version=\"1.0\"?><true/>", .markup(.misplacedDeclaration), line: 2),
        Refused("<plist>\n<?XML a?></plist>", .markup(.misplacedDeclaration), line: 2),
        Refused("<?xml version=\"1.1\"?><true/>", .markup(.unsupportedXMLVersion)),
        Refused("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><true/>", .unsupportedEncoding),
        Refused("<?xml version=\"1.0\" encoding=\"UTF-16\"?><true/>", .unsupportedEncoding),
        Refused("<?xml version=\"1.0\" encoding=\"US-ASCII\"?>\n<string>\u{E9}</string>", .notASCII, line: 2),
        Refused("<?xml", .markup(.malformedDeclaration)),
        Refused("<?xml?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml encoding=\"UTF-8\"?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml encoding=\"UTF-8\" version=\"1.0\"?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml version=\"1.0\" a=\"b\"?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml version=\"1.0\" version=\"1.0\"?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml version=\"1.0\" standalone=\"YES\"?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml version=1.0?><true/>", .markup(.malformedDeclaration)),
        Refused("<?xml version=\"1.0\"><true/>", .markup(.malformedDeclaration)),
    ])
    func `an invalid XML declaration is rejected`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Refused("<!DOCTYPE plist\n[<!ENTITY a \"b\">]><true/>", .markup(.internalSubset), line: 2),
        Refused("<!DOCTYPE plist SYSTEM \"a\" []><true/>", .markup(.internalSubset)),
        Refused("<!DOCTYPE html><true/>", .markup(.wrongDocumentType("html"))),
        Refused("<!DOCTYPE><true/>", .markup(.malformedDocumentType)),
        Refused("<!DOCTYPEplist><true/>", .markup(.malformedDocumentType)),
        Refused("\n<!DOCTYPE plist PUBLIC \"a\"><true/>", .markup(.malformedDocumentType), line: 2),
        Refused("<!DOCTYPE plist PUBLIC \"a\"\"b\"><true/>", .markup(.malformedDocumentType)),
        Refused("<!DOCTYPE plist PUBLIC \"<\" \"b\"><true/>", .markup(.malformedDocumentType)),
        Refused("<!DOCTYPE plist SYSTEM a><true/>", .markup(.malformedDocumentType)),
        Refused("<!DOCTYPE plist SYSTEM \"a><true/>", .markup(.malformedDocumentType)),
        Refused("<!DOCTYPE plist><!DOCTYPE plist><true/>", .markup(.misplacedDocumentType)),
        Refused("<plist>\n<!DOCTYPE plist></plist>", .markup(.misplacedDocumentType), line: 2),
        Refused("<true/><!DOCTYPE plist>", .markup(.misplacedDocumentType)),
        Refused("<!doctype plist><true/>", .markup(.markupDeclaration)),
        Refused("\n<!ENTITY a \"b\"><true/>", .markup(.markupDeclaration), line: 2),
        Refused("<plist><!ELEMENT a></plist>", .markup(.markupDeclaration)),
        Refused("<array>\n<!NOTATION a></array>", .markup(.markupDeclaration), line: 2),
        Refused("<string><!ATTLIST a></string>", .markup(.unescapedLessThan(in: "string"))),
    ])
    func `declarations that could define entities are rejected`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Refused("<array>\n<!-- \n", .markup(.unclosedComment), line: 2),
        Refused("<!-- a\n-- b --><true/>", .markup(.malformedComment), line: 2),
        Refused("<!-- a ---><true/>", .markup(.malformedComment)),
        Refused("<!--->", .markup(.unclosedComment)),
        Refused("\n<?a \n", .markup(.unclosedInstruction), line: 2),
        Refused("<?a", .markup(.unclosedInstruction)),
        Refused("<??><true/>", .markup(.malformedInstruction)),
        Refused("<? a?><true/>", .markup(.malformedInstruction)),
        Refused("<?a+b?><true/>", .markup(.malformedInstruction)),
        Refused("<string>a\n<![CDATA[ ]] >", .markup(.unclosedCharacterData), line: 2),
    ])
    func `malformed comments and instructions are rejected`(refused: Refused) { refused.expect() }

    @Test(arguments: [
        Refused("<", .markup(.malformedTag)),
        Refused("< true/>", .markup(.malformedTag)),
        Refused("<1/>", .markup(.malformedTag)),
        Refused("<plist>\n<true", .markup(.malformedTag), line: 2),
        Refused("<true/ >", .markup(.malformedTag)),
        Refused("<array><true/>\n</array", .markup(.malformedTag), line: 2),
        Refused("<array></>", .markup(.malformedTag)),
        Refused("<array>< /array>", .markup(.malformedTag)),
        Refused("<plist\na></plist>", .markup(.malformedAttribute("plist")), line: 2),
        Refused("<plist a=1></plist>", .markup(.malformedAttribute("plist"))),
        Refused("<plist a=\"1></plist>", .markup(.malformedAttribute("plist"))),
        Refused("<plist a=\"1\"b=\"2\"></plist>", .markup(.malformedAttribute("plist"))),
        Refused("<plist a=\"<\"></plist>", .markup(.malformedAttribute("plist"))),
        Refused("<plist a=\"&b;\"></plist>", .markup(.undefinedEntity)),
        Refused("<plist a=\"1\"\na=\"2\"></plist>", .markup(.duplicateAttribute("plist")), line: 2),
        Refused("<plist>\n<dict a=\"1\"/></plist>", .markup(.unexpectedAttribute("dict")), line: 2),
        Refused("<string xml:space=\"preserve\"/>", .markup(.unexpectedAttribute("string"))),
        Refused("<dict><key a=\"b\">c</key><true/></dict>", .markup(.unexpectedAttribute("key"))),
    ])
    func `malformed tags are rejected`(refused: Refused) { refused.expect() }

    @Test func `a tag has at most 16 attributes`() throws {
        let attributes = (1...17).map { " a\($0)=''" }
        try Accepted("<plist\(attributes.dropLast().joined())><true/></plist>", true).expect()
        Refused("<plist\(attributes.joined())><true/></plist>", .markup(.tooManyAttributes("plist"))).expect()
    }

    @Test(arguments: [
        Refused("\n<plist>\n", .markup(.unclosedElement("plist")), line: 2),
        Refused("<plist>\n<dict>\n\n", .markup(.unclosedElement("dict")), line: 2),
        Refused("<array>\n\n<string>a\nb", .markup(.unclosedElement("string")), line: 3),
        Refused("<dict><key>a</key>\n<array>", .markup(.unclosedElement("array")), line: 2, key: "a"),
        Refused("<dict><key>a", .markup(.unclosedElement("key"))),
        Refused(
            "\n<array>\n</dict>",
            .markup(.mismatchedEndTag(found: "dict", open: "array", openLine: 2)),
            line: 3
        ),
        Refused(
            "<array>\n<string>a\n</array>",
            .markup(.mismatchedEndTag(found: "array", open: "string", openLine: 2)),
            line: 3
        ),
    ])
    func `an unclosed element is reported where it starts`(refused: Refused) { refused.expect() }
}
