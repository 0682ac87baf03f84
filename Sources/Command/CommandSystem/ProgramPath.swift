internal import CofferBasics
internal import Glibc
internal import VaultFiles

/// Finds programs.
enum ProgramPath {
    /// The path of a program, which is looked up as in a shell.
    static func find(_ name: String) throws(ProgramFailure) -> String {
        guard !name.isEmpty else { throw .notFound }
        if name.utf8.contains(UInt8(ascii: "/")) {
            guard let failure = failure(of: name) else { return name }
            throw failure
        }
        let directories = CurrentProcess.withVariable("PATH") { bytes in
            String(decoding: [UInt8](copying: bytes), as: UTF8.self)
        }
        // A file that cannot be run is reported only if there is no other.
        var result = ProgramFailure.notFound
        for directory in (directories ?? "/usr/local/bin:/usr/bin:/bin").split(
            separator: ":",
            omittingEmptySubsequences: false
        ) {
            let path = directory.isEmpty ? "./\(name)" : "\(directory)/\(name)"
            guard let failure = failure(of: path) else { return path }
            if result == .notFound { result = failure }
        }
        throw result
    }

    /// Why the file at `path` cannot be run; nil if nothing speaks against it.
    private static func failure(of path: String) -> ProgramFailure? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            let number = errno
            return number == ENOENT || number == ENOTDIR ? .notFound : .notExecutable(.init(number: number))
        }
        guard status.st_mode & S_IFMT != S_IFDIR else { return .notExecutable(.isDirectory) }
        guard unsafe access(path, X_OK) == 0 else { return .notExecutable(.init(number: errno)) }
        return nil
    }
}
