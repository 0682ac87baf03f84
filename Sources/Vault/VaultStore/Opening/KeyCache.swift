internal import CofferBasics
package import VaultCrypto
package import VaultFiles
package import VaultFormat

/// The kernel keyring, through which the processes of a user share the keys of unlocked vaults.
///
/// A vault opens without it, so nothing here throws: each step returns its outcome. Every process of the same user can
/// read the keys until they expire or are forgotten.
package struct KeyCache: Sendable {
    /// The bytes behind the keys.
    private static let untilByteCount = 8

    private let keyring: KernelKeyring

    /// Creates a cache in `keyring`.
    package init(keyring: KernelKeyring = KernelKeyring()) {
        self.keyring = keyring
    }

    /// The outcome of saving keys.
    package enum Saving: Equatable, Sendable {
        case stored
        case unavailable(KeyringFailure)
    }

    /// The outcome of loading keys.
    package enum Loading: Sendable {
        /// The keys, and the time until which they stay there, as their writer says.
        case found(HeldKeys, until: Time)
        case absent
        /// The keys are not, or no longer, those of the vault: they have changed since, or the file is another copy.
        case stale
        /// The value is not in the format that this program writes.
        case malformed(Fault)
        case unavailable(KeyringFailure)
        case cipher(CipherError)
    }

    /// The outcome of forgetting keys.
    package enum Forgetting: Equatable, Sendable {
        case forgotten
        case absent
        case unavailable(KeyringFailure)
    }

    /// Saves keys for `lifetime`, rounded up to seconds, replacing any previous ones.
    package func save(_ keys: HeldKeys, of vault: VaultID, for lifetime: Duration, now: Time) -> Saving {
        let seconds = Self.seconds(lifetime)
        let until = now.microseconds.addingReportingOverflow(Int64(seconds) * 1_000_000)
        do throws(KeyringFailure) {
            try withTemporarySecret(capacity: keys.byteCount + Self.untilByteCount) { output in
                keys.withBytes { output.append(copying: $0) }
                output.append(littleEndian: until.overflow ? .max : until.partialValue)
            } _: { (bytes) throws(KeyringFailure) in
                try keyring.store(bytes, as: Self.description(of: vault), seconds: seconds)
            }
            return .stored
        } catch {
            return .unavailable(error)
        }
    }

    /// Looks for keys that open the vault that begins with `prelude`.
    ///
    /// Others are kept: nothing of the file is verified yet, and it may be a copy, old or forged, of the vault to which
    /// they belong.
    package func load(for prelude: VaultPrelude) -> Loading {
        var buffer = SecretBuffer(byteCount: KernelKeyring.payloadByteCountLimit)
        let byteCount: Int?
        do throws(KeyringFailure) {
            byteCount = try buffer.withMutableSpan { (span) throws(KeyringFailure) in
                try keyring.read(Self.description(of: prelude.header.vault), into: &span)
            }
        } catch {
            return .unavailable(error)
        }
        guard let byteCount else { return .absent }
        do throws(Fault) {
            let (keys, until) = try buffer.withSpan { (span) throws(Fault) in
                let end = max(0, byteCount - Self.untilByteCount)
                let keys = try HeldKeys(parsing: span.extracting(..<end))
                return (keys, Time(microseconds: span.littleEndian(at: end)))
            }
            return keys.fit(prelude) ? .found(keys, until: until) : .stale
        } catch {
            if case .cipher(let error) = error.reason { return .cipher(error) }
            return .malformed(error)
        }
    }

    /// Removes the keys of a vault, for all processes that have not loaded them yet.
    package func forget(_ vault: VaultID) -> Forgetting {
        do throws(KeyringFailure) {
            return try keyring.remove(Self.description(of: vault)) ? .forgotten : .absent
        } catch {
            return .unavailable(error)
        }
    }

    /// The description of a vault's keys in the keyring.
    package static func description(of vault: VaultID) -> String { "coffer:\(vault)" }

    private static func seconds(_ lifetime: Duration) -> UInt32 {
        precondition(lifetime > .zero, "the lifetime of saved keys must be positive")
        let (seconds, attoseconds) = lifetime.components
        return UInt32(clamping: min(seconds, Int64(UInt32.max)) + (attoseconds > 0 ? 1 : 0))
    }
}
