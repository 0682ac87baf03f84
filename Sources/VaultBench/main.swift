import KeyedArchive
import Foundation
let secret = (0..<64).map { UInt8($0) }
let item: ArchiveValue = [
    "acct": "kim@example.com", "svce": "mail.example.com", "agrp": "TEAMID.com.example.mail", "labl": "Mail of Kim",
    "cdat": .date(secondsSinceReferenceDate: 700_000_000.25), "mdat": .date(secondsSinceReferenceDate: 700_000_100.25),
    "pdmn": "ak", "sync": 0, "tomb": 0, "v_Data": .data(secret),
]
let b = try item.archived()
print(b.count, try ArchiveValue(archive: b) == item)
_ = FileManager.default.createFile(atPath: "/tmp/exp/ours.plist", contents: Data(b))
func med(_ n: String, _ f: () throws -> Void) rethrows {
    var t: [Double] = []
    let c = ContinuousClock()
    for _ in 0..<2000 {
        let d = try c.measure { for _ in 0..<10 { try f() } }; t.append(Double(d.components.attoseconds) / 1e9 / 10)
    }
    t.sort(); print(n, t[1000], "ns")
}
if CommandLine.arguments.count > 1 {
    for _ in 0..<200000 {
        if CommandLine.arguments[1] == "e" { _ = try item.archived() } else { _ = try ArchiveValue(archive: b) }
    }
} else {
    try med("encode") { _ = try item.archived() }
    try med("decode") { _ = try ArchiveValue(archive: b) }
}
