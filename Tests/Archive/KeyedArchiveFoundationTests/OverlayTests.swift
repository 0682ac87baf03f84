import Foundation
import KeyedArchive
import KeyedArchiveFoundation
import TestSupport
import Testing

@Suite("Foundation types") struct OverlayTests {
    private static let uuidText = "00112233-4455-6677-8899-AABBCCDDEEFF"
    private static let uuidValue: UInt128 = 0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF

    private struct Visit: Codable, Hashable {
        var page: URL
        var start: Date
        var token: Data
        var visitor: UUID
        var end: Date?
        var pages: [URL]
        var visitors: Set<UUID>
        var names: [UUID: String]
        var tokens: [Date: [Data]]
    }

    private static func visit() throws -> Visit {
        let base = try #require(URL(string: "https://example.com/base/"))
        let visitor = try #require(UUID(uuidString: uuidText))
        return Visit(
            page: try #require(URL(string: "part", relativeTo: base)),
            start: Date(timeIntervalSinceReferenceDate: 700_000_000.25),
            token: Data([1, 2, 3]),
            visitor: visitor,
            end: nil,
            pages: [base],
            visitors: [visitor],
            names: [visitor: "kim"],
            tokens: [Date(timeIntervalSinceReferenceDate: -0.5): [Data(), Data([0])]]
        )
    }

    @Test func `each type has the archived form of its class`() throws {
        let visit = try Self.visit()
        let base = ArchiveURL("https://example.com/base/")
        #expect(
            try ArchiveEncoder().value(of: visit) == [
                "page": .url(ArchiveURL("part", relativeTo: base)),
                "start": .date(secondsSinceReferenceDate: 700_000_000.25),
                "token": .data([1, 2, 3]),
                "visitor": .uuid(Self.uuidValue),
                "pages": [.url(base)],
                "visitors": .set([.uuid(Self.uuidValue)]),
                "names": [.uuid(Self.uuidValue): "kim"],
                "tokens": [.date(secondsSinceReferenceDate: -0.5): [.data([]), .data([0])]],
            ]
        )
    }

    @Test func `a structure survives a round trip with identical bytes`() throws {
        let visit = try Self.visit()
        let bytes = try ArchiveEncoder().encode(visit)
        let again = try ArchiveDecoder().decode(Visit.self, from: bytes)
        #expect(again == visit)
        #expect(again.page.relativeString == "part")
        #expect(again.page.baseURL?.absoluteString == "https://example.com/base/")
        #expect(try ArchiveEncoder().encode(again) == bytes)
    }

    @Test func `each type can be the root`() throws {
        let visit = try Self.visit()
        #expect(try again(visit.page).relativeString == "part")
        #expect(try again(visit.start) == visit.start)
        #expect(try again(visit.token) == visit.token)
        #expect(try again(visit.visitor) == visit.visitor)
        #expect(try again([visit.start, nil]) == [visit.start, nil])
    }

    private func again<Value: Codable>(_ value: Value) throws -> Value {
        try ArchiveDecoder().decode(Value.self, from: ArchiveEncoder().encode(value))
    }

    @Test func `a slice of data is archived without the bytes around it`() {
        let slice = Data([9, 1, 2, 9])[1...2]
        #expect(slice.archiveValue == .data([1, 2]))
    }

    @Test func `a URL may have several bases`() throws {
        let root = ArchiveURL("https://example.com/")
        let url = ArchiveURL("b", relativeTo: ArchiveURL("a/", relativeTo: root))
        let decoded = try #require(URL(archiveValue: .url(url)))
        #expect(decoded.absoluteString == "https://example.com/a/b")
    }

    @Test(
        arguments: [
            .null, false, 0, 0.0, "2001-01-01", .data([]), .date(secondsSinceReferenceDate: 0), .uuid(0),
            .url(ArchiveURL("a")), [], .set([]), [:],
        ] as [ArchiveValue]
    )
    func `values of other types are rejected`(value: ArchiveValue) {
        #expect((Data(archiveValue: value) != nil) == [.data([]), []].contains(value))
        #expect((Date(archiveValue: value) != nil) == [.date(secondsSinceReferenceDate: 0), 0.0].contains(value))
        #expect((UUID(archiveValue: value) != nil) == (value == .uuid(0)))
        #expect((URL(archiveValue: value) != nil) == (value == .url(ArchiveURL("a"))))
    }

    /// In a program without the module, these types encode themselves.
    @Test func `values written by a program without this module are accepted`() {
        #expect(Date(archiveValue: 1.5) == Date(timeIntervalSinceReferenceDate: 1.5))
        #expect(Data(archiveValue: [0, 255]) == Data([0, 255]))
        #expect(Data(archiveValue: [0, 256]) == nil)
        #expect(Data(archiveValue: [0, "1"]) == nil)
    }

    /// Apple's `encodeEncodable` archives the output of `PropertyListEncoder`.
    @Test func `the property list forms of these types are accepted`() throws {
        struct Visit: Codable, Equatable {
            var visitor: UUID
            var page: URL
            var absolute: URL
            var time: Date
            var cookie: Data
        }
        let visit = Visit(
            visitor: try #require(UUID(uuidString: Self.uuidText)),
            page: try #require(
                URL(string: "b", relativeTo: URL(string: "a/", relativeTo: URL(string: "https://e.com/")))
            ),
            absolute: try #require(URL(string: "https://e.com/c")),
            time: Date(timeIntervalSinceReferenceDate: 1.5),
            cookie: Data([1, 2])
        )
        let list = try PropertyListSerialization.propertyList(from: PropertyListEncoder().encode(visit), format: nil)
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
        let decoded = try ArchiveDecoder().decode(Visit.self, from: Array(bytes))
        #expect(decoded == visit)
        #expect(decoded.page.absoluteString == "https://e.com/a/b")
        #expect(UUID(archiveValue: "no UUID") == nil)
        #expect(URL(archiveValue: ["base": "a"]) == nil)
        #expect(URL(archiveValue: ["relative": "a", "base": "b"]) == nil)
    }

    @Test func `a type mismatch error names the location but not the value`() throws {
        let bytes = try ArchiveEncoder().encode(["a": ["sesame"]])
        #expect(throws: CodingFailure(.typeMismatch("UUID"), at: ["a", "Index 0"])) {
            try CodingFailure.translating { try ArchiveDecoder().decode([String: [UUID]].self, from: bytes) }
        }
        let error = #expect(throws: DecodingError.self) {
            try ArchiveDecoder().decode([String: [UUID]].self, from: bytes)
        }
        #expect(!String(describing: try #require(error)).contains("sesame"))
    }

    @Test func `text that is not a URL gives an error that does not show it`() throws {
        let bytes = try ArchiveValue.url(ArchiveURL("http://[sesame")).archived()
        let error = #expect(throws: DecodingError.self) { try ArchiveDecoder().decode(URL.self, from: bytes) }
        #expect(!String(describing: try #require(error)).contains("sesame"))
    }

    @Test func `null decodes only as an optional of these types`() throws {
        let bytes = try ArchiveValue.null.archived()
        #expect(try ArchiveDecoder().decode(Date?.self, from: bytes) == nil)
        #expect(throws: CodingFailure(.valueNotFound("Date"), at: [])) {
            try CodingFailure.translating { try ArchiveDecoder().decode(Date.self, from: bytes) }
        }
    }

    @Test func `NSKeyedUnarchiver reads a structure as a dictionary of Foundation objects`() throws {
        let visit = try Self.visit()
        let classes: [AnyClass] = [
            NSDictionary.self, NSString.self, NSArray.self, NSSet.self, NSDate.self, NSData.self, NSUUID.self,
            NSURL.self,
        ]
        let data = Data(try ArchiveEncoder().encode(visit))
        let object = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data)
        let dictionary = try #require(object as? NSDictionary)
        #expect(dictionary.count == 8)
        #expect(dictionary["start"] as? Date == visit.start)
        #expect(dictionary["token"] as? Data == visit.token)
        #expect(dictionary["visitor"] as? UUID == visit.visitor)
        // Bridging on Linux loses the base of a URL in a container.
        #expect((dictionary["page"] as? URL)?.absoluteString == "https://example.com/base/part")
        #expect(dictionary["pages"] as? [URL] == visit.pages)
        #expect(dictionary["visitors"] as? Set<UUID> == visit.visitors)
        let names = try #require(dictionary["names"] as? NSDictionary)
        #expect(names.object(forKey: visit.visitor as NSUUID) as? String == "kim")
        #expect(dictionary["tokens"] as? [Date: [Data]] == visit.tokens)
    }

    @Test func `a structure is read from the output of NSKeyedArchiver`() throws {
        struct Login: Codable, Equatable {
            var at: Date
            var token: Data
            var id: UUID
        }
        let login = Login(
            at: Date(timeIntervalSinceReferenceDate: 1.5),
            token: Data([1, 2, 3]),
            id: try #require(UUID(uuidString: Self.uuidText))
        )
        let object: NSDictionary = [
            "at": NSDate(timeIntervalSinceReferenceDate: 1.5),
            "token": NSData(data: login.token),
            "id": login.id as NSUUID,
        ]
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        #expect(try ArchiveDecoder().decode(Login.self, from: Array(data)) == login)
    }
}
