internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Option {
    static let addedGroup = Option(
        "--add",
        argument: .value("GROUP", .nothing),
        summary: "add an access group; can be repeated",
        isRepeatable: true
    )
    static let newEntitlements = Option("--new", summary: "create the file, with the program's own group")
    /// What `coffer entitlements add` took.
    fileprivate static let formerFile = Option.former("--file", argument: .value("FILE", .file))
}

extension Verb {
    static let entitlements = Verb(
        "entitlements",
        .inspection,
        "Show the access groups of an entitlements file, or add some",
        operands: [Operand(name: "FILE", presence: .optional, completion: .file)],
        options: [.addedGroup, .newEntitlements, .formerFile],
        details: """
            FILE can be a directory, by default this one, and is then the only one there whose name ends in \
            .entitlements. Its groups are listed in the \
            order in which a program has them: items stored without a group go to the first, and searches cover all of \
            them. An invalid file is an error with line and key (exit code 72).

            An added GROUP gets $(AppIdentifierPrefix) before its name, as in Xcode, unless it begins with a team \
            such as ABCDE12345 and a dot, or with another variable. A GROUP that begins with group. is an application \
            group. Groups that the program already has are not added again. The file is written as Xcode does, with \
            sorted keys; one with comments is not changed.

            If there is no file, or with --new, one is created as by Xcode's capability Keychain Sharing: its list \
            keychain-access-groups has one group, $(AppIdentifierPrefix) and the bundle identifier in the file \
            Info.plist beside it, or else the name of FILE, which is named after the program: PROGRAM.entitlements. In a \
            directory, PROGRAM is the package in Package.swift, or else the directory. With --new an existing file is an \
            error (exit code 66). The plugin ImportSecurity and `coffer swift` find the file in the directory of a \
            package, and embed it in its programs.
            """,
        examples: [
            Example(call: "coffer entitlements", purpose: "check the file before shipping"),
            Example(
                call: "coffer entitlements --add com.example.shared",
                purpose: "share items with other programs that have this group"
            ),
            Example(call: "coffer entitlements --new", purpose: "create it in the directory of a package"),
        ]
    ) { run in
        let arguments = run.arguments
        // `coffer entitlements add GROUP... --file FILE`
        let isAdd = arguments.formerName?.name == "entitlements add"
        let groups = isAdd ? arguments.operands : arguments.values(of: .addedGroup)
        let place = try EntitlementsPlace(isAdd ? arguments.value(of: .formerFile) : arguments.operand(0))
        if arguments.has(.newEntitlements) {
            let path = place.newFile
            let text = try EntitlementsText(newFile: path, environment: run.environment(beside: path))
            try run.create(groups.isEmpty ? text : text.adding(groups), at: path)
        } else if groups.isEmpty {
            let path = try place.onlyFile().path
            try run.report(try Entitlements.inFile(path, environment: run.context.environment), in: path)
        } else {
            try run.add(groups, to: try place.onlyFile())
        }
    }
}

extension CommandRun {
    fileprivate func add(_ groups: [String], to file: (path: String, exists: Bool)) throws {
        let (path, environment) = (file.path, try environment(beside: file.path))
        let text =
            try file.exists
            ? EntitlementsText(file: path, environment: environment)
            : EntitlementsText(newFile: path, environment: environment)
        let changed = try text.adding(groups)
        guard file.exists else { return try create(changed, at: path) }
        if changed.bytes == text.bytes {
            messages.note("\(path.printable) has these groups already")
        } else {
            guard !text.hasComments else {
                let message = "\(path.printable) has comments, which would be lost; add the groups by hand"
                throw CommandError(.failure, message)
            }
            try replace(path, with: changed)
            messages.note("\(path.printable) changed")
        }
        try report(changed.entitlements, in: path)
    }

    /// Prints the entitlements in a file.
    fileprivate func report(_ entitlements: Entitlements, in path: String) throws {
        // The program's own group is usually in the file too.
        let groups = entitlements.accessGroups.reduce(into: [String]()) { groups, group in
            if !groups.contains(where: group.isSameText) { groups.append(group) }
        }
        if entitlements.opensAllGroups {
            messages.warning("the group * gives access to every group of the vault; few programs need that")
        }
        guard !isJSON else {
            let members: JSON = [
                "file": .string(path), "applicationIdentifier": .string(entitlements.applicationIdentifier),
                "prefix": .string(entitlements.prefix), "level": "declared",
                "groups": .array(groups.map { .string($0) }), "allGroups": .bool(entitlements.opensAllGroups),
            ]
            return try output.write(json: members)
        }
        var list = FactList()
        list.add("application", entitlements.applicationIdentifier.printable)
        list.add("level", "declared")
        for (index, group) in groups.enumerated() {
            list.add(
                "group",
                group.printable + (index == 0 && group != "*" && output.isTerminal ? " (the default)" : "")
            )
        }
        try list.write(to: output, isColored: printsColor)
    }

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
            let hint = "`coffer entitlements --add GROUP` adds a group to it"
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
            let status = try ifPresent {
                let (directory, name) = try LinuxFileSystem().locate(path)
                return try directory.status(of: name)
            }
            return (path, status != nil)
        }
        let names = try directory.names().filter { $0.hasSuffix(Self.suffix) && !$0.hasPrefix(".") }.sorted()
        guard names.count < 2 else {
            let list = names.map(\.printable).joined(separator: ", ")
            throw CommandError(.ambiguous, "several files: \(list)", hints: ["name one of them"])
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
        let manifest = String(decoding: bytes, as: UTF8.self)
        guard let start = manifest.firstRange(ofText: "Package(")?.upperBound else { return nil }
        let words = manifest[start...].drop(while: \.isWhitespace)
            .split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0].filter({ !$0.isWhitespace }) == "name:" else { return nil }
        return words[1].isEmpty || words[1].contains("/") ? nil : String(words[1])
    }
}
