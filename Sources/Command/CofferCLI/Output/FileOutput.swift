internal import CofferBasics
internal import VaultFiles

extension CommandRun {
    /// Writes a file with mode 0600, and reports it; replaces one only with `--force`.
    ///
    /// A signal does not stop it, so that no part of the content stays in a temporary file.
    func write(_ file: Span<UInt8>, toFile path: String) throws {
        let (files, random) = (LinuxFileSystem(), UInt64.random(in: .min ... .max))
        let replaces = arguments.has(.force)
        do throws(FileError) {
            try uninterrupted { () throws(FileError) in
                guard !replaces else { return try DurableFile.replace(at: path, file, in: files, random: random) }
                try DurableFile.create(at: path, file, in: files, random: random)
            }
        } catch {
            guard error.reason == .alreadyExists, !replaces else { throw error }
            throw CommandError(.alreadyExists, "\(path.printable) exists", hints: ["--force replaces it"])
        }
        messages.note("\(file.count.counted("byte")) written to \(path.printable)")
    }
}
