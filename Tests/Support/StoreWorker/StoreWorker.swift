import Glibc
import TestSupport
import VaultFiles
import VaultStore

/// A test process that shares a vault with others, and may be killed at any time.
///
/// The exit status is 0 if everything was right; problems are reported on standard error.
@main
enum StoreWorker {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let number = Int(arguments[3]) else { finish(2, "VERB DIRECTORY NUMBER") }
        let (verb, directory) = (arguments[1], arguments[2])
        do {
            switch verb {
            case "run":
                try Worker(number, in: directory).run()
            case "make": try add(number, to: try WorkerVault(in: directory).made())
            case "add": try add(number, to: try WorkerVault(in: directory).opened())
            case "compact": try WorkerVault(in: directory).opened().compact()
            case "hold": try hold(try WorkerVault(in: directory).opened(), in: directory)
            case "fork": try useAfterFork(try WorkerVault(in: directory).opened())
            case "lock-after-fork": try lockAfterFork(in: directory)
            case "fail": try failToSync(number, in: directory)
            case "share": try addThroughFleet(number, in: directory)
            default: finish(2, "unknown verb")
            }
        } catch {
            finish(1, "\(error)")
        }
    }

    private static func finish(_ status: Int32, _ message: String) -> Never {
        let line = Array("StoreWorker: \(message)\n".utf8)
        _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(status)
    }

    private static func touch(_ path: String) {
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    }

    private static func add(_ number: Int, to store: VaultStore) throws {
        try store.transaction { transaction in
            try transaction.set(WorkerItem("item \(number)", of: "everybody"), to: number)
        }
    }

    /// Keeps the lock until the process is killed, and signals when it has it.
    private static func hold(_ store: VaultStore, in directory: String) throws {
        try store.transaction { _ in
            touch(directory + "/held")
            while true { sleep(60) }
        }
    }

    /// Locks the vault in a child that is forked while a compaction runs, whose thread the child lacks.
    private static func lockAfterFork(in directory: String) throws {
        let files = HookedFiles()
        let store = try WorkerVault(in: directory, files: files).opened { options in
            options.dueCompaction = .inBackground
            options.logByteCountLimit = 1
        }
        files.setHook { operation, path throws(FileError) in
            guard operation == .create else { return }
            touch(directory + "/compacting")
            while true { sleep(60) }
        }
        try add(1, to: store)
        while access(directory + "/compacting", F_OK) != 0 { usleep(1000) }
        guard let address = dlsym(nil, "fork") else { finish(1, "fork not found") }
        let fork = unsafeBitCast(address, to: (@convention(c) () -> Int32).self)
        let child = fork()
        if child == 0 {
            store.lock()
            _exit(0)
        }
        var status: Int32 = 0
        for _ in 0..<1000 {
            if waitpid(child, &status, WNOHANG) == child { return }
            usleep(10_000)
        }
        kill(child, SIGKILL)
        finish(1, "locking hangs")
    }

    /// Throws unless every operation in a forked child is refused.
    private static func useAfterFork(_ store: VaultStore) throws {
        // Swift hides this call, since it would break most programs.
        guard let address = dlsym(nil, "fork") else { finish(1, "fork not found") }
        let fork = unsafeBitCast(address, to: (@convention(c) () -> Int32).self)
        let child = fork()
        if child == 0 {
            let refusals = [
                refusal { try store.read { _ in } },
                refusal { try store.transaction { _ in } },
                refusal { try store.compact() },
            ]
            _exit(refusals.allSatisfy { $0 == .usedAfterFork(path: store.path) } ? 0 : 1)
        }
        var status: Int32 = 0
        guard child > 0, waitpid(child, &status, 0) == child, status == 0 else {
            finish(1, "the child was not refused")
        }
        try add(1, to: store)
    }

    private static func refusal<Result>(_ body: () throws -> Result) -> StoreError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    /// Adds an item that others can see, but that cannot be made durable and is taken back.
    private static func failToSync(_ number: Int, in directory: String) throws {
        let files = HookedFiles()
        let store = try WorkerVault(in: directory, files: files).opened()
        try add(number, to: store)
        files.setHook { operation, path throws(FileError) in
            guard operation == .sync else { return }
            while access(directory + "/go", F_OK) != 0 { usleep(1000) }
            throw FileError(.sync, path, reason: .inputOutput)
        }
        let failure = refusal { try add(number + 1, to: store) }
        guard case .syncFailed = failure else { finish(1, "\(String(describing: failure))") }
    }

    /// Adds items of a machine of a fleet, and prints when each change began and ended, and what became of it.
    ///
    /// The input says where etcd is, and the numbers of the first item and behind the last one.
    private static func addThroughFleet(_ machine: Int, in directory: String) throws {
        let words = (readLine() ?? "").split(separator: " ").map(String.init)
        guard words.count == 3, let start = Int(words[1]), let end = Int(words[2]) else { finish(2, "input") }
        let store = try WorkerVault(in: directory).opened(through: words[0].split(separator: ",").map(String.init))
        let time = MachineTime()
        for number in start..<end {
            let start = time.monotonicNanoseconds()
            let outcome: String
            do {
                let change = try store.largeTransaction { transaction in
                    try transaction.add(WorkerItem("item \(number)", of: "machine \(machine)"), number)
                }.change
                outcome = "done \(change)"
            } catch StoreError.shared(.unreachable(_, isUncertain: true), _) {
                outcome = "uncertain"
            } catch {
                outcome = "failed \(error)"
            }
            print(start, time.monotonicNanoseconds(), outcome)
            fflush(nil)
            if number % 100 == 50 { _ = try? store.compact() }
        }
    }
}
