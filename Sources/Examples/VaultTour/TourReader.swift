import CofferBasics
import KeyedArchive
import VaultCrypto
import VaultFiles
import VaultFormat
import VaultStore

/// Opens vaults and describes the results.
struct TourReader {
    typealias Roots = Keyring.Roots

    let random: any RandomSource

    func roots(of vault: [UInt8], passphrase: [UInt8]) throws -> Roots {
        let prelude = try VaultPrelude(of: MemorySource(vault))
        return try prelude.roots(passphrase: passphrase.span, availableByteCount: nil)
    }

    func roots(of vault: [UInt8], recoveryCode: [UInt8]) throws -> Roots {
        let prelude = try VaultPrelude(of: MemorySource(vault))
        let seed = try RecoverySecret(parsing: recoveryCode.span).seed()
        return try prelude.roots(recovery: seed, availableByteCount: nil)
    }

    /// A line for each item.
    func items(of vault: [UInt8], _ roots: Roots) throws -> [String] {
        try opened(vault, roots).read { vault in
            var lines: [String] = []
            guard let group = vault.groupNames.keys.first else { return lines }
            for item in try vault.items(in: group) {
                let attributes = try vault.attributes(of: item)
                let (account, service) = (attributes["acct"]?.string ?? "?", attributes["svce"]?.string ?? "?")
                let secret = try vault.secret(of: item)
                let text = secret?.withBytes { String(decoding: [UInt8](copying: $0), as: UTF8.self) }
                lines.append("\(account) at \(service): \(text ?? "no data")")
            }
            return lines
        }
    }

    /// The number of readable items, and the state of the end of the file.
    func summary(of vault: [UInt8], _ roots: Roots) throws -> String {
        let report = try opened(vault, roots).verify()
        return "\(report.itemCount) of \(DemoVault.logins.count) items, \(report.tail)"
    }

    private func opened(_ vault: [UInt8], _ roots: Roots) throws -> VaultStore {
        let files = MemoryFiles()
        try files.put(vault, at: "/demo.coffer")
        let environment = StoreEnvironment(files: files, random: random)
        return try VaultStore.open(at: "/demo.coffer", environment: environment) { _ in roots }
    }

    // MARK: - Answers

    /// The result of `body`, or a description of its error.
    func answer(_ body: () throws -> String) -> String {
        do {
            return try body()
        } catch {
            return "\(error)"
        }
    }
}
