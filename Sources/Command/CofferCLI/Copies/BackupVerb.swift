internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles
internal import VaultSync

extension Option {
    fileprivate static let keptDays = Option(
        "--keep-daily",
        argument: .value("N", .nothing),
        summary: "keep the last backup of each of the last N days that have one (7)"
    )
    fileprivate static let keptWeeks = Option(
        "--keep-weekly",
        argument: .value("N", .nothing),
        summary: "and of each of the last N weeks (4)"
    )
    fileprivate static let keptMonths = Option(
        "--keep-monthly",
        argument: .value("N", .nothing),
        summary: "and of each of the last N months (12)"
    )
}

extension Verb {
    static let backup = Verb(
        "backup",
        .copies,
        "Put a dated copy into a directory, and read it back",
        operands: [Operand(name: "DIR", presence: .needed, completion: .file)],
        options: [.keptDays, .keptWeeks, .keptMonths, .thisMachineOnly],
        details: """
            A backup stays as it is; `coffer sync` keeps a copy up to date.

            The copy is called like the vault, with the name of the machine and the date and time in UTC, and is read \
            back and checked. If nothing has changed since the newest backup, none is made. Older backups that this \
            machine has made of the vault are then removed, except the last one of each day, week and month that is \
            to be kept; other files are never touched. Only backups that can be verified count or are removed, so \
            none is removed while the vault is locked.

            If nothing but the key of this machine opens the vault, the backup is made, but the call fails: elsewhere, \
            or without that key, nobody can open it.

            `coffer undo --from COPY` brings back single items, `coffer sync --take COPY` everything, and on a new machine \
            `coffer sync --first COPY` makes it the vault.
            """,
        examples: [
            Example(call: "coffer backup /media/disk/backups", purpose: "make a backup, for example daily from cron"),
            Example(call: "coffer backup ~/backups --keep-monthly 60", purpose: "keep five years"),
        ]
    ) { run in
        let arguments = run.arguments
        let kept = KeptBackups(
            days: try arguments.count(of: .keptDays, in: 0...100_000) ?? 7,
            weeks: try arguments.count(of: .keptWeeks, in: 0...100_000) ?? 4,
            months: try arguments.count(of: .keptMonths, in: 0...100_000) ?? 12
        )
        let vault = try run.vaults.vault()
        let backups = try Backups(of: vault, on: run.context.machine.hostName, in: arguments.operand(0) ?? "")
        if let finding = vault.endFinding, finding.severity != .harmless { throw CommandError.damagedVault(finding) }
        let now = backups.name(at: KeychainDate(secondsSince1970: run.now))
        let found = try backups.names
        var names = found.filter { $0 <= now }
        var made: String?
        let newest = try names.last { try backups.isOwn($0) }
        if try newest.map({ try !backups.isSameAsVault($0) }) ?? true {
            guard now != names.last else { throw CommandError(.alreadyExists, "a backup was made just now") }
            try run.make(now, backups)
            names.append(now)
            made = now
        }
        var removed = kept.surplus(among: names, stamp: backups.stamp)
        var unverified = found.filter { $0 > now }
        if !removed.isEmpty {
            let verified = try run.verified(names, made, backups)
            unverified += names.filter { !verified.contains($0) }
            removed = kept.surplus(among: verified, stamp: backups.stamp)
        }
        for name in removed { try backups.directory.remove(name) }
        try run.write(made, newest: made ?? newest ?? "", removed, unverified, backups)
        try run.checkOpensElsewhere(vault, "the backup is of use only here")
    }
}

/// How many backups are kept.
struct KeptBackups {
    var days = 7
    var weeks = 4
    var months = 12

    /// The backups that are not kept: all but the newest, and the last one of each of the last days, weeks and months.
    ///
    /// - Parameters:
    ///   - names: The names, oldest first.
    ///   - stamp: Returns the date and time in a name, such as `20260131T093000Z`.
    /// - Returns: The names of the backups to remove, oldest first.
    func surplus(among names: [String], stamp: (String) -> Substring) -> [String] {
        var kept = Set(names.suffix(1))
        let periods: [(count: Int, key: (Substring) -> Int)] = [
            (days, Self.day), (weeks, { (Self.day($0) + 3).flooredQuotientAndRemainder(dividingBy: 7).quotient }),
            (months, { Int($0.prefix(6)) ?? 0 }),
        ]
        for (count, key) in periods {
            var seen: Set<Int> = []
            for name in names.reversed() where seen.count < count && seen.insert(key(stamp(name))).inserted {
                kept.insert(name)
            }
        }
        return names.filter { !kept.contains($0) }
    }

    /// The number of the day since 1970, which was a Thursday.
    private static func day(_ stamp: Substring) -> Int {
        let digits = Array(stamp.prefix(8))
        let (year, month) = (Int(String(digits[..<4])) ?? 0, Int(String(digits[4..<6])) ?? 1)
        return CalendarDate(year: year, month: month, day: Int(String(digits[6...])) ?? 1).daysSince1970
    }
}

/// The backups of a vault in a directory.
private struct Backups {
    let vault: Vault
    let directory: any OpenDirectory
    private let path: String
    private let stem: String
    private let ending: Substring

    init(of vault: Vault, on host: String, in path: String) throws {
        guard !path.isEmpty else { throw CommandError.usage("the path of the directory is empty") }
        self.vault = vault
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        let files = try vault.options.machine().files
        directory = try files.locateForCreating("\(self.path)/file", makesDirectories: false).directory
        let (name, ending) = vault.path.directoryAndName.1.stemAndEnding
        // Several machines may put their copies of one vault into one directory.
        (stem, self.ending) = ("\(name).\(host.fileName)", ending)
    }

    func path(of name: String) -> String { "\(path)/\(name)" }

    /// The name of a backup that is made now.
    func name(at date: KeychainDate) -> String {
        let digits = Timestamp.compact(date)
        return "\(stem)-\(digits.prefix(8))T\(digits.dropFirst(8))\(ending)"
    }

    /// The date and time in the name of a backup.
    func stamp(_ name: String) -> Substring { name.dropFirst(stem.count + 1).dropLast(ending.count) }

    /// The names of the backups of the vault, oldest first.
    var names: [String] {
        get throws {
            try directory.names().filter { name in
                guard name.hasPrefix("\(stem)-"), name.hasSuffix(ending), name.count == stem.count + 17 + ending.count
                else { return false }
                let stamp = Array(stamp(name).utf8)
                let isStamp = stamp.indices.allSatisfy { index in
                    switch index {
                    case 8: stamp[index] == UInt8(ascii: "T")
                    case 15: stamp[index] == UInt8(ascii: "Z")
                    default: (48...57).contains(stamp[index])
                    }
                }
                // A link could lead to the vault itself.
                guard isStamp, (try? directory.status(of: name).isRegular) == true else { return false }
                return vault.isCopy(at: path(of: name))
            }.sorted()
        }
    }

    /// Whether a backup belongs to the user or to root: others can damage theirs later.
    func isOwn(_ name: String) throws -> Bool {
        try [CurrentProcess.user, 0].contains(directory.status(of: name).owner)
    }

    /// Whether a backup has the same bytes as the vault.
    func isSameAsVault(_ name: String) throws -> Bool {
        let (own, ownName) = try vault.options.machine().files.locate(vault.path)
        return try Self.content(own.open(ownName, for: .reading)) == Self.content(directory.open(name, for: .reading))
    }

    private static func content(_ file: any OpenFile) throws -> KnownContent {
        let content = try FileContent(file)
        do {
            return try content.known()
        } catch {
            throw CommandError(.inputOutput, "\(file.path.printable) cannot be read")
        }
    }
}

extension CommandError {
    /// The error for a vault that gets no backup, since the older ones may be better.
    fileprivate static func damagedVault(_ finding: VerificationSummary.Finding) -> CommandError {
        CommandError(
            finding.severity.code,
            "no backup was made: \(finding.description)",
            hints: ["`coffer verify` shows what is damaged, and where"]
        )
    }
}

extension CommandRun {
    /// Makes a backup and reads it back; one that is damaged is removed again.
    fileprivate func make(_ name: String, _ backups: Backups) throws {
        let path = backups.path(of: name)
        try backups.vault.copy(to: path)
        let report: VerificationSummary
        do {
            report = try perform(backups.vault.verification(ofCopyAt: path), "verifying")
        } catch {
            try? backups.directory.remove(name)
            throw error
        }
        if let finding = report.findings.max(by: { $0.severity < $1.severity }), finding.severity != .harmless {
            try? backups.directory.remove(name)
            throw CommandError.damagedVault(finding)
        }
    }

    /// The backups that count: those that the keys at hand open and that are intact; only the one that was made if the
    /// vault is locked.
    ///
    /// Files that others have put there must not make this one remove real backups.
    fileprivate func verified(_ names: [String], _ made: String?, _ backups: Backups) throws -> [String] {
        guard backups.vault.isUnlocked else { return names.filter { $0 == made } }
        // On some disks, all files have the same owner.
        let owner = try made.map { try backups.directory.status(of: $0).owner } ?? 0
        let owners = [CurrentProcess.user, 0, owner]
        return try names.filter { name in
            guard name != made else { return true }
            guard try owners.contains(backups.directory.status(of: name).owner) else { return false }
            let work = backups.vault.verification(ofCopyAt: backups.path(of: name))
            guard let report = try? perform(work, "verifying \(name.printable)") else {
                try checkNotInterrupted()
                return false
            }
            return report.findings.allSatisfy { $0.severity == .harmless }
        }
    }

    fileprivate func write(
        _ made: String?,
        newest: String,
        _ removed: [String],
        _ unverified: [String],
        _ backups: Backups
    ) throws {
        if isJSON {
            return try output.write(
                json: [
                    "vault": .string(backups.vault.path), "backup": .string(backups.path(of: newest)),
                    "isNew": .bool(made != nil), "removed": .array(removed.map { .string(backups.path(of: $0)) }),
                    "unverified": .array(unverified.map { .string(backups.path(of: $0)) }),
                ]
            )
        }
        try output.write(line: backups.path(of: newest).printable)
        if made == nil { messages.note("nothing has changed since that backup") }
        if !unverified.isEmpty { noteUnverified(unverified, backups) }
        if !removed.isEmpty { messages.note("removed \(removed.count.counted("older backup"))") }
    }

    private func noteUnverified(_ names: [String], _ backups: Backups) {
        guard backups.vault.isUnlocked else {
            return messages.note(
                "\(names.count.counted("backup")) neither counted nor removed: the vault is locked, so they cannot be "
                    + "verified; give the passphrase to remove those that are not kept"
            )
        }
        for name in names {
            messages.warning(
                "\(backups.path(of: name).printable) was neither counted nor removed: it is damaged, is dated in the "
                    + "future, has other keys or belongs to another user"
            )
        }
    }
}
