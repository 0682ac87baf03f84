package import VaultFiles
internal import VaultFormat

extension Entitlements {
    /// The environment variable with the path of the entitlements file.
    package static let variable = "COFFER_ENTITLEMENTS"
    /// The environment variable with the team of programs whose entitlements do not name one.
    package static let teamVariable = "COFFER_TEAM"

    /// Returns the entitlements of a program, or nil if it declares none.
    ///
    /// They are in the file that `COFFER_ENTITLEMENTS` names, which must exist, else in the file
    /// `<program>.entitlements` beside the program, else in the file that the build has embedded in it.
    ///
    /// - Parameters:
    ///   - environment: The environment of the program.
    ///   - executable: The path of the program. Symbolic links are followed: the file is beside the program itself.
    ///   - embedded: The words of the program's section `coffer_entitlements`.
    ///   - files: The files of the machine.
    /// - Returns: The entitlements, or nil if nothing is declared.
    /// - Throws: ``EntitlementsError`` if a file exists but cannot be read or understood.
    package static func declared(
        environment: ProgramEnvironment,
        executable: String,
        embedded: [UInt64] = [],
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) -> Entitlements? {
        var path = environment[variable]
        if path == nil { path = try pathBeside(executable, files) }
        if let path { return try inFile(path, environment: environment, executable: executable, files: files) }
        return try EntitlementsError.naming(executable) {
            guard let file = try EmbeddedEntitlements.file(in: embedded, of: executable) else { return nil }
            return try Entitlements(file, of: EntitledProgram(executable, environment))
        }
    }

    /// Returns the entitlements that the running program declares in a file, or nil if it declares none.
    package static func ofThisProgram() throws(EntitlementsError) -> Entitlements? {
        let (environment, executable) = try thisProgram()
        return try declared(
            environment: environment,
            executable: executable,
            embedded: CurrentProcess.embeddedEntitlements
        )
    }

    /// The environment and the path of the running program.
    fileprivate static func thisProgram() throws(EntitlementsError) -> (ProgramEnvironment, executable: String) {
        guard let executable = CurrentProcess.executable else {
            throw EntitlementsError(.unreadable("the path of the program is unknown"))
        }
        return (ProgramEnvironment(bundleIdentifier: try BundleIdentifier.beside(executable)), executable)
    }

    /// Reads the entitlements in a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - environment: The environment of the program.
    ///   - executable: The path of the program; nil if it is named like the file, without `.entitlements`.
    ///   - files: The files of the machine.
    /// - Returns: The entitlements.
    /// - Throws: ``EntitlementsError`` if the file cannot be read or understood.
    package static func inFile(
        _ path: String,
        environment: ProgramEnvironment,
        executable: String? = nil,
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) -> Entitlements {
        try EntitlementsError.naming(path) {
            try Entitlements(
                bytes(of: path, files),
                of: EntitledProgram(executable ?? path.withoutEntitlementsSuffix, environment)
            )
        }
    }

    /// Returns the bytes of an entitlements file, with one more than are allowed if there are too many.
    static func bytes(of path: String, _ files: any FileSystem) throws -> [UInt8] {
        try content(of: path, upTo: EntitlementsReader.byteCountLimit + 1, files)
    }

    /// The path of the file beside the program, if there is one, even if it cannot be read.
    private static func pathBeside(
        _ executable: String,
        _ files: any FileSystem
    ) throws(EntitlementsError) -> String? {
        do {
            let (directory, name) = try files.locate(executable)
            let fileName = name + ".entitlements"
            // A broken link has a status too.
            _ = try directory.status(of: fileName)
            return directory.path + "/" + fileName
        } catch {
            // A file whose name is too long cannot exist.
            guard error.reason != .notFound, error.reason != .nameTooLong else { return nil }
            throw EntitlementsError(error)
        }
    }

    /// Returns the content of a file, up to a number of bytes.
    static func content(of path: String, upTo byteCount: Int, _ files: any FileSystem) throws(FileError) -> [UInt8] {
        let (directory, name) = try files.locate(path)
        let file = try directory.open(name, for: .reading)
        guard try file.status().isRegular else { throw FileError(.read, path, reason: .notARegularFile) }
        return try file.bytes(in: 0..<byteCount)
    }
}

extension EntitlementsError {
    init(_ error: FileError) {
        self.init(.unreadable(String(describing: error.reason)), file: error.path)
    }

    /// Returns the result of `body`, whose error is one in this file.
    static func naming<Result>(_ file: String, _ body: () throws -> Result) throws(EntitlementsError) -> Result {
        do {
            return try body()
        } catch {
            var error = EntitlementsError(error)
            error.file = file
            throw error
        }
    }
}

extension EntitledProgram {
    init(_ executable: String, _ environment: ProgramEnvironment) {
        self.init(
            bundleIdentifier: environment.bundleIdentifier,
            name: ApplicationIdentifier.default(environment: environment, executable: executable),
            team: environment[Entitlements.teamVariable]
        )
    }
}

extension String {
    /// The path of the program that a file of entitlements is named after.
    var withoutEntitlementsSuffix: String {
        let suffix = ".entitlements"
        return hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

extension AccessGroups {
    /// Returns the access groups of the running program.
    ///
    /// They are those of `entitlements`, else those in the file that `COFFER_ENTITLEMENTS` names, else those in the
    /// file `<program>.entitlements` beside the program, else those in the file that the build has embedded in it, else
    /// one with the name of the program (`COFFER_APPLICATION`, the bundle identifier in the file `Info.plist` beside it,
    /// or the name of its file).
    ///
    /// - Parameter entitlements: The entitlements that the program declares in code, if any.
    /// - Returns: The groups.
    /// - Throws: ``EntitlementsError``, with line and key if they are known, if a file cannot be read or is invalid.
    public static func ofThisProgram(
        _ entitlements: Entitlements? = nil
    ) throws(EntitlementsError) -> AccessGroups {
        let (environment, executable) = try Entitlements.thisProgram()
        return try AccessGroups(
            given: entitlements,
            environment: environment,
            executable: executable,
            embedded: CurrentProcess.embeddedEntitlements
        )
    }

    /// Creates the groups of a program.
    ///
    /// They are those of the entitlements `given` in code, else those that it declares in a file, else the one with the
    /// name of the program.
    package init(
        given: Entitlements? = nil,
        environment: ProgramEnvironment,
        executable: String,
        embedded: [UInt64] = [],
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) {
        var declared = given
        if declared == nil {
            declared = try Entitlements.declared(
                environment: environment,
                executable: executable,
                embedded: embedded,
                files: files
            )
        }
        if let declared {
            self.init(declared)
        } else {
            self.init(application: ApplicationIdentifier.default(environment: environment, executable: executable))
        }
    }
}

/// The entitlements files that a build has embedded in a program, in its section `coffer_entitlements`.
///
/// Each is a word of eight bytes with its kind, one with its number of bytes, and its bytes, with zeros up to a multiple
/// of eight. The linker joins those of all targets.
enum EmbeddedEntitlements {
    /// What the target is that has the file: a program or a test target.
    private enum Kind: UInt64 {
        case program = 1
        case tests = 2
    }

    /// Returns the content of the file that applies to the program, or nil if `section` has none.
    ///
    /// - Parameters:
    ///   - section: The words of the section.
    ///   - executable: The path of the program. A test bundle also contains the programs that its tests use, which do not
    ///     count then.
    /// - Returns: The content.
    /// - Throws: `differentEmbedded` if several targets have different files.
    static func file(in section: [UInt64], of executable: String) throws(EntitlementsError) -> [UInt8]? {
        let isTestBundle = executable.hasSuffix(".xctest") || executable.hasSuffix("-test-runner")
        var rest = section[...]
        var found: [UInt8]?
        while let kind = rest.popFirst() {
            guard let kind = Kind(rawValue: kind), let byteCount = rest.popFirst(), byteCount <= rest.count * 8 else {
                throw EntitlementsError(.unreadable("the section coffer_entitlements is invalid"))
            }
            let words = rest.prefix((Int(byteCount) + 7) / 8)
            rest = rest.dropFirst(words.count)
            guard (kind == .tests) == isTestBundle else { continue }
            let file = Array(words.flatMap { withUnsafeBytes(of: $0, Array.init) }.prefix(Int(byteCount)))
            guard found == nil || found == file else { throw EntitlementsError(.differentEmbedded) }
            found = file
        }
        return found
    }
}
