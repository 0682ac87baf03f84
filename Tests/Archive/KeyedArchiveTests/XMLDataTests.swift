import KeyedArchive
import TestSupport
import Testing

@Suite("XML data") struct XMLDataTests {
    @Test(arguments: [
        Accepted("<data></data>", .data([])),
        Accepted("<data> \n\t&#13; </data>", .data([])),
        Accepted("<data>AA==</data>", .data([0])),
        Accepted("<data>AAE=</data>", .data([0, 1])),
        Accepted("<data>AAEC</data>", .data([0, 1, 2])),
        Accepted("<data>\r\n A\tP\n8 =\n</data>", .data([0, 255])),
        Accepted("<data>+/+/</data>", .data([0xFB, 0xFF, 0xBF])),
        Accepted("<data>Zm9v<![CDATA[YmFy]]></data>", .data(Array("foobar".utf8))),
    ])
    func `base64 may contain white space`(accepted: Accepted) throws { try accepted.expect() }

    @Test(arguments: [
        Refused("<data>\nAAAA\nAA-A\n</data>", .malformedData(.unexpectedCharacter), line: 3),
        Refused("<data>AA_A</data>", .malformedData(.unexpectedCharacter)),
        Refused("<data>AA\u{E9}A</data>", .malformedData(.unexpectedCharacter)),
        Refused("<data>\r\nAAAA&#10;&#10;AA\r\n\r\n*A</data>", .malformedData(.unexpectedCharacter), line: 4),
        Refused("<data>A<!--\n\n-->\n*</data>", .malformedData(.unexpectedCharacter), line: 4),
        Refused("<data>\nA\n</data>", .malformedData(.incomplete), line: 2),
        Refused("<data>AA</data>", .malformedData(.incomplete)),
        Refused("<data>AAA</data>", .malformedData(.incomplete)),
        Refused("<data>AA=</data>", .malformedData(.incomplete)),
        Refused("<data>=AAA</data>", .malformedData(.misplacedPadding)),
        Refused("<data>A===</data>", .malformedData(.misplacedPadding)),
        Refused("<data>AA=A</data>", .malformedData(.misplacedPadding)),
        Refused("<data>AA==\nAAAA</data>", .malformedData(.misplacedPadding), line: 2),
        Refused("<data>AAA==</data>", .malformedData(.misplacedPadding)),
        Refused("<data>AAAA====</data>", .malformedData(.misplacedPadding)),
        Refused("<data>AB==</data>", .malformedData(.nonZeroPaddingBits)),
        Refused("<data>AAB=</data>", .malformedData(.nonZeroPaddingBits)),
    ])
    func `every value has only one base64 text`(refused: Refused) { refused.expect() }

    @Test(arguments: 0..<300)
    func `data of every length survives a round trip`(byteCount: Int) throws {
        var generator = SeededGenerator(seed: UInt64(byteCount))
        let value = PropertyList.data((0..<byteCount).map { _ in .random(in: .min ... .max, using: &generator) })
        #expect(try PropertyList(xml: value.xmlEncoded()) == value)
    }
}
