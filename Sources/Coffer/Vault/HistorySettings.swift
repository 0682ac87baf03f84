internal import CofferBasics
internal import KeyedArchive
internal import VaultFormat
internal import VaultStore

/// How much of the past of its items a vault keeps when it is compacted; until then all of it can be read.
///
/// ```swift
/// try vault.setHistory(HistorySettings(revisions: 10, days: 30))
/// ```
public struct HistorySettings: Equatable, Sendable {
    /// How many past revisions of an item are kept at most; nil for as many as there are.
    public var revisions: Int?
    /// How many days a past revision is kept at most; nil for always.
    public var days: Int?

    /// Keeps past revisions up to a number and an age; without either none is kept.
    public init(revisions: Int? = nil, days: Int? = nil) {
        self.revisions = revisions
        self.days = days
    }
}

extension Vault {
    /// How much of the past the vault keeps; nothing, unless somebody has decided otherwise.
    public var history: HistorySettings {
        get throws(VaultError) {
            let settings = try translating(VaultError.ofStore, store.read { vault in vault.settings })
            return HistorySettings(revisions: settings?.historyRevisions, days: settings?.historyDays)
        }
    }

    /// Decides how much of the past the vault keeps.
    ///
    /// - Parameter history: How much.
    /// - Throws: That the vault is locked, or a number is negative.
    public func setHistory(_ history: HistorySettings) throws(VaultError) {
        guard (history.revisions ?? 0) >= 0, (history.days ?? 0) >= 0 else {
            throw VaultError(
                kind: .unavailable,
                description: "past revisions are kept up to a number and an age, which are not negative"
            )
        }
        try translating(
            VaultError.ofStore,
            store.transaction { (transaction) throws(StoreError) in
                var settings = transaction.vault.settings ?? Settings(revision: 0, values: [:])
                settings.historyRevisions = history.revisions
                settings.historyDays = history.days
                try transaction.change(settings)
            }
        )
    }
}
