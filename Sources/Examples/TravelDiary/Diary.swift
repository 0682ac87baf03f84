import Foundation
import LocalPersistence

/// What the diary keeps, each on the rung that it belongs to.
struct Diary {
    /// An entry, which the user would miss.
    struct Entry: Codable, Sendable {
        var day: Date
        var text: String
    }

    let app: AppContainer

    /// Entries are documents, one each: they go when the app goes, and nobody but the user could write them again.
    func entries() throws -> [Entry] {
        let names = try app.archive.names().filter { $0.hasPrefix("entry ") }
        return try names.compactMap { try app.archive.value(for: PersistenceKey<Entry>($0)) }.sorted { $0.day < $1.day }
    }

    func write(_ text: String) throws {
        try app.archive.set(Entry(day: Date(), text: text), for: PersistenceKey("entry \(UUID().uuidString)"))
        app.cache.remove(.wordCount)
    }

    /// How many words there are can be counted again at any time, so it is only cached.
    func wordCount() throws -> Int {
        if let known = app.cache.value(for: .wordCount) { return known }
        let count = try entries().reduce(0) { $0 + $1.text.split(separator: " ").count }
        print("(counted the words)")
        app.cache.set(count, for: .wordCount, cost: 1, expiresAfter: .seconds(60))
        return count
    }

    /// What the user is called is a setting.
    func name() throws -> String { try app.defaults.value(for: .name) ?? "traveller" }

    /// The token of the server that keeps copies is a secret, which outlives the app: who comes back need not ask again.
    func token() throws -> String? { try app.secrets.load(for: .token) }
}

extension PersistenceKey where Value == Int {
    static let wordCount = PersistenceKey("word count")
}

extension PersistenceKey where Value == String {
    static let name = PersistenceKey("name")
    static let token = PersistenceKey("token")
}
