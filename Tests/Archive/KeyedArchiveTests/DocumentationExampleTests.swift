import KeyedArchive
import Testing

/// The examples in the documentation and in `Guides/keyed-archives.md`.
@Suite("Examples") struct DocumentationExampleTests {
    @Test func `the example of CanonicalDictionary`() {
        var attributes: CanonicalDictionary<String, PropertyList> = ["svce": "mail", "acct": "kim"]
        attributes["labl"] = "Mail of Kim"
        #expect(attributes.map(\.key) == ["acct", "labl", "svce"])
    }

    @Test func `the example of CanonicalSet`() {
        let tags: CanonicalSet<PropertyList> = ["work", "mail", "work"]
        #expect(Array(tags) == ["mail", "work"])
    }

    @Test func `the example of PropertyList`() throws {
        let settings: PropertyList = ["name": "login", "attempts": 3, "groups": ["a", "b"]]
        let bytes = try settings.binaryEncoded()
        let again = try PropertyList(binary: bytes)
        #expect(again["attempts"]?.integer == 3)
    }

    @Test func `the example of XML`() throws {
        let text = "<plist version=\"1.0\"><array><integer>3</integer><true/></array></plist>"
        let list = try PropertyList(xml: Array(text.utf8))
        #expect(list == [3, true])
    }

    @Test func `the example of ArchiveValue`() throws {
        let item: ArchiveValue = ["svce": "mail", "acct": "kim", "port": 993]
        let bytes = try item.archived()
        let again = try ArchiveValue(archive: bytes)
        #expect(again["acct"]?.string == "kim")
    }

    @Test func `the example of ArchiveObject`() throws {
        let badge = ArchiveObject(
            className: "Badge",
            superclassNames: ["NSObject"],
            fields: ["title": .reference("Founder"), "level": .inline(3)]
        )
        let bytes = try ArchiveValue.object(badge).archived()
        #expect(try ArchiveValue(archive: bytes, allowing: .named(["Badge"])).object == badge)
    }

    @Test func `the example of Archive`() throws {
        let archive = Archive(top: ["user": .reference("kim"), "logins": .inline(12)])
        let bytes = try archive.encoded()
        let again = try Archive(bytes)
        #expect(again.top["logins"] == .inline(12))
    }

    @Test func `the example of ArchiveDecoder`() throws {
        struct Badge: Codable {
            var title: String
            var level: Int
        }
        let object = ArchiveObject(
            className: "Badge",
            superclassNames: ["NSObject"],
            fields: ["title": .reference("Founder"), "level": .inline(3)]
        )
        let bytes = try ArchiveValue.object(object).archived()

        let decoder = ArchiveDecoder(allowing: .named(["Badge"]))
        let badge = try decoder.decode(Badge.self, from: bytes)
        #expect(badge.title == "Founder" && badge.level == 3)
    }

    @Test func `the example of ArchiveEncoder and of the guide`() throws {
        struct Login: Codable {
            var service: String
            var account: String
        }

        let bytes = try ArchiveEncoder().encode(Login(service: "mail", account: "kim"))
        let login = try ArchiveDecoder().decode(Login.self, from: bytes)
        let value = try ArchiveValue(archive: bytes)
        #expect(login.account == "kim")
        #expect(value == ["account": "kim", "service": "mail"])
    }
}
