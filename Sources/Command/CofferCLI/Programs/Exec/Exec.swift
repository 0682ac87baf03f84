internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

extension Option {
    static let environmentSecret = Option(
        "--env",
        argument: .value("VARIABLE=[USER@]NAME", .nothing),
        summary: "pass a secret in a variable",
        isRepeatable: true
    )
    static let fileSecret = Option(
        "--file",
        argument: .value("VARIABLE=[USER@]NAME", .nothing),
        summary: "pass a secret in a file whose path is in a variable",
        isRepeatable: true
    )
    fileprivate static let environmentFile = Option(
        "--env-file",
        argument: .value("FILE", .file),
        summary: "pass the variables of FILE, whose values can be coffer:[USER@]NAME",
        isRepeatable: true
    )
    static let mask = Option("--mask", summary: "replace the secrets in the output with ****")
}

extension Verb {
    static let exec: Verb = {
        var verb = Verb(
            "exec",
            .programs,
            "Run a command with secrets",
            options: [
                .environmentSecret, .fileSecret, .environmentFile, .mask, .refreshed, .refreshCommand, .refreshAge,
            ],
            details: """
                All secrets are looked up first; if one is missing, ambiguous or locked, the command is not run. They \
                are never passed as arguments, which every user can see. The account is what precedes the last @. For \
                programs that read secrets only from a file of their own form, `coffer inject` fills in a template.

                --env-file reads lines of NAME=VALUE, also with export before the name; blank lines and those that begin \
                with # are skipped. Single quotes are literal, in double quotes \\n, \\r, \\t, \\" and \\\\ are \
                escapes. A value that is coffer:kim@mail as a whole stands for that secret; others are passed as they \
                are, and not hidden by --mask.

                A file is kept in memory, if the system can do that, and only the same user can read it. Variables of \
                the command are passed on to all its children: a file is safer.

                The command replaces the coffer process, so it receives signals directly, and its exit code is that of \
                the call. With --mask coffer stays, forwards signals and hides each chosen secret in standard output \
                and standard error: plain, indented, with other line ends, percent-encoded, escaped as in JSON, in \
                base64 and in hexadecimal. This helps against accidents; a command can still write a secret in other \
                ways.

                With --refresh a secret is replaced first by what the command of --with prints; it reads the old one from \
                standard input. Of several calls that find it too old, one runs that command, and the others wait for \
                its result.

                The command does not receive variables that begin with COFFER_PASSPHRASE. If it cannot be run, the \
                exit code is 127 or 126, as in a shell.
                """,
            examples: [
                Example(
                    call: "coffer exec --env TOKEN=kim@api -- ./deploy --all",
                    purpose: "run ./deploy with the api secret of kim in TOKEN"
                ),
                Example(
                    call: "coffer exec --env-file .env ./server",
                    purpose: "run ./server with the variables of .env"
                ),
                Example(
                    call: "coffer exec --refresh api --with ./renew --older-than 50m --env KEY=api ./sync",
                    purpose: "renew the api token if it is older than 50 minutes, and run ./sync with it"
                ),
                Example(
                    call: "coffer exec --file KEY=signing --mask make release",
                    purpose: "run make with the path of a file in KEY, and mask its contents in the output"
                ),
            ]
        ) { run in try SecretCommand(run).perform() }
        verb.isFollowedByCommand = true
        return verb
    }()
}

/// A command to run with secrets.
private struct SecretCommand {
    private let run: CommandRun
    private let variables: [SecretAssignment]
    private let files: [SecretAssignment]
    /// The variables whose values are in a file, not in the vault.
    private let plain: [EnvironmentFile.Variable]
    private let isMasked: Bool
    private let refresh: SecretRefresh?

    init(_ run: CommandRun) throws {
        self.run = run
        refresh = try SecretRefresh(run)
        let read = try run.arguments.values(of: .environmentFile).map { try EnvironmentFile(atPath: $0, run) }
        variables = try Self.assignments(.environmentSecret, run) + read.flatMap(\.secrets)
        plain = read.flatMap(\.plain)
        files = try Self.assignments(.fileSecret, run)
        isMasked = run.arguments.has(.mask)
        guard !run.arguments.commandLine.isEmpty else {
            throw CommandError.usage("COMMAND is missing", hints: ["usage: \(Verb.exec.usage)"])
        }
        let names = (variables + files).map(\.name) + plain.map(\.name)
        guard !names.isEmpty else {
            throw CommandError.usage("no secret was chosen", hints: ["choose secrets with --env, --file or --env-file"])
        }
        var seen: Set<String> = []
        for name in names where !seen.insert(name).inserted {
            throw CommandError.usage("the variable \(name) was given twice")
        }
    }

    private static func assignments(_ option: Option, _ run: CommandRun) throws -> [SecretAssignment] {
        var assignments: [SecretAssignment] = []
        for text in run.arguments.values(of: option) { assignments.append(try SecretAssignment(text, of: option)) }
        return assignments
    }

    func perform() throws {
        try refresh?.perform()
        let secrets = try secrets()
        try check(secrets)
        // Files that are not in memory must be removed, whatever happens.
        guard !files.isEmpty else { return try give(secrets) { nil } }
        try run.context.machine.recordingSignals { signal in try give(secrets, signal) }
    }

    /// Runs the command with its secrets, unless a signal has arrived.
    private func give(_ secrets: [HeldSecret], _ signal: () -> Int32?) throws {
        let files = SecretFiles(run, needsParent: isMasked)
        defer { files.remove() }
        let block = SecretBuilder(capacity: 1024)
        for (assignment, secret) in zip(variables, secrets) {
            secret.withSpan { block.append(variable: assignment.name, $0) }
        }
        for variable in plain { variable.value.withSpan { block.append(variable: variable.name, $0) } }
        for (assignment, secret) in zip(self.files, secrets.dropFirst(variables.count)) {
            let path = try secret.withSpan { bytes in
                try files.add(assignment.name, bytes)
            }
            block.append(variable: assignment.name, path.utf8Span.span)
        }
        guard let signal = signal() else { return try start(block, secrets, files) }
        run.signal = signal
    }

    /// The secrets for the variables, then those for the files, in order.
    private func secrets() throws -> [HeldSecret] {
        let all = variables + files
        guard !all.isEmpty else { return [] }
        return try run.vaults.withKeychain { keychain in try all.map { try $0.reference.secret(in: keychain, for: run) }
        }
    }

    private func check(_ secrets: [HeldSecret]) throws {
        for (index, assignment) in (variables + files).enumerated() {
            let (byteCount, hasZero) = secrets[index].withSpan { bytes in
                (bytes.count, bytes.indices.contains { bytes[$0] == 0 })
            }
            guard index >= variables.count || !hasZero else {
                throw CommandError(
                    .failure,
                    "the secret for \(assignment.name) contains a zero byte, which a variable cannot hold",
                    hints: ["use --file instead of --env"]
                )
            }
            guard !isMasked || byteCount >= MaskedSecret.leastByteCount else {
                throw CommandError(
                    .failure,
                    """
                    the secret for \(assignment.name) has fewer than \(MaskedSecret.leastByteCount) bytes, too few to \
                    tell it from other text
                    """,
                    hints: ["leave out --mask, or use a longer secret"]
                )
            }
        }
    }

    private func start(
        _ block: SecretBuilder,
        _ secrets: [HeldSecret],
        _ files: SecretFiles
    ) throws {
        let program = ProgramCall(
            words: run.arguments.commandLine,
            removedPrefixes: ["COFFER_PASSPHRASE"],
            closedDescriptors: try run.arguments.descriptor(of: .passphraseDescriptor).map { [$0] } ?? []
        )
        let machine = run.context.machine
        let hidden = isMasked ? secrets.map { MaskedSecret($0) } : []
        let output = isMasked ? MaskedSink(run.context.output, hiding: hidden) : nil
        let errors = isMasked ? MaskedSink(run.context.errors, hiding: hidden) : nil
        let outcome: ProgramOutcome
        do throws(ProgramFailure) {
            outcome = try block.withSpan { variables throws(ProgramFailure) in
                guard isMasked || files.needsParent else { return try machine.become(program, adding: variables) }
                var streams: ProgramStreams?
                if let output, let errors { streams = ProgramStreams(output: output, errors: errors) }
                return try machine.run(program, adding: variables, streams: streams)
            }
        } catch {
            throw CommandError(error, program)
        }
        switch outcome {
        case .status(let status): run.status = status
        case .signal(let signal):
            run.status = UInt8(truncatingIfNeeded: 128 + signal)
            run.signal = signal
        }
        if let failure = output?.failure, run.status == 0 { throw CommandError(.inputOutput, "\(failure)") }
    }
}

extension CommandError {
    /// The error for a command that could not be run.
    init(_ failure: ProgramFailure, _ program: ProgramCall) {
        let name = program.words.first ?? ""
        switch failure {
        case .notFound: self.init(.commandNotFound, "command not found: \(name.printable)")
        case .notExecutable(let reason):
            let error = FileError(.open, name, reason: reason)
            self.init(.notExecutable, "cannot execute \(name.printable): \(error)")
        case .tooLong:
            self.init(
                .tooLarge,
                "the arguments and variables of the command are too large for the system",
                hints: ["use --file for large secrets"]
            )
        case .system(let reason):
            self.init(.failure, "cannot start the command: \(FileError(.open, name, reason: reason))")
        }
    }
}

extension SecretBuilder {
    /// Appends an environment variable, `NAME=value` and a zero byte; its value must not contain a zero byte.
    fileprivate func append(variable name: String, _ value: Span<UInt8>) {
        append(name.utf8)
        append(UInt8(ascii: "="))
        append(copying: value)
        append(0)
    }
}
