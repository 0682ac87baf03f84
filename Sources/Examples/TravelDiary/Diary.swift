import Foundation
import LocalPersistence

/// The data of the diary, each part on its rung.
struct Diary {
    /// An entry, which the user would miss if it were lost.
    struct Entry: Codable, Sendable {
        var day: Date
        var text: String
    }

    let app: AppContainer

    /// Each entry is a document: it is removed with the app, and only the user could write it again.
    func entries() throws -> [Entry] {
        let names = try app.archive.names().filter { $0.hasPrefix("entry ") }
        return try names.compactMap { try app.archive.value(for: PersistenceKey<Entry>($0)) }.sorted { $0.day < $1.day }
    }

    func write(_ text: String) throws {
        try app.archive.set(Entry(day: Date(), text: text), for: PersistenceKey("entry \(UUID().uuidString)"))
        app.cache.remove(.wordCount)
    }

    /// The word count can be computed again at any time, so it is only cached.
    func wordCount() throws -> Int {
        if let known = app.cache.value(for: .wordCount) { return known }
        let count = try entries().reduce(0) { $0 + $1.text.split(separator: " ").count }
        print("(counted the words)")
        app.cache.set(count, for: .wordCount, cost: 1, expiresAfter: .seconds(60))
        return count
    }

    /// The user's name is a setting.
    func name() throws -> String { try app.defaults.value(for: .name) ?? "traveler" }

    /// The server's token is a secret; it outlives the app, so a returning user need not sign in again.
    func token() throws -> String? { try app.secrets.value(for: .token) }
}

extension PersistenceKey where Value == Int {
    static let wordCount = PersistenceKey("word count")
}

extension PersistenceKey where Value == String {
    static let name = PersistenceKey("name")
    static let token = PersistenceKey("token")
}
