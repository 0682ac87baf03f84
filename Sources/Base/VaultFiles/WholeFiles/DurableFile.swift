internal import CofferBasics

/// Writes files that are either complete or absent, even after a crash or power failure.
package enum DurableFile {
    /// Creates a file at a path that the user chose, and returns when it is durable.
    ///
    /// This is how every such file is created. A link of another user is not followed, and the file does not exist
    /// under its name before it is complete.
    ///
    /// - Parameters:
    ///   - path: The path, in a directory that exists.
    ///   - files: The file system.
    ///   - random: A number, never the same twice.
    ///   - byteCount: The expected size, to fail early if there is no room; 0 if it is small or unknown.
    ///   - failure: Translates the errors of the system.
    ///   - write: Writes the content.
    /// - Throws: `foreignOwner` for a link of another user, `alreadyExists` if the path is taken, or the error of the
    ///   system or of `write`.
    package static func create<Failure: Error>(
        at path: String,
        in files: any FileSystem,
        random: UInt64,
        byteCount: Int = 0,
        failure: (FileError) -> Failure,
        write: (any OpenFile) throws(Failure) -> Void
    ) throws(Failure) {
        let place = try translating(failure) { () throws(FileError) in
            let place = try files.locateForCreating(path, makesDirectories: false)
            if byteCount > 0, try place.directory.availableByteCount() <= byteCount {
                throw FileError(.create, path, reason: .diskFull)
            }
            return place
        }
        try create(place.name, in: place.directory, random: random, failure: failure, write: write)
    }

    /// Creates a file with `bytes` as its content at a path that the user chose, in the same way.
    package static func create(
        at path: String,
        _ bytes: Span<UInt8>,
        in files: any FileSystem,
        random: UInt64
    ) throws(FileError) {
        try create(at: path, in: files, random: random, failure: { $0 }) { file throws(FileError) in
            try file.writeAll(bytes, at: 0)
        }
    }

    /// Replaces a regular file at a path that the user chose, or creates it, in the same way.
    ///
    /// - Throws: `notARegularFile` if there is anything else, such as a device.
    package static func replace(
        at path: String,
        _ bytes: Span<UInt8>,
        in files: any FileSystem,
        random: UInt64
    ) throws(FileError) {
        let (directory, name) = try files.locateForCreating(path, makesDirectories: false)
        do throws(FileError) {
            guard try directory.status(of: name).isRegular else {
                throw FileError(.create, path, reason: .notARegularFile)
            }
        } catch {
            guard error.reason == .notFound else { throw error }
        }
        try replace(name, bytes, in: directory, by: temporaryName(for: name, random: random))
    }

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
        ".\(name).\(random.hexDigits).tmp"
    }

    /// Whether a file with this name may be a temporary file for `name`.
    package static func isTemporaryName(_ temporaryName: String, for name: String) -> Bool {
        let (prefix, suffix) = (".\(name).", ".tmp")
        guard temporaryName.hasPrefix(prefix), temporaryName.hasSuffix(suffix) else { return false }
        let digits = temporaryName.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
