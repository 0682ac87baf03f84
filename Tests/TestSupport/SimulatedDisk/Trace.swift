package import VaultFiles

/// What programs did to a simulated disk, call by call, so that crashes can be made of it without doing it again.
///
/// Calls are counted from 1; "after call 0" is before all of them.
package struct Trace: Sendable {
    /// One call of the operating system.
    package struct Call: Sendable {
        package let operation: FileError.Operation
        package let path: String
        /// Why it failed, if it did: even then it may have changed something.
        package let failure: FileError.Reason?
        let change: DiskChange?

        /// Whether a crash after this call may leave other states than a crash before it.
        package var isChange: Bool { change != nil }
    }

    /// What a test wrote down between two calls.
    package struct Mark: Equatable, Sendable {
        /// The last call before.
        package let call: Int
        package let label: String
    }

    let start: DiskImage
    package internal(set) var calls: [Call] = []
    package internal(set) var marks: [Mark] = []

    init(start: DiskImage, marks: [Mark] = []) {
        self.start = start
        self.marks = marks
    }

    /// The labels of the marks that were made when the call with this number had been made.
    package func labels(upTo call: Int) -> [String] {
        marks.prefix { $0.call <= call }.map(\.label)
    }

    /// The disk after the call with this number.
    func image(after call: Int) -> DiskImage {
        var image = start
        for number in 0..<call { image.apply(calls[number], number: number + 1) }
        return image
    }
}

extension DiskImage {
    mutating func apply(_ call: Trace.Call, number: Int) {
        guard let change = call.change else { return }
        apply(change, call: number)
    }
}

extension Trace.Call: CustomStringConvertible {
    /// What was called, of which file, and how it failed.
    package var description: String {
        let failed = failure.map { _ in ", which failed" } ?? ""
        return what + failed
    }

    private var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    private var what: String {
        switch change {
        case .write(_, let offset, let bytes): "write \(bytes.count) bytes at \(offset) of \(name)"
        case .truncate(_, let byteCount): "truncate \(name) to \(byteCount) bytes"
        case .rename(_, let name, let newName, _): "rename \(name) to \(newName)"
        case .syncDirectory, .failSyncDirectory: "sync the directory \(path)"
        default: "\(operation.word) \(name)"
        }
    }
}

extension FileError.Operation {
    fileprivate var word: String {
        switch self {
        case .open: "open"
        case .create: "create"
        case .read: "read"
        case .write: "write"
        case .truncate: "truncate"
        case .sync: "sync"
        case .lock: "lock"
        case .rename: "rename"
        case .remove: "remove"
        case .examine: "examine"
        case .list: "list"
        case .makeDirectory: "make the directory"
        case .changeAccess: "change access to"
        case .watch: "watch"
        }
    }
}
