internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CommandSystem
internal import VaultFiles

// Folders of `pass` and gopass, whose entries gpg decrypts.
extension CommandRun {
    /// The records of a folder.
    func passwordStore(_ path: String) throws -> PasswordFile {
        var entries = PasswordStoreEntries()
        try entries.add(path, "")
        guard entries.isStore else {
            throw CommandError(
                .undecodable,
                "\(path.printable) is a folder, but not one of pass or gopass: it has no .gpg-id",
                hints: ["import the files in it one by one"]
            )
        }
        let program: PasswordStoreEntry.Program = entries.isGopass ? .gopass : .pass
        var file = PasswordFile(
            form: entries.isGopass ? "gopass store" : "pass store",
            byteCount: entries.all.reduce(0) { min($0 + $1.byteCount, HeldSecret.byteCountLimit) }
        )
        for part in entries.refused { try file.refuse(part) }
        file.remarks = ["git keeps the history of the entries; it is never taken over"]
        try performing("decrypting") { shouldContinue in
            for (index, entry) in entries.all.enumerated() {
                let progress = VaultProgress(byteCount: index, expectedByteCount: entries.all.count)
                guard shouldContinue(progress) else { throw VaultError.cancelled }
                switch try decrypted("\(path)/\(entry.path).gpg", byteCountLimit: entry.contentByteCountLimit) {
                case .success(let content):
                    try file.append(PasswordStoreEntry.record(of: content, path: entry.path, program: program))
                case .failure(let problem): try file.refuse("\(entry.path.printable): \(problem.reason)")
                }
            }
        }
        return file
    }

    /// Why an entry cannot be decrypted.
    private struct DecryptionProblem: Error {
        let reason: String
    }

    /// How long gpg may take for an entry; its user may have to enter a passphrase.
    private static let decryptionTimeLimit = Duration.seconds(120)

    /// The plaintext of a file, or why there is none.
    private func decrypted(
        _ path: String,
        byteCountLimit: Int
    ) throws -> Result<HeldSecret, DecryptionProblem> {
        var call = ProgramCall(
            words: ["gpg", "--batch", "--quiet", "--decrypt", "--", path],
            removedPrefixes: ["COFFER_PASSPHRASE"],
            closedDescriptors: []
        )
        call.timeLimit = Self.decryptionTimeLimit
        let (plaintext, errors) = (GatheredSecret(byteCountLimit), GatheredSecret(1 << 20))
        let noVariables: [UInt8] = []
        let outcome: ProgramOutcome
        do throws(ProgramFailure) {
            outcome = try context.machine.run(
                call,
                adding: noVariables.span,
                streams: ProgramStreams(output: plaintext, errors: errors)
            )
        } catch {
            throw CommandError(
                .unavailable,
                "gpg was not started",
                hints: ["install GnuPG, which decrypts the entries"]
            )
        }
        if plaintext.isTooLarge {
            return .failure(.init(reason: "its content has more than \(byteCountLimit.grouped) bytes"))
        }
        // The signal was for this process too.
        if let signal = outcome.stopSignal { throw CommandError.stopped("the vault is unchanged", by: signal) }
        switch outcome {
        case .status(0): return .success(plaintext.content.held)
        case .killed: return .failure(.init(reason: "gpg was ended, since it took too long or wrote too much"))
        default: return .failure(.init(reason: "gpg cannot decrypt it"))
        }
    }
}

/// The entries of a folder of `pass` or gopass.
private struct PasswordStoreEntries {
    /// An encrypted file.
    struct Entry {
        /// The path in the folder, without the ending.
        let path: String
        /// The size of the file.
        let byteCount: Int

        /// The largest content that is read: as much as the blocks of a vault may inflate to.
        var contentByteCountLimit: Int { min(16 * byteCount, 2 << 20) }
    }

    private(set) var all: [Entry] = []
    private(set) var refused: [String] = []
    private(set) var isStore = false
    private(set) var isGopass = false
    private var depth = 0
    private var count = 0

    /// How many files and folders there may be.
    private static let countLimit = 100_000

    mutating func add(_ folder: String, _ prefix: String) throws {
        guard depth < 32 else { return refused.append("\(prefix.printable): folders are nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        let directory = try LinuxFileSystem.directory(folder)
        let names = try directory.names()
        count += names.count + 1
        guard count <= Self.countLimit else {
            throw CommandError(.tooLarge, "the folder has more than \(Self.countLimit.grouped) files")
        }
        for name in names.sorted() {
            if name == ".gpg-id" { isStore = true }
            if [".gopass.yml", ".gopass-audit.html", ".public-keys", ".pass-template"].contains(name) {
                isGopass = true
            }
            guard !name.hasPrefix(".") else { continue }
            do {
                let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
                try add(name, directory.status(of: name), at: path, in: folder)
            } catch let error as FileError {
                refused.append("\(error)")
            }
        }
    }

    /// Adds a file or a folder; a link could lead out of the folder, and a pipe or a device never ends.
    private mutating func add(_ name: String, _ status: FileStatus, at path: String, in folder: String) throws {
        if status.isDirectory {
            try add("\(folder)/\(name)", path)
        } else if !status.isRegular, status.isLink || name.hasSuffix(".gpg") {
            refused.append("\(path.printable): neither a regular file nor a folder")
        } else if name.hasSuffix(".gpg") {
            let byteCount = min(status.byteCount, HeldSecret.byteCountLimit)
            all.append(Entry(path: String(path.dropLast(".gpg".count)), byteCount: byteCount))
        } else if name.hasSuffix(".age") {
            refused.append("\(path.printable): age encrypts it; decrypt it with `gopass cat`")
        }
    }
}

extension LinuxFileSystem {
    /// The folder with this path, open.
    static func directory(_ path: String) throws(FileError) -> any OpenDirectory {
        // Of a path, the folder of its last part: a name that no link can have.
        try LinuxFileSystem().locate("\(path)/.\(UInt64.random(in: 0...UInt64.max))").directory
    }
}

/// Gathers the output of a program in wiped memory.
private final class GatheredSecret: ProgramSink {
    let content = SecretBuilder()
    private var room: Int

    init(_ byteCountLimit: Int) {
        room = byteCountLimit
    }

    /// Whether there was more than fits.
    var isTooLarge: Bool { room < 0 }

    func take(_ bytes: Span<UInt8>) throws(FileError) {
        room -= bytes.count
        guard room >= 0 else { throw FileError(.write, "the output of gpg", reason: .fileTooLarge) }
        content.append(copying: bytes)
    }

    func end() throws(FileError) {}
}
