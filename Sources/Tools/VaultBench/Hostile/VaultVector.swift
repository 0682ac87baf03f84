import CofferBasics
import Foundation
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// A vector of `Fixtures/vault`: a file, and the secrets that its reader has.
struct VaultVector {
    let bytes: [UInt8]
    /// Whether the vector states a limit for the answer.
    let hasLimit: Bool
    private let fields: [String: String]

    /// Makes the vector in `file`, or nil if it has no header.
    init?(file: [UInt8]) {
        guard let end = file.firstRange(of: [0x0A, 0x0A]) else { return nil }
        bytes = Array(file[end.upperBound...])
        var fields: [String: String] = [:]
        for line in String(decoding: file[..<end.lowerBound], as: UTF8.self).split(separator: "\n") {
            guard let colon = line.firstRange(of: ": ") else { continue }
            fields[String(line[..<colon.lowerBound])] = String(line[colon.upperBound...])
        }
        self.fields = fields
        hasLimit = fields["limit"] != nil
    }

    /// Opens and verifies the vault; returns whether it succeeds exactly if success is expected.
    func isAnsweredCorrectly() throws -> Bool {
        let expectsSuccess = fields["expect"] == "success"
        let files = MemoryFiles()
        let path = "/vault.coffer"
        try files.put(bytes, at: path)
        let environment = StoreEnvironment(files: files, random: try SystemRandom())
        do {
            let store = try VaultStore.open(at: path, environment: environment) { prelude in
                try roots(prelude)
            }
            let report = try store.verify()
            // Items may share a primary key: avoiding that is up to the writer.
            let isComplete = report.damages.isEmpty && report.invalidItems.isEmpty && report.invalidRecordCount == 0
            if isComplete { try store.read { vault in try openSecrets(of: &vault) } }
            return expectsSuccess == (isComplete && report.tail == .clean)
        } catch is StoreError {
            return !expectsSuccess
        }
    }

    /// Opens the data that has the application password, and throws if what is behind it is invalid.
    private func openSecrets(of vault: inout OpenGeneration) throws {
        guard let password = fields["application-password"].map({ Array($0.utf8) }) else { return }
        for group in vault.groupNames.keys {
            for item in try vault.items(in: group) {
                guard let secret = try vault.secret(of: item) else { continue }
                do throws(Fault) {
                    guard let stretching = try secret.stretching,
                        // A key that would take more than the limits allow is not made.
                        let key = try? ApplicationPasswordKey(
                            password.span,
                            stretching,
                            limits: limits,
                            availableByteCount: nil
                        ),
                        let opened = try secret.opened(with: key)
                    else { continue }
                    try opened.withBytes { bytes throws(Fault) in try SecretContent.check(bytes, form: opened.form) }
                } catch {
                    throw StoreError.invalidItem(item.name, error.reason)
                }
            }
        }
    }

    private var limits: Argon2Limits {
        fields["policy"] == "test"
            ? Argon2Limits(memoryKiB: 8...1_048_576, operations: 1...16, workKiB: 4_194_304) : .reader
    }

    private func roots(_ prelude: VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        if let credential { return try prelude.roots(credential, deviceKeys: deviceKeys(), now: .now) }
        let passphrase = fields["passphrase"].map { Array($0.utf8) } ?? bytes(of: "passphrase-hex")
        let keyFile = bytes(of: "keyfile-hex")
        let recovery = fields["recovery"].map { Array($0.utf8) }.flatMap { code in
            try? RecoverySecret(parsing: code.span).seed()
        }
        guard (recovery == nil) == (fields["recovery"] == nil) else { throw .noMatch }
        return try prelude.roots(
            passphrase: passphrase?.span,
            keyFile: keyFile?.span,
            recovery: recovery,
            deviceKeys: deviceKeys(),
            limits: limits,
            availableByteCount: nil
        )
    }

    private var credential: CredentialFile? {
        guard let parts = fields["credential"]?.split(separator: " ").map(Self.bytes), parts.count == 4 else {
            return nil
        }
        let (vault, team, grant, secret) = (parts[0], parts[1], parts[2], parts[3])
        guard let key = try? Key(copying: secret.span) else { return nil }
        return CredentialFile(vault: VaultID(vault.span), team: team, grant: GrantID(grant.span), secret: key)
    }

    private func deviceKeys() -> [DeviceID: Key] {
        guard let parts = fields["device"]?.split(separator: " "), parts.count == 2 else { return [:] }
        let id = Self.bytes(parts[0])
        let key = Self.bytes(parts[1])
        guard let deviceKey = try? Key(copying: key.span) else { return [:] }
        return [DeviceID(id.span): deviceKey]
    }

    private func bytes(of field: String) -> [UInt8]? {
        fields[field].map { Self.bytes($0[...]) }
    }

    private static func bytes(_ digits: Substring) -> [UInt8] {
        let digits = Array(digits.utf8)
        return stride(from: 0, to: digits.count - 1, by: 2).map { offset in
            UInt8(String(decoding: digits[offset..<offset + 2], as: UTF8.self), radix: 16) ?? 0
        }
    }
}

extension Time {
    fileprivate static var now: Time { Time(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6)) }
}
