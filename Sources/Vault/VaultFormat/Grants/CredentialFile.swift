internal import CofferBasics
package import VaultCrypto

/// Section 12.2: the file with which the holder of a grant opens a vault.
///
/// It pins what a forged vault could fake: the vault id and the team key.
package struct CredentialFile: Sendable {
    private static var title: String { "coffer credential 1" }
    private static var vaultName: String { "vault" }
    private static var teamName: String { "team" }
    private static var grantName: String { "grant" }
    private static var secretName: String { "secret" }

    package static var publicKeyByteCount: Int { 32 }
    package static var byteCountLimit: Int { HexLines.byteCountLimit }

    package let vault: VaultID
    /// The Ed25519 public key that verifies the grants of the vault.
    package let team: [UInt8]
    package let grant: GrantID
    /// The X25519 secret key that the grant is sealed to.
    package let secret: Key

    package init(vault: VaultID, team: [UInt8], grant: GrantID, secret: Key) {
        precondition(team.count == Self.publicKeyByteCount, "a public key has 32 bytes")
        self.vault = vault
        self.team = team
        self.grant = grant
        self.secret = secret
    }

    /// Reads the bytes of a file, which the caller wipes.
    package init(parsing text: Span<UInt8>) throws(KeyFileError) {
        var lines = try HexLineReader(title: Self.title, of: text)
        vault = try lines.readIdentifier(Self.vaultName, from: text)
        team = try lines.read(Self.teamName, byteCount: Self.publicKeyByteCount, from: text)
        grant = try lines.readIdentifier(Self.grantName, from: text)
        secret = try lines.readKey(Self.secretName, from: text)
        try lines.readCheck(of: text)
    }

    /// Calls `body` with the bytes of the file, and wipes them afterwards.
    package func withText<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try HexLines.withText(
            title: Self.title,
            lines: { text in
                text.appendLine(Self.vaultName, vault.bytes.span)
                text.appendLine(Self.teamName, team.span)
                text.appendLine(Self.grantName, grant.bytes.span)
                text.appendLine(Self.secretName, secret)
            },
            body
        )
    }
}
