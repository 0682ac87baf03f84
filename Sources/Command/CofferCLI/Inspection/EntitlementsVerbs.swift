internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    fileprivate static let entitlementsFile = Option(
        "--file",
        argument: .value("FILE", .file),
        summary: "add to FILE instead of the file in this directory"
    )
}

extension Verb {
    static let entitlementsInit = Verb(
        "entitlements init",
        .inspection,
        "Create an entitlements file with the program's own access group",
        operands: [Operand(name: "FILE", presence: .optional, completion: .file)],
        details: """
            The file is that of Xcode's capability Keychain Sharing: its list keychain-access-groups has one group, \
            $(AppIdentifierPrefix) and the bundle identifier in the file Info.plist beside it, or else the name of FILE.

            FILE is named after the program: PROGRAM.entitlements. In a directory, or without FILE in this one, \
            PROGRAM is the package in Package.swift, or else the directory. An existing file is an error (exit code \
            66). The plugin ImportSecurity and `coffer swift` find the file in the directory of a package, and embed it in \
            its programs.
            """,
        examples: [
            Example(call: "coffer entitlements init", purpose: "create it in the directory of a package"),
            Example(call: "coffer entitlements init mail.entitlements", purpose: "create it for the program mail"),
        ]
    ) { run in
        let path = try EntitlementsPlace(run.arguments.operand(0)).newFile
        try run.create(EntitlementsText(newFile: path, environment: run.environment(beside: path)), at: path)
    }

    static let entitlementsAdd = Verb(
        "entitlements add",
        .inspection,
        "Add access groups to an entitlements file",
        operands: [Operand(name: "GROUP", presence: .needed), Operand(name: "GROUP", presence: .rest)],
        options: [.entitlementsFile],
        details: """
            GROUP gets $(AppIdentifierPrefix) before its name, as in Xcode, unless it begins with a team such as \
            ABCDE12345 and a dot, or with another variable. A GROUP that begins with group. is an application group. \
            Groups that the program already has are not added again.

            The file is the only one in this directory whose name ends in .entitlements; if there is none, it is \
            created as by `coffer entitlements init`. It is written as Xcode does, with sorted keys; a file with \
            comments is not changed.
            """,
        examples: [
            Example(
                call: "coffer entitlements add com.example.shared",
                purpose: "share items with other programs that have this group"
            )
        ]
    ) { run in
        let (path, exists) = try EntitlementsPlace(run.arguments.value(of: .entitlementsFile)).onlyFile()
        let environment = try run.environment(beside: path)
        let text =
            try exists
            ? EntitlementsText(file: path, environment: environment)
            : EntitlementsText(newFile: path, environment: environment)
        let changed = try text.adding(run.arguments.operands)
        guard exists else { return try run.create(changed, at: path) }
        if changed.bytes == text.bytes {
            run.messages.note("\(path.printable) has these groups already")
        } else {
            guard !text.hasComments else {
                let message = "\(path.printable) has comments, which would be lost; add the groups by hand"
                throw CommandError(.failure, message)
            }
            try run.replace(path, with: changed)
            run.messages.note("\(path.printable) changed")
        }
        try run.report(changed.entitlements, in: path)
    }
}

extension CommandRun {
    /// The environment, with the bundle identifier in the file `Info.plist` beside `path`.
    fileprivate func environment(beside path: String) throws -> ProgramEnvironment {
        var environment = context.environment
        // In a project of Xcode it is a variable, which has no value here.
        environment.bundleIdentifier = try BundleIdentifier.beside(path).flatMap { $0.contains("$") ? nil : $0 }
        return environment
    }

    /// Creates an entitlements file, which others may read like the rest of the package.
    fileprivate func create(_ text: EntitlementsText, at path: String) throws {
        let (files, random) = (LinuxFileSystem(), UInt64.random(in: .min ... .max))
        do throws(FileError) {
            try uninterrupted { () throws(FileError) in
                try DurableFile.create(at: path, in: files, random: random, failure: { $0 }) { file throws(FileError) in
                    try file.writeAll(text.bytes.span, at: 0)
                    var access = try file.status()
                    access.permissions = 0o644
                    try file.copyAccess(of: access)
                }
            }
        } catch {
            guard error.reason == .alreadyExists else { throw error }
            let hint = "`coffer entitlements add` adds groups to it"
            throw CommandError(.alreadyExists, "\(path.printable) exists", hints: [hint])
        }
        messages.note("\(path.printable) created")
        try report(text.entitlements, in: path)
    }

    /// Replaces the content of an entitlements file, which keeps its owner and permissions.
    fileprivate func replace(_ path: String, with text: EntitlementsText) throws {
        let files = LinuxFileSystem()
        let (directory, name) = try files.locateForCreating(path, makesDirectories: false)
        let access = try directory.status(of: name)
        try uninterrupted {
            try DurableFile.replace(at: path, text.bytes.span, in: files, random: .random(in: .min ... .max))
            try directory.open(name, for: .writing).copyAccess(of: access)
        }
    }
}

/// The file that a verb is about, or the directory to find it in.
private struct EntitlementsPlace {
    private static let suffix = ".entitlements"

    private let path: String
    /// The directory at the path; nil if it is the path of a file.
    private let directory: (any OpenDirectory)?

    /// The place at `path`, which need not exist, or else this directory.
    init(_ path: String?) throws {
        do throws(FileError) {
            directory = try LinuxFileSystem().locate((path ?? ".") + "/file").directory
        } catch {
            guard let path, !path.hasSuffix("/"), error.reason == .notADirectory || error.reason == .notFound else {
                throw error
            }
            directory = nil
        }
        self.path = path ?? ""
    }

    /// The path of a file to create.
    var newFile: String {
        guard let directory else { return path }
        return place(of: (packageName ?? directory.path.directoryAndName.1) + Self.suffix)
    }

    /// The path of the only file, and whether it exists.
    func onlyFile() throws -> (path: String, exists: Bool) {
        guard let directory else {
            do throws(FileError) {
                let (directory, name) = try LinuxFileSystem().locate(path)
                _ = try directory.status(of: name)
                return (path, true)
            } catch {
                guard error.reason == .notFound else { throw error }
                return (path, false)
            }
        }
        let names = try directory.names().filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }.sorted()
        guard names.count < 2 else {
            let list = names.map(\.printable).joined(separator: ", ")
            throw CommandError(.ambiguous, "several files: \(list)", hints: ["name one with --file"])
        }
        return names.first.map { (place(of: $0), true) } ?? (newFile, false)
    }

    private func place(of name: String) -> String {
        path.isEmpty || path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    /// The name in the manifest of the package, which is its first argument.
    private var packageName: String? {
        guard let file = try? directory?.open("Package.swift", for: .reading),
            let bytes = try? file.bytes(in: 0..<1 << 16)
        else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: "Package(", maxSplits: 1).dropFirst().first?
            .drop(while: \.isWhitespace).split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard let words, words.count == 3, words[0].filter({ !$0.isWhitespace }) == "name:" else { return nil }
        return words[1].isEmpty || words[1].contains("/") ? nil : String(words[1])
    }
}
