internal import Coffer
internal import CofferBasics
internal import VaultFiles

// What the vault needs of the machine.
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
                    ? "it works; the vault is not unlocked there" : "keys of the vault are there: it is unlocked"
            )
        } catch {
            checkup.warning("kernel keyring", "coffer unlock cannot leave keys: \(error)")
        }
    }

    mutating func examineMemory() {
        let needs = outline?.slots.compactMap { slot in
            slot.work.flatMap { (0...(1 << 30)).contains($0.memoryKiB) ? $0.memoryKiB << 10 : nil }
        }
        guard let available = try? options.machine().memoryByteCount else {
            return checkup.ok("memory", "the system does not tell how much there is")
        }
        let there = ByteSize.text(available)
        guard let need = needs?.max() else {
            return checkup.ok("memory", "\(there); no passphrase needs any")
        }
        guard need <= available else {
            return checkup.problem(
                "memory",
                "to check the passphrase takes \(ByteSize.text(need)), and there are \(there)",
                ["close other programs, or give this one more memory"],
                .outOfMemory
            )
        }
        checkup.ok("memory", "\(there), of which the passphrase takes \(ByteSize.text(need))")
    }
}
