import Security
import Testing

@Suite("Status codes") struct StatusCodeTests {
    @Test(arguments: PublishedStatus.all)
    func `a status code has the number that is published`(code: PublishedStatus) {
        #expect(code.status == code.expected)
    }

    @Test(arguments: PublishedStatus.all)
    func `the message of a status code is the comment in the sources`(code: PublishedStatus) throws {
        let comment = try #require(Self.comments[code.name])
        #expect(SecCopyErrorMessageString(code.status, nil) as String? == comment)
    }

    private static let comments = (try? SurfaceSources.statusComments()) ?? [:]

    @Test func `no two status codes share a number or a message`() {
        let codes = PublishedStatus.all
        #expect(codes.count == 381)
        #expect(Set(codes.map(\.status)).count == codes.count)
        #expect(Set(codes.map { SecCopyErrorMessageString($0.status, nil) }).count == codes.count)
    }

    @Test(arguments: PublishedStatus.all)
    func `a message is a sentence`(code: PublishedStatus) throws {
        let message = try #require(SecCopyErrorMessageString(code.status, nil) as String?)
        #expect(message.wholeMatch(of: /[A-Z][^.\n]{9,}\./) != nil, "\(message)")
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
