internal import Coffer
internal import CofferBasics

extension Verb.Operand {
    static let optionalKeychain = Self(name: "KEYCHAIN", presence: .optional, completion: .file)
    static let keychains = Self(name: "KEYCHAIN", presence: .rest, completion: .file)
}

extension Run {
    /// The vault that an operand names as `--vault` would; the one of all verbs if there is none.
    func keychain(_ path: String?) throws -> VaultAccess {
        guard let path else { return vaults }
        guard !arguments.has(.vault) else {
            throw CommandError.usage("the vault is there twice: leave --vault or \(path.printable) out")
        }
        guard !path.isEmpty else { throw CommandError.usage("the path of the keychain is empty") }
        return VaultAccess(self, at: path)
    }

    /// The vaults that the operands name; the one of all verbs if they name none.
    func keychains() throws -> [VaultAccess] {
        guard !arguments.operands.isEmpty else { return [vaults] }
        return try arguments.operands.map { path in try keychain(path) }
    }
}

extension CommandError {
    /// Nothing fits; the sentence is the one that people know from macOS.
    static var passwordNotFound: CommandError {
        CommandError(
            .notFound,
            "SecKeychainSearchCopyNext: \(AppleSentence.itemNotFound)",
            hints: ["coffer list shows what there is"]
        )
    }
}

/// What macOS says, word for word: scripts look for it.
enum AppleSentence {
    static let itemNotFound = "The specified item could not be found in the keychain."
    static let duplicateItem = "The specified item already exists in the keychain."
}
