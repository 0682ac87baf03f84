import Coffer
import CofferSecurity
import Foundation

/// Measures the memory of verbs and of `SecItem` calls on the worst files that can be built with the keys.
struct WorstVaultBench {
    /// The bounds of Spec/store.md, section 12: a number of MiB plus a multiple of the file size.
    private static let baseMebibytes = 64.0
    private static let factor = 8.0
    private static let factorForAllAttributes = 32.0

    /// An operation on a vault.
    private enum Work: String, CaseIterable {
        case get, list, verify, compact, salvage
        /// `SecItemCopyMatching` for the secret of one item, and for the attributes of all.
        case one = "SecItem one"
        case all = "SecItem all"

        var factor: Double { self == .list || self == .all ? factorForAllAttributes : WorstVaultBench.factor }
    }

    private let command: String
    private let sizes: [Int]
    private let kinds: [WorstVault]

    /// Takes the path of the command, then sizes in MiB and kinds of vaults in any order; no kind means all kinds.
    init?(arguments: [String]) {
        guard let command = arguments.first else { return nil }
        self.command = command
        let words = arguments.dropFirst()
        sizes = words.compactMap { Int($0) }
        let named = words.compactMap { WorstVault(rawValue: $0) }
        guard sizes.count + named.count == words.count, !sizes.isEmpty else { return nil }
        kinds = named.isEmpty ? WorstVault.allCases : named
    }

    /// Prints the memory that each operation takes, and returns whether all stayed within the bounds.
    func run() throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "coffer-worst-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var isWithin = true
        print(column("MiB in memory") + Work.allCases.map { column($0.rawValue, 13) }.joined())
        for size in sizes {
            for kind in kinds { if try !measure(kind, size, directory) { isWithin = false } }
        }
        return isWithin
    }

    private func measure(_ kind: WorstVault, _ size: Int, _ directory: URL) throws -> Bool {
        // Built by another process: the peak of this one would count for the processes that it starts.
        _ = try ChildProcess.run(["worst", kind.rawValue, directory.path, "\(size << 20)"])
        let vault = directory.appending(path: "vault").path
        let byteCount = try FileManager.default.attributesOfItem(atPath: vault)[.size] as? Int ?? 0
        let mebibytes = Double(byteCount) / 1_048_576
        print(column("\(kind.rawValue) \(String(format: "%.1f", mebibytes))"), terminator: "")
        var isWithin = true
        for work in Work.allCases {
            let taken = try measure(work, directory)
            let isTooMuch = taken > Self.baseMebibytes + work.factor * mebibytes
            if isTooMuch { isWithin = false }
            print(column(String(format: "%.0f%@", taken, isTooMuch ? " TOO MUCH" : ""), 13), terminator: "")
            fflush(nil)
        }
        print()
        return isWithin
    }

    private func column(_ text: String, _ width: Int = 28) -> String {
        text.padding(toLength: max(width, text.count + 1), withPad: " ", startingAt: 0)
    }

    /// Returns the peak memory of a process that performs the operation on a copy of the vault, in MiB.
    private func measure(_ work: Work, _ directory: URL) throws -> Double {
        let (copy, saved) = (directory.appending(path: "copy"), directory.appending(path: "saved"))
        for file in [copy, saved] { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.copyItem(at: directory.appending(path: "vault"), to: copy)
        let key = directory.appending(path: "key").path
        let words =
            switch work {
            case .get: [command, "get", WorstVault.service, "1", "--vault", copy.path, "--key-file", key]
            case .salvage: [command, "salvage", copy.path, saved.path, "--key-file", key]
            case .list, .verify, .compact: [command, work.rawValue, "--vault", copy.path, "--key-file", key]
            case .one, .all: ["/proc/self/exe", ChildProcess.verb, "find", work.rawValue, copy.path, key]
            }
        return try Self.peakMebibytes(of: words, home: directory.path)
    }

    private static func peakMebibytes(of words: [String], home: String) throws -> Double {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for stream: Int32 in [1, 2] { posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0) }
        var arguments = words.map { strdup($0) } + [nil]
        var environment = [strdup("HOME=\(home)"), nil]
        defer { for word in arguments + environment { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], &actions, nil, &arguments, &environment) == 0 else {
            throw CocoaError(.executableLoad)
        }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(process, &status, 0, &usage) == process else { throw CocoaError(.executableLoad) }
        // Rejecting the file is a valid answer; being killed or trapping is not.
        guard status & 0x7F == 0 else { throw CocoaError(.executableRuntimeMismatch) }
        return Double(usage.ru_maxrss) / 1024
    }

    // MARK: - Other processes

    /// Writes a vault and a key file that opens it; the arguments are a kind, a directory and a size.
    static func write(arguments: [String]) throws {
        guard arguments.count == 3, let kind = WorstVault(rawValue: arguments[0]), let byteCount = Int(arguments[2])
        else { exit(2) }
        let directory = URL(filePath: arguments[1])
        let sample = try VaultSample()
        try Data(sample.keyFile).write(to: directory.appending(path: "key"))
        try kind.write(to: directory.appending(path: "vault").path, byteCount: byteCount, sample: sample)
    }

    /// Finds items with `SecItemCopyMatching`: one or all, in a vault that a key file opens.
    static func find(arguments: [String]) throws {
        guard arguments.count == 3, let work = Work(rawValue: arguments[0]) else { exit(2) }
        var ladder = UnlockLadder()
        ladder.keyFile = arguments[2]
        guard let vault = try? Vault.open(at: arguments[1], with: ladder) else { exit(3) }
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: WorstVault.service,
        ]
        if work == .one {
            query[kSecAttrAccount as String] = "1"
            query[kSecReturnData as String] = true
        } else {
            query[kSecMatchLimit as String] = kSecMatchLimitAll
            query[kSecReturnAttributes as String] = true
        }
        let keychain = vault.keychain(for: AccessGroups(declared: [VaultSample.groupName]))
        let status = Keychain.withDefault(keychain) {
            var result: CFTypeRef?
            return SecItemCopyMatching(query as CFDictionary, &result)
        }
        exit(status == errSecSuccess || status == errSecItemNotFound ? 0 : 4)
    }
}
