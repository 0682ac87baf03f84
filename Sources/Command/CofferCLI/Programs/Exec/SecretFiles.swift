internal import Coffer
internal import CofferBasics
internal import CommandSystem
internal import VaultFiles

/// The files that pass secrets to a command.
final class SecretFiles {
    private let run: CommandRun
    /// Whether this process must stay to hold files in memory or to remove the others.
    private(set) var needsParent: Bool
    private var directory: String?

    init(_ run: CommandRun, needsParent: Bool) {
        self.run = run
        self.needsParent = needsParent
    }

    private var machine: any Machine { run.context.machine }

    /// Creates a file with a secret and returns its path.
    func add(_ name: String, _ bytes: Span<UInt8>) throws -> String {
        do throws(FileError) {
            if directory == nil {
                let memory = try machine.memoryFile(named: name, holding: bytes, isInherited: !needsParent)
                // Other processes of the user can open it too, while this process or the command that replaces it runs.
                if let memory { return "/proc/\(machine.processNumber)/fd/\(memory)" }
            }
            let path = "\(try place())/\(name)"
            try machine.privateFile(at: path, holding: bytes)
            return path
        } catch {
            throw CommandError(.inputOutput, "cannot create a file for the secret: \(error.description)")
        }
    }

    private func place() throws(FileError) -> String {
        if let directory { return directory }
        let environment = run.context.environment
        let last = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        let parents = [environment["XDG_RUNTIME_DIR"], "/dev/shm", last].compactMap(\.self).filter { $0.hasPrefix("/") }
        let (path, isInMemory) = try machine.privateDirectory(in: parents)
        directory = path
        needsParent = true
        if !isInMemory {
            run.messages.warning(
                "no directory in memory is available; the secrets are in \(path.printable) until the command ends"
            )
        }
        return path
    }

    /// Removes the files that are not in memory.
    func remove() {
        guard let directory else { return }
        machine.removePrivateDirectory(directory)
        self.directory = nil
    }
}
