internal import Coffer
internal import CofferBasics

extension Verb.Operand {
    static let optionalKeychain = Self(name: "KEYCHAIN", presence: .optional, completion: .file)
    static let keychains = Self(name: "KEYCHAIN", presence: .rest, completion: .file)
}

extension CommandRun {
    /// The vault that an operand names, as `--vault` would; without an operand the vault that all verbs use.
    func keychain(_ path: String?) throws -> VaultAccess {
        guard let path else { return vaults }
        guard !arguments.has(.vault) else {
            throw CommandError.usage("the vault was given twice; leave out --vault or \(path.printable)")
        }
        guard !path.isEmpty else { throw CommandError.usage("the path of the keychain is empty") }
        return VaultAccess(self, at: path)
    }

    /// The vaults that the operands name; without operands the vault that all verbs use.
    func keychains() throws -> [VaultAccess] {
        guard !arguments.operands.isEmpty else { return [vaults] }
        return try arguments.operands.map { path in try keychain(path) }
    }
}

extension CommandError {
    /// The error that no item matches, in the words of macOS.
    static var nothingMatches: CommandError {
        CommandError(
            .notFound,
            "SecKeychainSearchCopyNext: \(MacOSMessage.itemNotFound)",
            hints: ["run `coffer list` to see all items"]
        )
    }
}

/// Messages of macOS, word for word, since scripts look for them.
enum MacOSMessage {
    static let itemNotFound = "The specified item could not be found in the keychain."
    static let duplicateItem = "The specified item already exists in the keychain."
}
