/// Files that are there whole or not at all, whatever happens to the machine.
package enum DurableFile {
    /// Makes the file `name` with `bytes` as its content, unless a file has that name already, and returns when it is
    /// durable.
    ///
    /// The bytes are written to a temporary file beside it, `.NAME.RANDOM.tmp`, which then gets the name. After an error
    /// there is no such file, unless it cannot be removed. There is no file `name` either, except after the last step:
    /// then it is whole, but may vanish if the machine stops.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: What it shall hold.
    ///   - directory: The directory that it shall lie in.
    ///   - random: What tells the temporary file from those of others, never the same twice.
    /// - Throws: `alreadyExists` if a file has the name; that file is left as it is.
    package static func create(
        _ name: String,
        _ bytes: Span<UInt8>,
        in directory: any OpenDirectory,
        random: UInt64
    ) throws(FileError) {
        let temporaryName = temporaryName(for: name, random: random)
        try write(bytes, in: directory, to: temporaryName) { () throws(FileError) in
            try directory.renameWithoutReplacing(temporaryName, to: name)
        }
    }

    /// Lets the file `name` have `bytes` as its content, whatever it has now, and returns when that is durable.
    ///
    /// After an error the file is what it was, except after the last step: then it may be either.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - bytes: What it shall hold.
    ///   - directory: The directory that it lies in.
    ///   - temporaryName: The name of a file beside it, which does not exist.
    /// - Throws: What the system refuses.
    package static func replace(
        _ name: String,
        _ bytes: Span<UInt8>,
        in directory: any OpenDirectory,
        by temporaryName: String
    ) throws(FileError) {
        try write(bytes, in: directory, to: temporaryName) { () throws(FileError) in
            try directory.rename(temporaryName, to: name)
        }
    }

    /// Writes a temporary file, which `rename` gives its name.
    private static func write(
        _ bytes: Span<UInt8>,
        in directory: any OpenDirectory,
        to temporaryName: String,
        rename: () throws(FileError) -> Void
    ) throws(FileError) {
        let file = try directory.create(temporaryName)
        do throws(FileError) {
            try file.writeAll(bytes, at: 0)
            try file.sync()
            try rename()
        } catch {
            // The first error is the one to tell.
            try? directory.remove(temporaryName)
            throw error
        }
        try directory.sync()
    }

    /// The name of the file that becomes the file `name`.
    package static func temporaryName(for name: String, random: UInt64) -> String {
        let digits = String(random, radix: 16)
        return ".\(name).\(String(repeating: "0", count: 16 - digits.count))\(digits).tmp"
    }

    /// Whether a file with this name may be one that was to become the file `name`.
    package static func isTemporaryName(_ temporaryName: String, for name: String) -> Bool {
        let (prefix, suffix) = (".\(name).", ".tmp")
        guard temporaryName.hasPrefix(prefix), temporaryName.hasSuffix(suffix) else { return false }
        let digits = temporaryName.dropFirst(prefix.count).dropLast(suffix.count)
        return digits.utf8.count == 16 && digits.allSatisfy { $0.isHexDigit && !$0.isUppercase }
    }
}
