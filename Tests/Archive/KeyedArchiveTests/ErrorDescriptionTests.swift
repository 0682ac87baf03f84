import KeyedArchive
import Testing

@Suite("Error descriptions") struct ErrorDescriptionTests {
    @Test func `a message says what is wrong and where`() {
        #expect("\(PropertyListError.cycle(offset: 12))" == "the object at byte 12 contains itself")
        #expect(
            "\(PropertyListError.invalidTrailer(.topObject))" == "invalid trailer: the number of the root object"
        )
        #expect("\(KeyedArchiveError.propertyList(.truncated(offset: 8)))".contains("byte 8"))
        #expect("\(KeyedArchiveError.notAKeyedArchive(.objects))".contains("$objects"))
    }

    @Test(arguments: ["\u{1B}[31m", "a\nb", "\u{202E}"])
    func `a hostile name cannot control a terminal or break a line`(name: String) {
        let errors: [KeyedArchiveError] = [
            .unsupportedArchiver(name), .classNotAllowed(name, uid: 1), .malformedObject(className: name, uid: 1),
            .noTopValue(name), .fieldNotInline(name), .classHasItsOwnCase(name),
        ]
        for error in errors {
            #expect(error.description.unicodeScalars.allSatisfy { (" "..."~").contains($0) })
        }
        let version = PropertyListError.unsupportedVersion(0x1B, 0xFF)
        #expect(version.description.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" || (" "..."~").contains($0) })
    }
}
