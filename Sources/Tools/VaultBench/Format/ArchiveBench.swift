import Foundation
import KeyedArchive
import KeyedArchiveFoundation

/// A record of nine attributes and a 64-byte secret, archived by us and by Foundation.
struct ArchiveBench {
    /// The same record as a type; Foundation archives it as a dictionary.
    private struct Record: Codable {
        var acct = "kim@example.com"
        var svce = "mail.example.com"
        var agrp = "TEAMID.com.example.mail"
        var labl = "Mail of Kim"
        var cdat = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        var mdat = Date(timeIntervalSinceReferenceDate: 700_000_100.25)
        var pdmn = "ak"
        var sync = 0
        var tomb = 0
        var secret = Data(repeating: 7, count: 64)

        enum CodingKeys: String, CodingKey {
            case acct, svce, agrp, labl, cdat, mdat, pdmn, sync, tomb
            case secret = "v_Data"
        }
    }

    private let record = Record()

    func run() throws {
        let value = try ArchiveEncoder().value(of: record)
        let bytes = try value.archived()
        let dictionary = foundationDictionary
        let foundationBytes = try NSKeyedArchiver.archivedData(
            withRootObject: dictionary,
            requiringSecureCoding: false
        )
        let classes = [NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self]

        let subjects: [Measurement.Subject] = [
            .init(name: "encode, dynamic value", repetitions: 50) { _ = try value.archived() },
            .init(name: "decode, dynamic value", repetitions: 50) { _ = try ArchiveValue(archive: bytes) },
            .init(name: "encode, Codable type", repetitions: 20) { _ = try ArchiveEncoder().encode(record) },
            .init(name: "decode, Codable type", repetitions: 20) {
                _ = try ArchiveDecoder().decode(Record.self, from: bytes)
            },
            .init(name: "encode, NSKeyedArchiver", repetitions: 2) {
                _ = try NSKeyedArchiver.archivedData(withRootObject: dictionary, requiringSecureCoding: false)
            },
            .init(name: "decode, NSKeyedUnarchiver", repetitions: 2) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: foundationBytes)
            },
        ]
        let medians = try Measurement.medians(of: subjects, turns: 1000)

        print(
            "A record of nine attributes and a 64-byte secret: \(bytes.count) bytes, Foundation's \(foundationBytes.count)."
        )
        print("Median of 1,000 interleaved turns, and the ratio to Foundation:\n")
        for (index, subject) in subjects.enumerated() {
            let foundation = medians[index % 2 == 0 ? 4 : 5]
            let ratio = String(format: "%6.1f ×", foundation / medians[index])
            let time = String(format: "%8.2f µs", medians[index] / 1000)
            print("  \(subject.name.padding(toLength: 28, withPad: " ", startingAt: 0))\(time)  \(ratio)")
        }
    }

    private var foundationDictionary: NSDictionary {
        [
            "acct": record.acct, "svce": record.svce, "agrp": record.agrp, "labl": record.labl, "cdat": record.cdat,
            "mdat": record.mdat, "pdmn": record.pdmn, "sync": record.sync, "tomb": record.tomb,
            "v_Data": record.secret,
        ] as [String: any Sendable] as NSDictionary
    }
}
