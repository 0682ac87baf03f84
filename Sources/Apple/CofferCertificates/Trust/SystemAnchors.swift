internal import VaultFiles

/// The certificates that the system trusts.
package enum SystemAnchors {
    /// The files where distributions keep them, of which the first that exists counts: Debian and Alpine, Fedora, openSUSE,
    /// and others.
    private static let paths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// Such a file is larger than any that a distribution has.
    private static let byteCountLimit = 16 << 20

    /// The certificates that the system trusts; none if it has no file of them.
    package static func read() -> [X509Certificate] {
        for path in paths {
            guard let file = try? SequentialInput.contents(of: path, byteCountLimit: byteCountLimit) else { continue }
            return certificates(in: file)
        }
        return []
    }

    /// The certificates in such a file; those that cannot be read are left out.
    package static func certificates(in file: [UInt8]) -> [X509Certificate] {
        PEM.parts(of: file).compactMap { part in
            part.label == "CERTIFICATE"
                ? try? X509Certificate(parsing: part.content) : nil
        }
    }
}
