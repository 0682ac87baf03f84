/// A change to the names in a directory.
enum NameChange: Sendable {
    case add(String, file: Int)
    case move(String, to: String, file: Int)
    case remove(String, file: Int)

    /// The file that gets or loses a name.
    var file: Int {
        switch self {
        case .add(_, let file), .move(_, _, let file), .remove(_, let file): file
        }
    }

    /// Makes the change, even if an earlier change was lost.
    func apply(to names: inout [String: Int]) {
        switch self {
        case .add(let name, let file):
            names[name] = file
        case .move(let name, let newName, let file):
            if names[name] == file { names[name] = nil }
            names[newName] = file
        case .remove(let name, let file):
            if names[name] == file { names[name] = nil }
        }
    }
}

/// A directory of a simulated disk.
struct DirectoryImage: Sendable {
    let path: String
    /// The files by name, as programs see them.
    private(set) var live: [String: Int] = [:]
    private(set) var durable: [String: Int] = [:]
    private(set) var log = ChangeLog<NameChange>()
    var permissions: UInt32 = 0o700

    init(path: String) {
        self.path = path
    }

    mutating func apply(_ change: NameChange, call: Int) {
        change.apply(to: &live)
        log.append(change, call: call)
    }

    mutating func sync() {
        for change in log.sync() { change.apply(to: &durable) }
    }

    mutating func failSync() {
        log.failSync { _ in true }
    }

    /// Gives a file a durable name.
    mutating func settle(_ name: String, file: Int) {
        live[name] = file
        durable[name] = file
    }

    /// Returns the same directory with different names, all of them durable.
    func settled(_ names: [String: Int]) -> DirectoryImage {
        var directory = self
        directory.live = names
        directory.durable = names
        directory.log = ChangeLog()
        return directory
    }

    func path(of name: String) -> String { path == "/" ? "/" + name : path + "/" + name }
}
