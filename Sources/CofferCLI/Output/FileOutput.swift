internal import CofferBasics
internal import VaultFiles

extension Run {
    /// Writes a file with mode 0600, and reports it; replaces one only with `--force`.
    func write(_ file: Span<UInt8>, toFile path: String) throws {
        let (directory, name) = try LinuxFileSystem().locate(path)
        let random = UInt64.random(in: .min ... .max)
        if arguments.has(.force) {
            let temporaryName = DurableFile.temporaryName(for: name, random: random)
            try DurableFile.replace(name, file, in: directory, by: temporaryName)
        } else {
            do throws(FileError) {
                try DurableFile.create(name, file, in: directory, random: random)
            } catch {
                guard error.reason == .alreadyExists else { throw error }
                throw CommandError(.alreadyExists, "\(path.printable) exists", hints: ["--force replaces it"])
            }
        }
        messages.note("\(file.count) bytes written to \(path.printable)")
    }
}
