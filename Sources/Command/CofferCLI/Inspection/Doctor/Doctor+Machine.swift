internal import Coffer
internal import CofferBasics
internal import CofferCertificates
internal import VaultFiles

// What the vault needs from the machine.
extension Doctor {
    mutating func examineKeyring() {
        let name = outline?.keyringName ?? "coffer:doctor"
        var buffer = SecretBuffer(byteCount: KernelKeyring.payloadByteCountLimit)
        do throws(KeyringFailure) {
            let byteCount = try buffer.withMutableSpan { span throws(KeyringFailure) in
                try options.keyring.read(name, into: &span)
            }
            checkup.ok(
                "kernel keyring",
                byteCount == nil
                    ? "works; it holds no keys of the vault" : "holds keys of the vault: it is unlocked"
            )
        } catch {
            checkup.warning("kernel keyring", "`coffer unlock` cannot store keys: \(error)")
        }
    }

    mutating func examineMemory() {
        let needs = outline?.slots.compactMap { slot in
            slot.work.flatMap { (0...(1 << 30)).contains($0.memoryKiB) ? $0.memoryKiB << 10 : nil }
        }
        guard let available = try? options.machine().memoryByteCount else {
            return checkup.ok("memory", "the system does not report how much is available")
        }
        let there = ByteSize.text(available)
        guard let need = needs?.max() else {
            return checkup.ok("memory", "\(there) available; no passphrase needs any")
        }
        guard need <= available else {
            return checkup.problem(
                "memory",
                "the passphrase needs \(ByteSize.text(need)) to check, but only \(there) is available",
                ["close other programs, or give this one more memory"],
                .outOfMemory
            )
        }
        checkup.ok("memory", "\(there) available; the passphrase needs \(ByteSize.text(need))")
    }
    /// What certificates and keys need; most vaults have none.
    mutating func examineKeys() {
        do throws(LibcryptoError) {
            _ = try Libcrypto.shared.get()
            checkup.ok(
                "keys",
                "\(Libcrypto.name) works; no Secure Enclave: keys created for one are stored in the vault"
            )
        } catch {
            checkup.ok("keys", "most certificates and keys cannot be used here: \(error)")
        }
    }
}
