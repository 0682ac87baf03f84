/// What a certificate is evaluated for.
package enum TrustPolicy: Hashable, Sendable {
    /// Any purpose.
    case basic
    /// The server of a TLS connection, with this name if it matters.
    case server(name: String?)
    /// The client of a TLS connection.
    case client
    /// Whether the certificate was revoked, which nothing here can find out.
    case revocation(requiresAnswer: Bool)
}
