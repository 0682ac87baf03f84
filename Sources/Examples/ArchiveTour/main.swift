import FoundationEssentials
import KeyedArchive
import KeyedArchiveFoundation

// How a program uses keyed archives: it writes a value, reads it back, and gets precise errors for a damaged file.

struct Login: Codable, Equatable {
    var service: String
    var account: String
    var created: Date
    var tags: Set<String>
    var secret: Data
}

let login = Login(
    service: "mail.example.com",
    account: "kim",
    created: Date(timeIntervalSinceReferenceDate: 800_000_000),
    tags: ["work", "mail"],
    secret: Data("correct horse battery staple".utf8)
)

let archive = try ArchiveEncoder().encode(login)
print("A Login with five fields becomes an archive of \(archive.count) bytes, which NSKeyedUnarchiver reads.")
print("The same value always gives the same bytes: \(try ArchiveEncoder().encode(login) == archive ? "yes" : "no").")

let again = try ArchiveDecoder().decode(Login.self, from: archive)
print("It comes back unchanged: \(again == login ? "yes" : "no").")

print("\nThe archive without a type, as values:")
for (key, value) in try ArchiveValue(archive: archive).dictionary ?? [:] {
    let shown =
        switch value {
        case .string(let text): "\"\(text)\""
        case .data(let bytes): "\(bytes.count) bytes of data"
        case .set(let elements): "a set of \(elements.count)"
        case .date(let seconds): "a date, \(seconds) seconds after January 1, 2001"
        default: "something else"
        }
    print("  \(key.string ?? "?"): \(shown)")
}

print("\nThe error for a damaged archive names the position:")
do throws(KeyedArchiveError) {
    var damaged = archive
    damaged[8] = 0x0F
    _ = try ArchiveValue(archive: damaged)
} catch {
    print("  \(error)")
}

print("\nSo does the error for an invalid settings file:")
do throws(XMLPropertyListError) {
    let settings = """
        <plist version="1.0"><dict>
            <key>attempts</key>
            <integer>three</integer>
        </dict></plist>
        """
    _ = try PropertyList(xml: Array(settings.utf8))
} catch {
    print("  \(error)")
}
