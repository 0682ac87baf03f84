internal import CofferBasics
internal import VaultCrypto
internal import VaultFiles
internal import VaultFormat
internal import VaultStore

/// The secret with which the recipient of a grant opens a vault, and what it must find there.
///
/// It names the vault, the team that signs its grants, and one grant or recipient slot. If another vault is put in the
/// place of this one, it does not open.
///
/// ```swift
/// let credential = try vault.issueGrant(named: "web", for: ["web"])
/// try credential.write(to: credentialPath)
/// var ladder = UnlockLadder()
/// ladder.secret = .grant(try GrantCredential(readingFrom: credentialPath))
/// ```
public struct GrantCredential: Sendable {
    let file: CredentialFile

    init(_ file: CredentialFile) {
        self.file = file
    }

    /// Reads a credential file.
    ///
    /// - Parameter path: The path of the file.
    /// - Throws: ``VaultError`` if the file cannot be read, or is not a credential.
    public init(readingFrom path: String) throws(VaultError) {
        let source = UnlockSource.grantFile(path: path)
        let content = try Passphrase.reading(atMost: CredentialFile.byteCountLimit, from: source) { bytes in
            try SequentialInput.read(path, into: &bytes)
        }
        guard let content else { throw .secretUnavailable(source, "it is too large for a credential; check the path") }
        do {
            file = try content.withBytes { text in try CredentialFile(parsing: text) }
        } catch KeyFileError.cipher(let error) {
            throw .ofCipher(error)
        } catch {
            throw .secretUnavailable(source, "it is not a credential: \(error); check the path")
        }
    }

    /// Creates a credential for a grant that an owner of the vault then issues on ``request``.
    ///
    /// The secret stays here: only the request goes to the owner.
    ///
    /// - Parameters:
    ///   - path: The path of the vault, whose id and team the credential names from then on.
    ///   - options: The options for using the vault.
    /// - Returns: The credential, which opens nothing before the grant is issued.
    /// - Throws: ``VaultError`` if the vault cannot be read.
    public static func requested(
        ofVaultAt path: String,
        options: VaultOptions = VaultOptions()
    ) throws(VaultError) -> GrantCredential {
        let environment = try options.storeEnvironment()
        let inspection = try Vault.inspection(at: path, options: options)
        guard let team = inspection.teamKey else {
            throw .ofStore(inspection.damage.first.map { .vault($0, path: path) } ?? .refused(.missing))
        }
        return try made(vault: inspection.vault, team: team, environment)
    }

    static func made(
        vault: VaultID,
        team: [UInt8],
        _ environment: StoreEnvironment
    ) throws(VaultError) -> GrantCredential {
        let secret = try VaultError.converting { try environment.random.key() }
        let grant: GrantID = environment.random.identifier()
        return GrantCredential(CredentialFile(vault: vault, team: team, grant: grant, secret: secret))
    }

    /// The request for the grant, in hexadecimal digits; it is not secret.
    public var request: String { GrantRequest(of: file).description }

    /// Writes a credential file that only its owner can read.
    ///
    /// - Parameters:
    ///   - path: The path of the file, in a directory that exists; a file that is there is not replaced.
    ///   - options: The options for using vaults.
    /// - Throws: ``VaultError`` if the file cannot be created.
    public func write(to path: String, options: VaultOptions = VaultOptions()) throws(VaultError) {
        let environment = try options.storeEnvironment()
        try Vault.checkNothing(isAt: path, options: options)
        let random = environment.random.number()
        try VaultError.converting {
            try withBytes { text in try DurableFile.create(at: path, text, in: environment.files, random: random) }
        }
    }

    /// Lends the bytes of the file to `body`, and wipes them afterwards.
    public func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try file.withText(body)
    }
}
