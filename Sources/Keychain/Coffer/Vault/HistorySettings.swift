internal import CofferBasics
internal import VaultFormat
internal import VaultStore

/// How much of the past a vault keeps: what was overwritten or deleted, within at most 32 MiB.
///
/// ```swift
/// try vault.setHistorySettings(HistorySettings(revisions: 20, days: 365))
/// ```
///
/// It can be read with the keys of the vault. ``Keychain/erase(_:)`` deletes an item for good.
public struct HistorySettings: Equatable, Sendable {
    /// What vaults keep unless their owner decides otherwise: ten past revisions of each item, for ninety days.
    public static let standard = HistorySettings(
        revisions: HistoryPolicy.standard.revisions,
        days: HistoryPolicy.standard.days
    )

    /// The bytes that the past of a vault takes at most; what ended first goes first.
    package static let maximumByteCount = HistoryPolicy.maximumByteCount

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
    /// How much of the past the vault keeps.
    public var historySettings: HistorySettings {
        get throws(VaultError) {
            let settings = try read { vault in vault.settings }
            return HistorySettings(revisions: settings?.historyRevisions, days: settings?.historyDays)
        }
    }

    /// Sets how much of the past the vault keeps.
    ///
    /// - Parameter settings: The new settings.
    /// - Throws: ``VaultError`` if the vault is locked, or a number is negative.
    public func setHistorySettings(_ settings: HistorySettings) throws(VaultError) {
        // Written out, since settings without a number get the standard ones.
        let settings = settings == HistorySettings() ? HistorySettings(revisions: 0) : settings
        guard (settings.revisions ?? 0) >= 0, (settings.days ?? 0) >= 0 else {
            throw VaultError(
                kind: .unavailable,
                description: "invalid history settings: the numbers of revisions and days must not be negative"
            )
        }
        try VaultError.converting {
            try store.transaction { transaction in
                var stored = transaction.vault.settings ?? Settings()
                stored.historyRevisions = settings.revisions
                stored.historyDays = settings.days
                try transaction.change(stored)
            }
        }
    }
}

extension UnlockReport {
    /// Writes the standard settings for the past if the vault has none; a failure is a warning.
    mutating func writeStandardHistory(of store: VaultStore) {
        do {
            try store.writeHistorySettings()
        } catch {
            warnings.append("the settings for the past could not be saved: \(error)")
        }
    }
}
