import Security
import Testing

@Suite("Status codes") struct StatusCodeTests {
    @Test func `the table has each code once, with a number and a sentence of its own`() {
        let codes = StatusCodeLine.all
        #expect(codes.count == 381)
        #expect(Set(codes.map(\.name)).count == codes.count)
        #expect(Set(codes.map(\.number)).count == codes.count)
        #expect(Set(codes.map(\.sentence)).count == codes.count)
    }

    @Test func `the constants are those of the table`() throws {
        let table = Dictionary(uniqueKeysWithValues: StatusCodeLine.all.map { ($0.name, $0.number) })
        #expect(try SurfaceSources.statusCodes() == table)
    }

    @Test(arguments: StatusCodeLine.all)
    func `the message of a status code is the sentence of the table`(code: StatusCodeLine) {
        #expect(SecCopyErrorMessageString(code.number, nil) as String? == code.sentence)
        #expect(code.sentence.wholeMatch(of: /[A-Z][^.\n]{9,}\./) != nil, "\(code.sentence)")
    }

    @Test(
        arguments: [
            (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecIO, -36), (errSecParam, -50), (errSecAllocate, -108),
            (errSecUserCanceled, -128), (errSecMissingEntitlement, -34018), (errSecNotAvailable, -25291),
            (errSecReadOnly, -25292), (errSecAuthFailed, -25293), (errSecDuplicateItem, -25299),
            (errSecItemNotFound, -25300), (errSecDataTooLarge, -25302), (errSecNoSuchAttr, -25303),
            (errSecNoSuchClass, -25306), (errSecInteractionNotAllowed, -25308), (errSecDecode, -26275),
        ] as [(OSStatus, OSStatus)]
    )
    func `what calls answer are the numbers that Apple publishes`(status: OSStatus, number: OSStatus) {
        #expect(status == number)
    }

    @Test func `a status that is no code of this module is told by its number`() {
        #expect(SecCopyErrorMessageString(-12345, nil) as String? == "OSStatus -12345")
    }

    @Test func `no error has the number of success`() {
        #expect(noErr == 0)
        #expect(noErr == errSecSuccess)
    }

    @Test func `status codes are patterns of cases`() {
        func name(_ status: OSStatus) -> String {
            switch status {
            case errSecSuccess: "success"
            case errSecItemNotFound, errSecNoSuchAttr: "missing"
            default: "other"
            }
        }
        #expect([0, -25300, -25303, -50].map(name) == ["success", "missing", "missing", "other"])
    }
}
