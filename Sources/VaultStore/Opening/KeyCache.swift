internal import CofferBasics
package import VaultCrypto
package import VaultFiles
package import VaultFormat

/// Where the processes of a user leave the keys of unlocked vaults for one another: the kernel's keyring.
///
/// A vault opens without it, so nothing here throws: each step says what came of it. Whoever runs as the same user can
/// read the keys until they end, or are forgotten.
package struct KeyCache: Sendable {
    private let keyring: KernelKeyring

    /// A cache in `keyring`.
    package init(keyring: KernelKeyring = KernelKeyring()) {
        self.keyring = keyring
    }

    /// What came of saving keys.
    package enum Saving: Equatable, Sendable {
        case stored
        case unavailable(KeyringFailure)
    }

    /// What was found.
    package enum Loading: Sendable {
        case found(HeldKeys)
        case absent
        /// The keys are not those of the vault, or no more: they were changed since, or the file is another copy.
        case stale
        /// What lies there is not what this program writes.
        case malformed(LocatedFault)
        case unavailable(KeyringFailure)
        case cipher(CipherError)
    }

    /// What came of forgetting keys.
    package enum Forgetting: Equatable, Sendable {
        case forgotten
        case absent
        case unavailable(KeyringFailure)
    }

    /// Leaves keys for `lifetime`, rounded up to seconds, instead of those that were there.
    package func save(_ keys: HeldKeys, of vault: VaultID, for lifetime: Duration) -> Saving {
        do throws(KeyringFailure) {
            let seconds = Self.seconds(lifetime)
            try keys.withBytes { (bytes) throws(KeyringFailure) in
                try keyring.store(bytes, as: Self.description(of: vault), seconds: seconds)
            }
            return .stored
        } catch {
            return .unavailable(error)
        }
    }

    /// Looks for keys that open the vault that begins with `prelude`; those that it has outlived are forgotten.
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
        do throws(LocatedFault) {
            let keys = try buffer.withSpan { (span) throws(LocatedFault) in
                try HeldKeys(parsing: span.extracting(..<byteCount))
            }
            guard !keys.fit(prelude) else { return .found(keys) }
            // A file with older keys is a copy from before, and says nothing about the vault that the keys are of.
            if keys.structureKey.epoch <= prelude.structureKeyEpoch { _ = forget(prelude.header.vault) }
            return .stale
        } catch {
            if case .cipher(let error) = error.fault { return .cipher(error) }
            return .malformed(error)
        }
    }

    /// Lets the keys of a vault go, for all processes that have not loaded them yet.
    package func forget(_ vault: VaultID) -> Forgetting {
        do throws(KeyringFailure) {
            return try keyring.remove(Self.description(of: vault)) ? .forgotten : .absent
        } catch {
            return .unavailable(error)
        }
    }

    /// What the keys of a vault are called in the keyring.
    package static func description(of vault: VaultID) -> String { "coffer:\(vault)" }

    private static func seconds(_ lifetime: Duration) -> UInt32 {
        precondition(lifetime > .zero, "keys that end at once cannot be saved")
        let (seconds, attoseconds) = lifetime.components
        return UInt32(clamping: min(seconds, Int64(UInt32.max)) + (attoseconds > 0 ? 1 : 0))
    }
}
