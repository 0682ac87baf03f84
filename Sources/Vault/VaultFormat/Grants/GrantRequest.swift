internal import CofferBasics
package import VaultCrypto

/// Section 12.2: a request for a grant or a recipient slot, which anyone may read.
///
/// Its check covers vault and team, so that an owner notices a credential that pins others.
package struct GrantRequest: Equatable, Sendable {
    package let grant: GrantID
    /// The X25519 public key of the recipient.
    package let publicKey: [UInt8]
    private let check: [UInt8]

    private static let checkByteCount = 16

    /// The request of the holder of `credential`.
    package init(of credential: CredentialFile) {
        grant = credential.grant
        publicKey = credential.secret.publicKey
        check = Self.check(grant, publicKey, vault: credential.vault, team: credential.team)
    }

    /// Reads a request, which has 128 hexadecimal digits; nil if the text is not a request.
    package init?(_ text: String) {
        guard let bytes = [UInt8](hexDigits: text), bytes.count == 48 + Self.checkByteCount else { return nil }
        grant = GrantID(bytes.span.extracting(..<16))
        publicKey = Array(bytes[16..<48])
        check = Array(bytes[48...])
        guard grant != .none else { return nil }
    }

    /// Whether the credential of the recipient pins this vault and team.
    package func isFor(_ vault: VaultID, team: [UInt8]) -> Bool {
        check == Self.check(grant, publicKey, vault: vault, team: team)
    }

    private static func check(_ grant: GrantID, _ publicKey: [UInt8], vault: VaultID, team: [UInt8]) -> [UInt8] {
        Label.request.hash(checkByteCount, vault.bytes + team + grant.bytes + publicKey)
    }
}

extension GrantRequest: CustomStringConvertible {
    /// The digits of the request.
    package var description: String { (grant.bytes + publicKey + check).hexDigits }
}
