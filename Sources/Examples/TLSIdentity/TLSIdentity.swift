import Foundation
import Security

/// A certificate in the keychain, with its private key.
struct TLSIdentity {
    private let identity: SecIdentity

    /// Finds the identity whose certificate has this label.
    init(label: String) throws {
        let query: [CFString: Any] = [kSecClass: kSecClassIdentity, kSecAttrLabel: label, kSecReturnRef: true]
        var found: CFTypeRef?
        try Self.check(SecItemCopyMatching(query as CFDictionary, &found))
        // swift-format-ignore: NeverForceUnwrap
        identity = found as! SecIdentity
    }

    /// Runs `openssl` with these words and with the identity, and returns its status.
    func run(_ words: ArraySlice<String>) throws -> Int32 {
        var certificate: SecCertificate?
        try Self.check(SecIdentityCopyCertificate(identity, &certificate))
        var key: SecKey?
        try Self.check(SecIdentityCopyPrivateKey(identity, &key))
        guard let certificate, let key else { return 1 }
        let pipes = try [pipe(with: certificate), pipe(with: key)]
        let paths = pipes.map { pipe in
            "/proc/\(ProcessInfo.processInfo.processIdentifier)/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + words + ["-cert", paths[0], "-key", paths[1]]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// A pipe that holds an object as text, so that the key is never in a file.
    private func pipe(with object: AnyObject) throws -> Pipe {
        var text: CFData?
        try Self.check(SecItemExport(object, .formatPEMSequence, [], nil, &text))
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: text as? Data ?? Data())
        try pipe.fileHandleForWriting.close()
        return pipe
    }

    private static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    }
}
