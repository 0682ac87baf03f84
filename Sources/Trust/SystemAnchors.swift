package import X509

/// The certificates that the system trusts.
package enum SystemAnchors {
    /// The files where distributions keep them, of which the first that exists counts: Debian and Alpine, Fedora, openSUSE,
    /// and others.
    package static let paths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The certificates in such a file; those that cannot be read are left out.
    package static func certificates(in file: [UInt8]) -> [Certificate] {
        PEM.parts(of: file).compactMap { part in
            part.label == "CERTIFICATE"
                ? try? Certificate(parsing: part.content) : nil
        }
    }
}
