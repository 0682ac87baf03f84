import Foundation

/// A table of generic passwords in SQLite or SQLCipher, in a typical layout.
final class SQLiteSubject: StoreSubject {
    /// The library to use.
    enum Kind: String, CaseIterable {
        case plain = "sqlite"
        case encrypted = "sqlcipher"

        var name: String { self == .plain ? "SQLite" : "SQLCipher" }
        var libraryName: String { self == .plain ? "libsqlite3.so.0" : "libsqlcipher.so.0" }
        var packageName: String { self == .plain ? "libsqlite3-0" : "libsqlcipher0" }
        /// The query that returns the version.
        var version: String { self == .plain ? "SELECT sqlite_version()" : "PRAGMA cipher_version" }
    }

    /// A raw key: no time is spent on deriving one from a passphrase.
    private static let key = String(repeating: "5a", count: 32)

    let kind: Kind
    var name: String { kind.name }
    private let path: String
    private let database: SQLiteDatabase
    private var insertion: SQLiteStatement?
    private var secretQuery: SQLiteStatement?
    private var presenceQuery: SQLiteStatement?
    private var serviceQuery: SQLiteStatement?
    private var attributesQuery: SQLiteStatement?
    private var begin: SQLiteStatement?
    private var commit: SQLiteStatement?
    private var isDurable = true

    /// Opens the database, creating it if needed; returns nil if the machine lacks the library.
    init?(_ kind: Kind, in place: StorePlace) throws {
        guard let library = SQLiteLibrary(named: kind.libraryName) else { return nil }
        self.kind = kind
        path = place.database(kind)
        database = try SQLiteDatabase(library, path: path)
        if kind == .encrypted { try database.run("PRAGMA key = \"x'\(Self.key)'\"") }
        try database.run("PRAGMA synchronous = FULL")
    }

    /// Returns the statement in `place`, preparing it on first use.
    private func prepared(_ place: inout SQLiteStatement?, _ text: String) throws -> SQLiteStatement {
        if let statement = place { return statement }
        let statement = try SQLiteStatement(text, in: database)
        place = statement
        return statement
    }

    func version() throws -> String { try database.run(kind.version) ?? "unknown" }

    // MARK: - Work

    func load(_ numbers: Range<Int>) throws {
        try database.run("PRAGMA journal_mode = WAL")
        try database.run(
            """
            CREATE TABLE genp (
                acct BLOB NOT NULL, svce BLOB NOT NULL, labl BLOB, cdat REAL, mdat REAL, icmt BLOB, data BLOB,
                UNIQUE (acct, svce)
            )
            """
        )
        try database.run("CREATE INDEX genp_svce ON genp (svce)")
        // Filling the table is not measured, so it may use as much memory as it wants.
        try database.run("PRAGMA cache_size = -1000000")
        try database.run("PRAGMA synchronous = OFF")
        try transaction { for number in numbers { try insert(StoreItem(number)) } }
        try database.run("VACUUM")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
        // The default value.
        try database.run("PRAGMA cache_size = -2000")
        try database.run("PRAGMA synchronous = FULL")
    }

    private func insert(_ item: StoreItem) throws {
        let statement = try prepared(
            &insertion,
            "INSERT INTO genp (acct, svce, labl, cdat, mdat, icmt, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
        )
        try statement.run([
            .bytes(Array(item.account.utf8)), .bytes(Array(item.service.utf8)), .bytes(Array(item.label.utf8)),
            .number(item.created), .number(item.modified), .bytes(Array(item.comment.utf8)), .bytes(item.secret),
        ])
    }

    func add(_ items: ArraySlice<PreparedItem>, isDurable: Bool) throws {
        if isDurable != self.isDurable {
            // In this mode, a commit is written to the log but not synced.
            try database.run("PRAGMA synchronous = \(isDurable ? "FULL" : "NORMAL")")
            self.isDurable = isDurable
        }
        // A single insertion is a transaction of its own.
        if items.count == 1, let item = items.first { return try insert(item.item) }
        try transaction { for item in items { try insert(item.item) } }
    }

    private func transaction(_ body: () throws -> Void) throws {
        try prepared(&begin, "BEGIN IMMEDIATE").run([])
        try body()
        try prepared(&commit, "COMMIT").run([])
    }

    private func primaryKey(_ key: PreparedItem) -> [SQLiteStatement.Value] {
        [.bytes(key.account), .bytes(key.service)]
    }

    func secretByteCount(of key: PreparedItem) throws -> Int? {
        var byteCount: Int?
        let query = try prepared(&secretQuery, "SELECT data FROM genp WHERE acct = ? AND svce = ?")
        try query.run(primaryKey(key)) { byteCount = $0.bytes(0).count }
        return byteCount
    }

    func contains(_ key: PreparedItem) throws -> Bool {
        var isFound = false
        let query = try prepared(&presenceQuery, "SELECT rowid FROM genp WHERE acct = ? AND svce = ?")
        try query.run(primaryKey(key)) { _ in isFound = true }
        return isFound
    }

    func count(ofService key: PreparedItem) throws -> Int {
        var count = 0
        let query = try prepared(&serviceQuery, "SELECT acct FROM genp WHERE svce = ?")
        try query.run([.bytes(key.service)]) { row in
            if !row.bytes(0).isEmpty { count += 1 }
        }
        return count
    }

    func attributeCount(of key: PreparedItem) throws -> Int {
        var count = 0
        let query = try prepared(
            &attributesQuery,
            "SELECT acct, svce, labl, cdat, mdat, icmt FROM genp WHERE acct = ? AND svce = ?"
        )
        try query.run(primaryKey(key)) { row in
            for column in 0..<CInt(6) where !row.bytes(column).isEmpty { count += 1 }
        }
        return count
    }

    func byteCount() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.size] as? Int) ?? 0
    }
}
