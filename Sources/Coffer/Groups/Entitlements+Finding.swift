internal import CofferBasics
package import VaultFiles
internal import VaultFormat

extension Entitlements {
    /// The environment variable with the path of the entitlements file.
    package static let variable = "COFFER_ENTITLEMENTS"

    /// The entitlements of a program: those in the file that `COFFER_ENTITLEMENTS` names, else those in the file beside
    /// the program that is called as it is, with `.entitlements` after it.
    ///
    /// A file that the variable names must exist, and nothing else is looked at then.
    ///
    /// - Parameters:
    ///   - environment: What the surroundings of the program say.
    ///   - executable: The path of the program. Symbolic links are followed: the file lies beside the program itself.
    ///   - files: The files of the machine.
    /// - Returns: The entitlements, or nil if nothing is declared.
    /// - Throws: What is wrong with a file that exists, and cannot be read or understood.
    package static func declared(
        environment: ProgramEnvironment,
        executable: String,
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) -> Entitlements? {
        var path = environment[variable]
        if path == nil { path = try pathBeside(executable, files) }
        return try path.map { path throws(EntitlementsError) in
            try inFile(path, bundleIdentifier: environment.bundleIdentifier, files: files)
        }
    }

    /// The entitlements in a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - bundleIdentifier: The name of the bundle that the program is in, if it is in one.
    ///   - files: The files of the machine.
    /// - Returns: The entitlements.
    /// - Throws: What is wrong with the file.
    package static func inFile(
        _ path: String,
        bundleIdentifier: String? = nil,
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) -> Entitlements {
        do throws(EntitlementsError) {
            let bytes = try translating(EntitlementsError.init) { () throws(FileError) in
                try content(of: path, upTo: EntitlementsReader.byteCountLimit + 1, files)
            }
            return try Entitlements(bytes, bundleIdentifier: bundleIdentifier)
        } catch {
            var error = error
            error.file = path
            throw error
        }
    }

    /// The path of the file beside the program, if there is one, even if it cannot be read.
    private static func pathBeside(
        _ executable: String,
        _ files: any FileSystem
    ) throws(EntitlementsError) -> String? {
        do throws(FileError) {
            let (directory, name) = try files.locate(executable)
            let fileName = name + ".entitlements"
            // A link that leads nowhere has a status too.
            _ = try directory.status(of: fileName)
            return directory.path + "/" + fileName
        } catch {
            // No file has a name that is too long.
            guard error.reason != .notFound, error.reason != .nameTooLong else { return nil }
            throw EntitlementsError(error)
        }
    }

    /// The content of a file, or its beginning if that is too much already.
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
}

extension AccessGroups {
    /// The groups of the program that runs: those of `entitlements`, else those in the file that `COFFER_ENTITLEMENTS`
    /// names, else those in the file beside the program that is called as it is, with `.entitlements` after it, else one
    /// that is called as the program (`COFFER_APPLICATION`, the bundle identifier in the file `Info.plist` beside it, or the name of its file).
    ///
    /// - Parameter entitlements: What the program declares in code, if it does.
    /// - Returns: The groups.
    /// - Throws: What is wrong with a file that is there, with line and key.
    public static func ofThisProgram(
        _ entitlements: Entitlements? = nil
    ) throws(EntitlementsError) -> AccessGroups {
        guard let executable = CurrentProcess.executable else {
            throw EntitlementsError(.unreadable("the system does not tell which file the program is"))
        }
        let files = LinuxFileSystem()
        let bundle = try BundleIdentifier.beside(executable, files)
        return try AccessGroups(
            given: entitlements,
            environment: ProgramEnvironment(bundleIdentifier: bundle),
            executable: executable,
            files: files
        )
    }

    /// The groups of a program: those of the entitlements that are `given` in code, else those that it declares in a
    /// file, else the one that is called as the program.
    package init(
        given: Entitlements? = nil,
        environment: ProgramEnvironment,
        executable: String,
        files: any FileSystem = LinuxFileSystem()
    ) throws(EntitlementsError) {
        var declared = given
        if declared == nil {
            declared = try Entitlements.declared(environment: environment, executable: executable, files: files)
        }
        if let declared {
            self.init(declared)
        } else {
            self.init(application: ApplicationIdentifier.default(environment: environment, executable: executable))
        }
    }
}
