internal import Coffer
internal import CofferBasics
internal import CofferPasswordFiles
internal import CommandSystem
internal import VaultFiles

// Folders of `pass` and gopass, whose entries gpg decrypts.
extension Run {
    /// The largest entry.
    private static let entryByteCountLimit = 2 << 20

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
        var file = PasswordFile(form: entries.isGopass ? "gopass store" : "pass store")
        file.refused = entries.refused
        file.losses = ["the history of the entries, which git has"]
        try performing("decrypting") { shouldContinue in
            for (index, entry) in entries.paths.enumerated() {
                let progress = VaultProgress(byteCount: index, expectedByteCount: entries.paths.count)
                guard shouldContinue(progress) else { throw VaultError.cancelled }
                guard let content = try decrypted("\(path)/\(entry).gpg") else {
                    file.refused.append("\(entry.printable): gpg cannot decrypt it")
                    continue
                }
                file.records.append(PasswordStoreEntry.record(of: content, path: entry, program: program))
            }
        }
        return file
    }

    /// The plaintext of a file; nil if gpg does not decrypt it.
    private func decrypted(_ path: String) throws -> HeldSecret? {
        let call = ProgramCall(
            words: ["gpg", "--batch", "--quiet", "--decrypt", "--", path],
            removedPrefixes: ["COFFER_PASSPHRASE"],
            closedDescriptors: []
        )
        let (plaintext, errors) = (GatheredSecret(Self.entryByteCountLimit), GatheredSecret(Self.entryByteCountLimit))
        let noVariables: [UInt8] = []
        do throws(ProgramFailure) {
            let outcome = try context.machine.run(
                call,
                adding: noVariables.span,
                streams: ProgramStreams(output: plaintext, errors: errors)
            )
            return outcome == .status(0) && !plaintext.isTooLarge ? plaintext.content.held : nil
        } catch {
            throw CommandError(
                .unavailable,
                "gpg was not started",
                hints: ["install GnuPG, which decrypts the entries"]
            )
        }
    }
}

/// The entries of a folder of `pass` or gopass.
private struct PasswordStoreEntries {
    /// The paths in the folder, without the ending.
    private(set) var paths: [String] = []
    private(set) var refused: [String] = []
    private(set) var isStore = false
    private(set) var isGopass = false
    private var depth = 0
    private var count = 0

    /// How many files and folders there may be; links to folders could multiply them.
    private static let countLimit = 100_000

    private static func names(in folder: String) throws -> [String] {
        // Of a path, the folder of its last part: a name that no link can have.
        try LinuxFileSystem().locate("\(folder)/.\(UInt64.random(in: 0...UInt64.max))").directory.names()
    }

    mutating func add(_ folder: String, _ prefix: String) throws {
        guard depth < 32 else { return refused.append("\(prefix.printable): folders are nested too deeply") }
        depth += 1
        defer { depth -= 1 }
        let names = try Self.names(in: folder)
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
            let path = prefix.isEmpty ? name : "\(prefix)/\(name)"
            if name.hasSuffix(".gpg") {
                paths.append(String(path.dropLast(".gpg".count)))
            } else if name.hasSuffix(".age") {
                refused.append("\(path.printable): age encrypts it; decrypt it with `gopass cat`")
            } else if (try? Self.names(in: "\(folder)/\(name)")) != nil {
                try add("\(folder)/\(name)", path)
            }
        }
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
        guard room >= 0 else { return }
        content.append(copying: bytes)
    }

    func end() throws(FileError) {}
}
