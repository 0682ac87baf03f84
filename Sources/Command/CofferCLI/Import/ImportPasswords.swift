internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import VaultFiles

extension Option {
    static let existing = Option(
        "--existing",
        argument: .value("WHAT", .words(ExistingItems.allCases.map(\.rawValue))),
        summary: "what to do with items that exist: skip (the default), update, or keep both"
    )
    static let columns = Option(
        "--columns",
        argument: .value("LIST", .nothing),
        summary: "columns of a CSV file: title=A,site=B,account=C,password=D,notes=E,otp=F"
    )
    static let htmlEntities = Option("--html-entities", summary: "decode &amp; and the like in a file of LastPass")
}

extension CommandRun {
    /// How many losses are listed at a terminal.
    private static let shownLossCount = 20

    /// Stores what a file of another program, or an export of our own, contains.
    ///
    /// - Parameters:
    ///   - path: The path of the file or folder; a hyphen for standard input.
    ///   - access: The vault.
    /// - Returns: The bytes of a file of certificates or keys, of which nothing was stored; else nil.
    /// - Throws: `CommandError` if the file cannot be read or stored.
    func importPasswords(_ path: String, _ access: VaultAccess) throws -> HeldSecret? {
        let options = try readingOptions()
        let policy = try policy()
        let group = arguments.value(of: .group)
        let bytes = try content(path)
        do {
            guard let bytes else {
                try store(PasswordImport(passwordStore(path), group: group, policy), path, access)
                return nil
            }
            guard !bytes.isDER || options.columns != nil else { return bytes }
            let start = bytes.firstVisibleOffset ?? 0
            if bytes.has("{".utf8, at: start), let tree = try? JSONTree(bytes), ExportFile.matches(tree) {
                try store(PasswordImport(ExportFile(tree), group: group, policy), path, access)
                return nil
            }
            let file = try PasswordFile.read(bytes, name: path.directoryAndName.1, options: options)
            try store(PasswordImport(file, group: group, policy), path, access)
            return nil
        } catch let error as PasswordFileError {
            // Only now: a note in a password file may have a certificate or a key too.
            if let bytes, bytes.hasPEM, options.columns == nil { return bytes }
            let hints =
                error == .unknownForm
                ? [
                    "name the columns of a CSV file with --columns",
                    "certificates and keys are read from PEM, DER and PKCS #12",
                ] : []
            let code: ExitCode = if case .tooLarge = error { .tooLarge } else { .undecodable }
            throw CommandError(code, "\(path.printable): \(error.description)", hints: hints)
        }
    }

    /// The bytes of a file or of standard input; nil if it is a folder.
    private func content(_ path: String) throws -> HeldSecret? {
        let limit = HeldSecret.byteCountLimit
        let bytes: HeldSecret?
        if path == "-" {
            bytes = try standardInput(byteCountLimit: limit)
        } else {
            do throws(FileError) {
                bytes = try SequentialInput.secret(of: path, byteCountLimit: limit)
            } catch {
                guard error.reason != .isDirectory else { return nil }
                throw CommandError(.inputOutput, "\(error)")
            }
        }
        guard let bytes else {
            throw CommandError(.tooLarge, "\(path.printable) has more than \(limit.grouped) bytes")
        }
        return bytes
    }

    private func readingOptions() throws -> ReadingOptions {
        var options = ReadingOptions()
        options.decodesHTMLEntities = arguments.has(.htmlEntities)
        guard let list = arguments.value(of: .columns) else { return options }
        let names: [(name: String, column: WritableKeyPath<CSVColumns, String?>)] = [
            ("title", \.title), ("site", \.site), ("account", \.account), ("password", \.password),
            ("notes", \.notes), ("otp", \.oneTimePassword),
        ]
        var columns = CSVColumns()
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2 else {
                throw CommandError.usage(
                    "invalid --columns: \(part.description.printable) is not of the form NAME=COLUMN"
                )
            }
            guard let column = names.first(where: { $0.name == words[0] })?.column else {
                throw CommandError.unknown("column", words[0], among: names.map(\.name))
            }
            columns[keyPath: column] = words[1]
        }
        options.columns = columns
        return options
    }

    // MARK: - Storing

    private func policy() throws -> ExistingItems {
        let word = arguments.value(of: .existing) ?? ExistingItems.skip.rawValue
        guard let policy = ExistingItems(rawValue: word) else {
            throw CommandError.unknown("way", word, among: ExistingItems.allCases.map(\.rawValue))
        }
        return policy
    }

    /// What was stored, and the number of the change if something was.
    private typealias Outcome = (counts: PasswordImport.Counts, change: UInt64?)

    /// Stores items, and reports what became of them.
    private func store(_ content: PasswordImport, _ path: String, _ access: VaultAccess) throws {
        let (counts, change) = try stored(content, access)
        guard !isJSON else {
            return try output.write(
                json: [
                    "file": .string(path), "form": .string(content.form), "dryRun": .bool(arguments.has(.dryRun)),
                    "change": change.map { .integer(Int64(clamping: $0)) } ?? .null,
                    "records": JSON(content.recordCount), "added": JSON(counts.added),
                    "addedAsDeleted": JSON(counts.addedAsDeleted), "updated": JSON(counts.updated),
                    "skipped": JSON(counts.skipped), "same": JSON(counts.same),
                    "refused": .array(counts.refused.map { .string($0) }),
                    "losses": .array(content.losses.map { .string($0) }),
                    "remarks": .array(content.remarks.map { .string($0) }),
                ]
            )
        }
        let would = arguments.has(.dryRun) ? "would be " : ""
        var parts = ["\(counts.added.counted("item")) \(would)added"]
        if counts.addedAsDeleted > 0 {
            parts.append("\(counts.addedAsDeleted.counted("deleted item")) \(would)added")
        }
        if counts.updated > 0 { parts.append("\(counts.updated.counted("item")) \(would)updated") }
        if counts.skipped > 0 { parts.append("\(counts.skipped.counted("existing item")) \(would)left unchanged") }
        if counts.same > 0 { parts.append("\(counts.same.counted("duplicate")) \(would)left out") }
        let records = content.recordCount.counted("record")
        try output.write(line: "\(path.printable): \(content.form), \(records): \(parts.joined(separator: ", "))")
        list(counts.refused, "not read")
        list(content.losses, "not taken over")
        if !content.remarks.isEmpty { messages.note("note: \(content.remarks.joined(separator: "; "))") }
        if let change { noteUndo(of: change) }
    }

    private func stored(_ content: PasswordImport, _ access: VaultAccess) throws -> Outcome {
        if arguments.has(.dryRun) {
            guard try access.exists() else { return (content.countsOfNewVault, nil) }
            return (try access.withoutChanging { transaction in try content.store(in: &transaction) }, nil)
        }
        return try access.withKeychain(for: .storing) { keychain in
            let (counts, change) = try performing("importing") { shouldContinue in
                try keychain.largeTransaction(progress: shouldContinue) { transaction in
                    try content.store(in: &transaction)
                }
            }
            let changedCount = counts.added + counts.addedAsDeleted + counts.updated
            return (counts, changedCount > 0 ? change : nil)
        }
    }

    private func list(_ texts: [String], _ word: String) {
        for text in texts.prefix(Self.shownLossCount) { messages.warning("\(word): \(text)") }
        let rest = texts.count - Self.shownLossCount
        if rest > 0 { messages.warning("\(word): \(rest) more, which --json lists") }
    }
}

extension VaultAccess {
    private struct DryRun<Result: Sendable>: Error {
        let result: Result
    }

    /// What `body` returns; the changes that it makes are dropped.
    func withoutChanging<Result: Sendable>(
        _ body: (inout KeychainTransaction) throws -> Result
    ) throws -> Result {
        do {
            return try withKeychain { keychain in
                try keychain.transaction { transaction in throw DryRun(result: try body(&transaction)) }
            }
        } catch let error as DryRun<Result> {
            return error.result
        }
    }
}

extension HeldSecret {
    /// Whether this is a file of certificates or keys in DER.
    fileprivate var isDER: Bool {
        withSpan { bytes in bytes.count > 2 && bytes[0] == 0x30 && (0x80...0x84).contains(bytes[1]) }
    }

    /// Whether a certificate or a key in PEM may begin among the first bytes.
    fileprivate var hasPEM: Bool {
        !has("-----BEGIN PGP".utf8) && (0..<min(4096, byteCount)).contains { has("-----BEGIN ".utf8, at: $0) }
    }
}
