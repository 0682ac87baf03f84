internal import Foundation
internal import Glibc
package import VaultFiles

/// Waits for the clock that stamps files.
package enum FileMarks {
    /// Whether files in temporary directories have marks.
    package static let arePossible: Bool = {
        let path = FileManager.default.temporaryDirectory.appending(path: "coffer-\(UUID().uuidString)").path
        guard let (directory, name) = try? LinuxFileSystem().locate(path), let file = try? directory.create(name) else {
            return false
        }
        defer { try? directory.remove(name) }
        return (try? mark(of: file)) != nil
    }()

    /// Returns the mark of a file as soon as it has one.
    package static func mark(of file: any OpenFile) throws -> ChangeMark {
        let deadline = ContinuousClock.now + .seconds(5)
        while ContinuousClock.now < deadline {
            if let mark = try file.changeMark() { return mark }
            usleep(1000)
        }
        throw FileError(.examine, file.path, reason: .notSupported)
    }
}
