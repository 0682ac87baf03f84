import KeyedArchive
import Testing

@Suite("Archives") struct ArchiveTests {
    @Test func `an archive can hold several named values`() throws {
        let archive = Archive(top: [
            "user": .reference("kim"), "logins": .inline(12), "next": .noObject, "tags": .references(["a", "b"]),
        ])
        let again = try Archive(archive.encoded())
        #expect(again == archive)
        #expect(again.top["logins"] == .inline(12))
        #expect(throws: KeyedArchiveError.noTopValue("root")) { try ArchiveValue(archive: archive.encoded()) }
    }

    @Test func `a value at the top may have any name`() throws {
        let archive = Archive(top: [
            "$class": .inline(1), "": .noObject, "$$id": .reference("a"), "root\u{0}": .inline(2),
        ])
        #expect(try Archive(archive.encoded()) == archive)
    }

    @Test func `an object remembers how each field was encoded`() throws {
        let badge = ArchiveObject(
            className: "Badge",
            superclassNames: ["NSObject"],
            fields: [
                "level": .inline(3), "title": .reference("Founder"), "count": .reference(3), "next": .noObject,
                "parts": .references(["a", .null]), "made": .inline(.date(secondsSinceReferenceDate: 1)),
            ]
        )
        let bytes = try ArchiveValue.object(badge).archived()
        #expect(try ArchiveValue(archive: bytes, allowing: .named(["Badge"])).object == badge)
        #expect(badge["level"] == 3)
        #expect(badge["next"] == .null)
        #expect(badge["parts"] == ["a", .null])
        #expect(badge["absent"] == nil)
    }

    @Test func `a class must be allowed by its exact name`() throws {
        func bytes(_ name: String) throws -> [UInt8] {
            try ArchiveValue.object(ArchiveObject(className: name, superclassNames: [], fields: [:])).archived()
        }
        #expect(throws: KeyedArchiveError.classNotAllowed("Badge", uid: 2)) {
            try ArchiveValue(archive: bytes("Badge"))
        }
        #expect(throws: KeyedArchiveError.classNotAllowed("e\u{301}", uid: 2)) {
            try ArchiveValue(archive: bytes("e\u{301}"), allowing: .named(["\u{E9}"]))
        }
        #expect(try ArchiveValue(archive: bytes("Badge"), allowing: .any).object?.className == "Badge")
    }

    @Test(arguments: [ArchiveValue.null, .uuid(1), .array([]), .url(ArchiveURL("a")), .dictionary([:])])
    func `a value that needs its own object cannot be an inline field`(value: ArchiveValue) {
        let object = ArchiveObject(className: "Badge", superclassNames: [], fields: ["a": .inline(value)])
        #expect(throws: KeyedArchiveError.fieldNotInline("a")) { try ArchiveValue.object(object).archived() }
    }

    @Test func `an object cannot use the name of a value class or a field called $class`() {
        let array = ArchiveObject(className: "NSMutableArray", superclassNames: [], fields: [:])
        #expect(throws: KeyedArchiveError.classHasItsOwnCase("NSMutableArray")) {
            try ArchiveValue.object(array).archived()
        }
        let posing = ArchiveObject(className: "Badge", superclassNames: [], fields: ["$class": .inline(1)])
        #expect(throws: KeyedArchiveError.reservedFieldName) { try ArchiveValue.object(posing).archived() }
    }

    @Test func `a URL keeps all its bases`() {
        let root = ArchiveURL("https://example.com/")
        let middle = ArchiveURL("a/", relativeTo: root)
        let url = ArchiveURL("b", relativeTo: middle)
        #expect(url.text == "b")
        #expect(url.base == middle)
        #expect(url.base?.base == root)
        #expect(root.base == nil)
    }

    @Test func `accessors return values of their own type only`() {
        let value: ArchiveValue = ["a": 1, "b": [true], "c": "t", "d": .data([1])]
        #expect(value["a"]?.integer == 1)
        #expect(value["b"]?.array?.first?.bool == true)
        #expect(value["c"]?.string == "t")
        #expect(value["d"]?.data == [1])
        #expect(value["e"] == nil)
        #expect(value.string == nil && value.object == nil)
    }

    @Test func `a keychain item record takes less than Foundation's 721 bytes`() throws {
        let item: ArchiveValue = [
            "acct": "kim@example.com", "svce": "mail.example.com", "agrp": "TEAMID.com.example.mail",
            "labl": "Mail of Kim", "pdmn": "ak", "sync": 0, "tomb": 0,
            "cdat": .date(secondsSinceReferenceDate: 700_000_000.25),
            "mdat": .date(secondsSinceReferenceDate: 700_000_100.25), "v_Data": .data(Array(repeating: 7, count: 64)),
        ]
        #expect(try item.archived(limits: .record).count < 721)
    }
}
