internal import CofferBasics
package import Foundation
import Testing
internal import VaultCrypto
package import VaultFormat

/// One vector of `Fixtures/vault`, or one way to open a golden vault, as described in `Fixtures/README.md`.
package struct VaultVector: Sendable, CustomTestStringConvertible {
    private static let knownKeys: Set<String> = [
        "expect", "passphrase", "passphrase-hex", "keyfile-hex", "recovery", "device", "policy", "limit", "items",
        "credential", "application-password", "content", "locked", "tail", "records failed", "history since",
        "settings", "write",
        "comment",
    ]

    package let name: String
    package let bytes: [UInt8]
    private let fields: [String: String]

    package var testDescription: String { name }

    /// Returns all vectors, by name.
    package static func all() throws -> [VaultVector] {
        try VectorFile.all(in: "vault", keys: knownKeys).map(VaultVector.init)
    }

    /// Returns the vectors in another directory, by name.
    package static func all(in directory: URL) throws -> [VaultVector] {
        try VectorFile.all(in: directory, keys: knownKeys).map(VaultVector.init)
    }

    /// Returns every way to open each golden vault.
    package static func golden() throws -> [(vector: VaultVector, dump: String)] {
        let base = Repository.root.appending(path: "Fixtures/vaults/v1")
        let names = try FileManager.default.contentsOfDirectory(atPath: base.path).filter { $0.hasSuffix(".coffer") }
        return try names.sorted().flatMap { name in
            let stem = base.appending(path: String(name.dropLast(".coffer".count)))
            let bytes = try [UInt8](Data(contentsOf: base.appending(path: name)))
            let dump = try String(contentsOf: stem.appendingPathExtension("json"), encoding: .utf8)
            let keys = try String(contentsOf: stem.appendingPathExtension("keys"), encoding: .utf8)
            return try keys.split(separator: "\n\n").enumerated().map { number, header in
                let name = "\(name), \(number + 1)"
                return (try VaultVector(name: name, header: String(header), bytes: bytes), dump)
            }
        }
    }

    /// Makes a vector of a header and bytes that are not in one file.
    package init(name: String, header: String, bytes: [UInt8]) throws {
        self.init(try VectorFile(name: name, header: header, keys: Self.knownKeys, bytes: bytes))
    }

    private init(_ file: VectorFile) {
        name = file.name
        bytes = file.bytes
        fields = file.fields
    }

    package var expectation: String { fields["expect"] ?? "" }
    package var passphrase: [UInt8]? {
        fields["passphrase"].map { Array($0.utf8) } ?? fields["passphrase-hex"].map([UInt8].init(hexadecimal:))
    }
    /// The password of the items that have one.
    package var applicationPassword: [UInt8]? { fields["application-password"].map { Array($0.utf8) } }
    package var keyFile: [UInt8]? { fields["keyfile-hex"].map([UInt8].init(hexadecimal:)) }
    package var recoveryCode: [UInt8]? { fields["recovery"].map { Array($0.utf8) } }
    package var device: (id: [UInt8], key: [UInt8])? {
        guard let parts = fields["device"]?.split(separator: " "), parts.count == 2 else { return nil }
        return ([UInt8](hexadecimal: String(parts[0])), [UInt8](hexadecimal: String(parts[1])))
    }
    package var credential: CredentialFile? {
        get throws {
            guard let parts = fields["credential"]?.split(separator: " ").map({ [UInt8](hexadecimal: String($0)) })
            else {
                return nil
            }
            try #require(parts.count == 4)
            let (vault, team, grant, secret) = (parts[0], parts[1], parts[2], parts[3])
            return CredentialFile(
                vault: VaultID(vault.span),
                team: team,
                grant: GrantID(grant.span),
                secret: try Key(copying: secret.span)
            )
        }
    }
    package var allowsWeakDerivation: Bool { fields["policy"] == "test" }
    package var hasLimit: Bool { fields["limit"] != nil }
    package var itemCount: Int? { fields["items"].flatMap { Int($0) } }
    package var contentHash: [UInt8]? { fields["content"].map([UInt8].init(hexadecimal:)) }
    package var lockedCount: Int? { fields["locked"].flatMap { Int($0) } }
    package var tailByteCount: Int? { fields["tail"].flatMap { Int($0) } }
    package var failedRecordCount: Int? { fields["records failed"].flatMap { Int($0) } }
    package var historySince: HistoryHorizon {
        get throws {
            guard let text = fields["history since"] else { return .beginning }
            let parts = text.split(separator: " ")
            try #require(parts.count == 2)
            let time = Time(microseconds: try #require(Int64(parts[1])))
            return HistoryHorizon(sequence: try #require(UInt64(parts[0])), time: time)
        }
    }
    /// The revision and the values of the settings that count, in the notation of the vectors.
    package var settings: String? { fields["settings"] }
    package var isReadOnly: Bool { fields["write"] == "unsupported" }
}

extension VaultVector {
    /// Returns the keys that the secrets of the vector give.
    package func roots(_ prelude: VaultPrelude) throws(VaultFormatError) -> Keyring.Roots {
        if let credential = try? credential {
            return try prelude.roots(credential, now: Time(microseconds: Int64(Date.now.timeIntervalSince1970 * 1e6)))
        }
        let recovery: Key?
        var deviceKeys: [DeviceID: Key] = [:]
        do {
            recovery = try recoveryCode.map { try RecoverySecret(parsing: $0.span).seed() }
            if let (id, key) = device {
                let key = key
                deviceKeys[DeviceID(id.span)] = try Key(copying: key.span)
            }
        } catch {
            throw .noMatch
        }
        let (passphrase, keyFile) = (passphrase, keyFile)
        return try prelude.roots(
            passphrase: passphrase?.span,
            keyFile: keyFile?.span,
            recovery: recovery,
            deviceKeys: deviceKeys,
            limits: allowsWeakDerivation ? .weak : .reader,
            availableByteCount: nil
        )
    }
}

extension Argon2Limits {
    /// The limits of a reader except for a lower minimum of 8 KiB, so that tests are fast.
    package static let weak = Argon2Limits(memoryKiB: 8...1_048_576, operations: 1...16, workKiB: 4_194_304)
}

extension VaultFormatError {
    /// The word for this failure in section 15 of the specification.
    package var kind: String {
        switch self {
        case .notAVault: "not a vault"
        case .unsupported: "unsupported"
        case .headerFailure: "header failure"
        case .keybagFailure: "keybag failure"
        case .noMatch: "no match"
        case .grantExpired: "grant expired"
        case .deviceKeyNeeded: "device key needed"
        case .notEnoughMemory: "not enough memory"
        case .limitExceeded: "limit exceeded"
        case .snapshotFailure: "snapshot failure"
        case .unknownTail, .unavailable: "unavailable"
        }
    }
}
