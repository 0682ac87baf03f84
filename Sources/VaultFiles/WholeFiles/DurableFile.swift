internal import CofferBasics

/// Writes files that are either complete or absent, even after a crash or power failure.
package enum DurableFile {
    /// Creates the file `name` with `bytes` as its content, unless that name is taken, and returns when it is durable.
    ///
    /// The bytes are written to a temporary file beside it, `.NAME.RANDOM.tmp`, which is then renamed. After an error,
    /// that file is gone unless it cannot be removed. The file `name` does not exist either, unless the last step
    /// failed: then it is complete, but may vanish in a power failure.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: The content of the file.
    ///   - directory: The directory in which to create it.
    ///   - random: A number, never the same twice, that tells the temporary file from others.
    /// - Throws: `alreadyExists` if the name is taken; that file is left unchanged.
    package static func create(
        _ name: String,
        _ bytes: Span<UInt8>,
        in directory: any OpenDirectory,
        random: UInt64
    ) throws(FileError) {
        try create(name, in: directory, random: random, failure: { $0 }) { file throws(FileError) in
            try file.writeAll(bytes, at: 0)
        }
    }

    /// Creates the file `name` in the same way with what `write` writes, if that does not throw.
    package static func create<Failure: Error>(
        _ name: String,
        in directory: any OpenDirectory,
        random: UInt64,
        failure: (FileError) -> Failure,
        write: (any OpenFile) throws(Failure) -> Void
    ) throws(Failure) {
        let temporaryName = temporaryName(for: name, random: random)
        try make(temporaryName, in: directory, failure, write) { () throws(FileError) in
            try directory.renameWithoutReplacing(temporaryName, to: name)
        }
    }

    /// Replaces the content of the file `name` with `bytes`, and returns when it is durable.
    ///
    /// After an error the file is unchanged, unless the last step failed: then it may have the old or the new content.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: The new content.
    ///   - directory: The directory of the file.
    ///   - temporaryName: The name of a file beside it that does not exist yet.
    /// - Throws: The error of the system.
    package static func replace(
        _ name: String,
        _ bytes: Span<UInt8>,
        in directory: any OpenDirectory,
        by temporaryName: String
    ) throws(FileError) {
        try make(temporaryName, in: directory, { $0 }) { file throws(FileError) in
            try file.writeAll(bytes, at: 0)
        } rename: { () throws(FileError) in
            try directory.rename(temporaryName, to: name)
        }
    }

    /// Writes a temporary file, and runs `rename` to give it its final name.
    private static func make<Failure: Error>(
        _ temporaryName: String,
        in directory: any OpenDirectory,
        _ failure: (FileError) -> Failure,
        _ write: (any OpenFile) throws(Failure) -> Void,
        rename: () throws(FileError) -> Void
    ) throws(Failure) {
        let file = try translating(failure, directory.create(temporaryName))
        do throws(Failure) {
            try write(file)
            try translating(failure) { () throws(FileError) in
                try file.sync()
                try rename()
            }
        } catch {
            // Report the first error, not that of the cleanup.
            try? directory.remove(temporaryName)
            throw error
        }
        try translating(failure, directory.sync())
    }

    /// The name of the temporary file that becomes the file `name`.
    package static func temporaryName(for name: String, random: UInt64) -> String {
        let digits = String(random, radix: 16)
        return ".\(name).\(String(repeating: "0", count: 16 - digits.count))\(digits).tmp"
    }

    /// Whether a file with this name may be a temporary file for `name`.
    package static func isTemporaryName(_ temporaryName: String, for name: String) -> Bool {
        let (prefix, suffix) = (".\(name).", ".tmp")
        guard temporaryName.hasPrefix(prefix), temporaryName.hasSuffix(suffix) else { return false }
        let digits = temporaryName.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
