import Foundation
import Security
import TestSupport
import Testing

/// Dates (`Spec/keychain-behavior.md`, sections 3 and 5).
@Suite("Calls: dates", .temporaryDirectory) struct CallDateTests {
    /// The creation and modification dates of the one password.
    private func dates() throws -> (created: Date, changed: Date) {
        let found = try Call.attributes(.genp())
        return (try #require(found["cdat"] as? Date), try #require(found["mdat"] as? Date))
    }

    private let said = Date(timeIntervalSinceReferenceDate: 123_456.789)

    @Test func `an addition sets both dates to now, whatever the caller passes`() throws {
        try CallSample.withTime { (time) throws in
            let now = Date(timeIntervalSince1970: Double(time.wallMicroseconds()) / 1e6)
            #expect(Call.add(.genp([kSecAttrCreationDate: said, kSecAttrModificationDate: said])) == 0)
            #expect(try dates() == (now, now))
        }
    }

    @Test(arguments: ["nothing", "a value", "the same value"])
    func `an update changes the modification date and not the creation date`(changes: String) throws {
        try CallSample.withTime { (time) throws in
            #expect(Call.add(.genp([kSecAttrLabel: "L"])) == 0)
            let before = try dates()
            time.advance(nanoseconds: 5_000_000_000)
            let label: [String: [CFString: Any]] = [
                "a value": [kSecAttrLabel: "M"], "the same value": [kSecAttrLabel: "L"],
            ]
            #expect(Call.update(.genp(), label[changes] ?? [:]) == 0)
            let after = try dates()
            #expect(after.created == before.created)
            #expect(abs(after.changed.timeIntervalSince(before.changed) - 5) < 1e-6)
        }
    }

    @Test func `the modification date advances by a millisecond if the clock stands still or goes back`() throws {
        try CallSample.withTime { (time) throws in
            #expect(Call.add(.genp()) == 0)
            for _ in 0..<3 {
                let before = try dates().changed
                #expect(Call.update(.genp()) == 0)
                #expect(abs(try dates().changed.timeIntervalSince(before) - 0.001) < 1e-6)
                time.setWall(microseconds: time.wallMicroseconds() - 60_000_000)
            }
        }
    }

    @Test func `an update stores a creation date and overrides a modification date`() throws {
        try CallSample.withTime { (_) throws in
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrCreationDate: said, kSecAttrModificationDate: said]) == 0)
            let found = try dates()
            #expect(found.created == said)
            #expect(found.changed != said)
        }
    }

    @Test(arguments: [-1e9, -0.5, 0, 0.001, 123_456.789_012, 1e9])
    func `a date is stored exactly and found only by the exact value`(seconds: Double) throws {
        try CallSample.withTime { (_) throws in
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(Call.add(.genp()) == 0)
            #expect(Call.update(.genp(), [kSecAttrCreationDate: date]) == 0)
            #expect(try dates().created == date)
            #expect(Call.find(.genp([kSecAttrCreationDate: date])) == 0)
            let next = Date(timeIntervalSinceReferenceDate: seconds.nextUp)
            #expect(Call.find(.genp([kSecAttrCreationDate: next])) == -25300)
        }
    }

    @Test func `dates from a result find their item`() throws {
        try CallSample.withTime { (time) throws in
            #expect(Call.add(.genp()) == 0)
            time.advance(nanoseconds: 123_456_789)
            #expect(Call.update(.genp()) == 0)
            let found = try dates()
            let query: [CFString: Any] = .genp([
                kSecAttrCreationDate: found.created, kSecAttrModificationDate: found.changed,
            ])
            #expect(Call.find(query) == 0)
        }
    }
}
