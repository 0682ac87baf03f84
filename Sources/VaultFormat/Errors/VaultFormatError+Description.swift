internal import CofferBasics

extension VaultFormatError: CustomStringConvertible {
    /// What happened, where, and what to do next, without anything that a vault keeps secret.
    package var description: String {
        switch self {
        case .notAVault:
            "this file is not a vault, or it is empty; choose another file, or take the vault from a backup"
        case .unsupported(let feature):
            "the vault was made by a newer version: \(feature); update this program to open it"
        case .headerFailure(.tooShort, let offset):
            "the vault was cut off at byte \(offset), before its keys and stored items end; take it from a backup"
        case .headerFailure(let fault, let offset):
            "the header of the vault is damaged at byte \(offset): \(fault); take the vault from a backup"
        case .keybagFailure(let fault, let offset):
            "the keys of the vault are damaged at byte \(offset): \(fault); take the vault from a backup"
        case .noMatch:
            """
            this does not open the vault: the passphrase, key file, recovery code or device key is another one; try \
            again, the vault has not been changed
            """
        case .deviceKeyNeeded(let devices):
            """
            the vault opens only on a machine that it knows, with its device key \
            (\(devices.map(\.description).joined(separator: ", "))); open it there, or use a recovery code
            """
        case .notEnoughMemory(let needed, let available): Self.notEnoughMemory(needed, available)
        case .limitExceeded(let limit, let value):
            """
            the vault says that \(limit) is \(value), more or less than any vault may have; it is damaged, or somebody \
            wants to wear this machine out
            """
        case .snapshotFailure(let fault, let offset):
            """
            the stored items are damaged at byte \(offset): \(fault); take the vault from a backup, or salvage what \
            can still be read
            """
        case .unknownTail(let offset):
            "from byte \(offset) on, it cannot be told without a key what the file holds; open the vault to find out"
        case .unavailable(let reason): "the vault could not be read: \(reason)"
        }
    }

    private static func notEnoughMemory(_ neededByteCount: Int, _ availableByteCount: Int?) -> String {
        let available = availableByteCount.map { "\($0) bytes" } ?? "less"
        return """
            to check the passphrase takes \(neededByteCount) bytes of memory and there are \(available); close other \
            programs, or give this one more memory, and try again
            """
    }
}

extension UnsupportedFeature: CustomStringConvertible {
    /// What this version does not know, in a few words.
    package var description: String {
        switch self {
        case .majorVersion(let number): "the file has version \(number)"
        case .suite(let number): "the ciphers are those of suite \(number)"
        case .incompatibleFeatures(let bits): "it needs the features 0x\(String(bits, radix: 16))"
        case .readOnlyFeatures(let bits): "to write it, the features 0x\(String(bits, radix: 16)) must be known"
        case .algorithm(let number): "a passphrase is stretched with algorithm \(number)"
        case .keybagEntry(let type): "its keys have an entry of type \(type)"
        case .section(let kind): "it has a section of kind \(kind)"
        case .record(let kind): "it has a change of kind \(kind)"
        }
    }
}

extension Unavailability: CustomStringConvertible {
    /// What the machine refused, and what may help.
    package var description: String {
        switch self {
        case .cipher(let error): "\(error); close other programs and try again"
        case .file(let code, let offset):
            "reading at byte \(offset) failed with error \(code) of the system; check the disk and the permissions"
        case .fileShrank(let offset):
            "the file was cut at byte \(offset) while it was read; try again when nothing else changes it"
        }
    }
}
