package import VaultFiles

/// The calls that programs made to a simulated disk, so that crashes can be simulated without repeating them.
///
/// Calls are counted from 1; "after call 0" means before all of them.
package struct Trace: Sendable {
    /// One call of the operating system.
    package struct Call: Sendable {
        package let operation: FileError.Operation
        package let path: String
        /// Why it failed, if it did; it may have changed something even then.
        package let failure: FileError.Reason?
        let change: DiskChange?

        /// Whether a crash after this call may leave other states than a crash before it.
        package var isChange: Bool { change != nil }
    }

    /// A note that a test made between two calls.
    package struct Mark: Equatable, Sendable {
        /// The last call before it.
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

    /// Returns the labels of the marks made up to the call with this number.
    package func labels(upTo call: Int) -> [String] {
        marks.prefix { $0.call <= call }.map(\.label)
    }

    /// Returns the disk after the call with this number.
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
    /// The operation, the file and whether it failed.
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
