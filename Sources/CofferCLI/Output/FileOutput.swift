internal import CofferBasics
internal import VaultFiles

extension Run {
    /// Writes a file with mode 0600, and reports it; replaces one only with `--force`.
    func write(_ file: Span<UInt8>, toFile path: String) throws {
        let (files, random) = (LinuxFileSystem(), UInt64.random(in: .min ... .max))
        if arguments.has(.force) {
            try DurableFile.replace(at: path, file, in: files, random: random)
        } else {
            do throws(FileError) {
                try DurableFile.create(at: path, file, in: files, random: random)
            } catch {
                guard error.reason == .alreadyExists else { throw error }
                throw CommandError(.alreadyExists, "\(path.printable) exists", hints: ["--force replaces it"])
            }
        }
        messages.note("\(file.count) bytes written to \(path.printable)")
    }
}
