internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// How much item history a vault keeps when it is compacted; until then, all of it can be read.
///
/// ```swift
/// try vault.setHistorySettings(HistorySettings(revisions: 10, days: 30))
/// ```
public struct HistorySettings: Equatable, Sendable {
    /// The maximum number of past revisions to keep of each item; nil for no limit, if ``days`` is set.
    public var revisions: Int?
    /// The maximum number of days to keep a past revision; nil for no limit, if ``revisions`` is set.
    public var days: Int?

    /// Creates settings with a maximum number and age of past revisions; if both are nil, none are kept.
    public init(revisions: Int? = nil, days: Int? = nil) {
        self.revisions = revisions
        self.days = days
    }
}

extension Vault {
    /// How much history the vault keeps when it is compacted; none by default.
    public var historySettings: HistorySettings {
        get throws(VaultError) {
            let settings = try translating(VaultError.ofStore, store.read { vault in vault.settings })
            return HistorySettings(revisions: settings?.historyRevisions, days: settings?.historyDays)
        }
    }

    /// Sets how much history the vault keeps when it is compacted.
    ///
    /// - Parameter settings: The new settings.
    /// - Throws: ``VaultError`` if the vault is locked, or a number is negative.
    public func setHistorySettings(_ settings: HistorySettings) throws(VaultError) {
        guard (settings.revisions ?? 0) >= 0, (settings.days ?? 0) >= 0 else {
            throw VaultError(
                kind: .unavailable,
                description: "invalid history settings: the numbers of revisions and days must not be negative"
            )
        }
        try translating(
            VaultError.ofStore,
            store.transaction { (transaction) throws(StoreError) in
                var stored = transaction.vault.settings ?? Settings()
                stored.historyRevisions = settings.revisions
                stored.historyDays = settings.days
                try transaction.change(stored)
            }
        )
    }
}
