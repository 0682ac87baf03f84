package import Foundation
package import Testing

/// An authority of openssl, which issues certificates for tests.
package struct TestAuthority {
    fileprivate static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    /// The files of a certificate and its key.
    package struct Issued {
        package let certificate: String
        package let key: String
    }

    private let directory: URL
    private let own: Issued

    /// The file of its own certificate.
    package var certificate: String { own.certificate }

    package init(_ name: String, in directory: URL) throws {
        self.directory = directory
        own = Self.issued(name, in: directory)
        try Self.run(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/O=\(name)",
            "-keyout",
            own.key,
            "-out",
            own.certificate
        )
    }

    /// Issues a certificate for servers and clients, which is valid for some days from now on.
    package func issue(
        _ name: String,
        subject: String = "/O=test",
        host: String = "IP:127.0.0.1",
        days: Int = 2
    ) throws -> Issued {
        let new = Self.issued(name, in: directory)
        let request = directory.appending(path: "\(name).request").path
        try Self.run(
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            subject,
            "-addext",
            "subjectAltName=\(host)",
            "-keyout",
            new.key,
            "-out",
            request
        )
        try Self.run(
            "x509",
            "-req",
            "-in",
            request,
            "-CA",
            own.certificate,
            "-CAkey",
            own.key,
            "-copy_extensions",
            "copyall",
            "-days",
            String(days),
            "-out",
            new.certificate
        )
        return new
    }

    private static func issued(_ name: String, in directory: URL) -> Issued {
        Issued(
            certificate: directory.appending(path: "\(name).pem").path,
            key: directory.appending(path: "\(name).key").path
        )
    }

    private static func run(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Leaves tests out where openssl is not installed.
    package static var openssl: Self { .enabled(if: TestAuthority.isInstalled, "openssl is not installed") }
}
