internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    static let refreshed = Option(
        "--refresh",
        argument: .value("[USER@]NAME", .nothing),
        summary: "replace the secret of an item first, once for all calls"
    )
    static let refreshCommand = Option(
        "--with",
        argument: .value("COMMAND", .nothing),
        summary: "shell command that reads the old secret and prints the new one, for --refresh"
    )
    static let refreshAge = Option(
        "--older-than",
        argument: .value("TIME", .nothing),
        summary: "refresh only a secret that is older, such as 50m"
    )
}

/// A secret to replace before a command runs.
struct SecretRefresh {
    private let run: CommandRun
    private let selection: ItemSelection
    private let command: String
    private let age: Duration

    /// The refresh that the options ask for; nil if they ask for none.
    init?(_ run: CommandRun) throws {
        guard let item = run.arguments.value(of: .refreshed) else {
            guard run.arguments.value(of: .refreshCommand) == nil, run.arguments.value(of: .refreshAge) == nil else {
                throw CommandError.usage("--with and --older-than need --refresh")
            }
            return nil
        }
        guard let command = run.arguments.value(of: .refreshCommand) else {
            throw CommandError.usage("--refresh needs --with and a command")
        }
        let service = try SecretAssignment.item(item, of: "--refresh")
        self.run = run
        self.command = command
        selection = ItemSelection(service: service, account: nil, group: run.arguments.value(of: .group))
        let age = try run.arguments.value(of: .refreshAge).map { try TimeSpan($0, of: .refreshAge) }
        self.age = .seconds(age?.seconds ?? 0)
    }

    /// Replaces the secret if it is old enough, or waits for another call that does.
    func perform() throws {
        let (run, selection, command, age) = (run, selection, command, age)
        try run.vaults.withKeychain { keychain in
            let reference = try selection.item(in: keychain).reference
            do {
                switch reference.itemClass {
                case .internetPassword: try Self.refresh(InternetPassword.self, reference, keychain, age, command)
                default: try Self.refresh(GenericPassword.self, reference, keychain, age, command)
                }
            } catch let failure as CommandOutput.Failure {
                throw CommandError(failure, selection)
            }
        }
        run.hasChangedItems = true
    }

    private static func refresh<Item: KeychainItem>(
        _ type: Item.Type,
        _ reference: PersistentReference,
        _ keychain: Keychain,
        _ age: Duration,
        _ command: String
    ) throws {
        guard let item = KeychainReference<Item>(reference) else { throw KeychainError.itemNotFound }
        let failure: (any Error)? = waiting { reply in
            ThreadExecutor.run {
                do {
                    try await keychain.refresh(item, ifOlderThan: age) { (old: Passphrase) in
                        try output(of: command, given: old)
                    }
                    reply(nil)
                } catch {
                    reply(error)
                }
            }
        }
        if let failure { throw failure }
    }

    /// What the command prints, without one newline at its end.
    private static func output(of command: String, given old: Passphrase) throws -> Passphrase {
        // One byte more than a secret can have shows that there are too many.
        var buffer = SecretBuffer(byteCount: Keychain.secretByteCountLimit + 2)
        var byteCount = try buffer.withMutableSpan { bytes in
            try old.withBytes { input in try CommandOutput.read(command, input: input, into: &bytes) }
        }
        return try buffer.withSpan { bytes in
            if byteCount > 0, bytes[byteCount - 1] == UInt8(ascii: "\n") { byteCount -= 1 }
            guard byteCount > 0 else {
                throw CommandError(.failure, "the command of --with printed nothing; the secret is unchanged")
            }
            return Passphrase(bytes.extracting(..<byteCount))
        }
    }
}

extension CommandError {
    /// The error if the command that refreshes a secret gave none.
    fileprivate init(_ failure: CommandOutput.Failure, _ selection: ItemSelection) {
        let reason =
            switch failure {
            case .notStarted(let number): "could not be started (error \(number))"
            case .unreadable(let error): "gave no output: \(error)"
            case .unknownEnd: "ended in an unknown way"
            case .status(let status): "failed with status \(status)"
            case .signal(let signal): "was ended by signal \(signal)"
            }
        self.init(.failure, "the command of --with \(reason); the secret of \(selection.description) is unchanged")
    }
}
