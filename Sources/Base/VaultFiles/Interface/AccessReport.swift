internal import CofferBasics

/// Who besides its reader can access a file, judged by its status.
///
/// The superuser gets no special treatment: that root owns a file does not show that the reader meant it to, and when
/// root reads a file, its owner can still change it.
package struct AccessReport: Equatable, Sendable {
    /// Something about a file that its reader may not expect.
    package enum Finding: Hashable, Sendable {
        /// The file is a directory, a device, a link or a pipe.
        case notARegularFile
        /// The file belongs to another user.
        case foreignOwner(UInt32, reader: UInt32)
        /// The file has several names (hard links).
        case multipleHardLinks(Int)
        /// Others than the owner have access; carries the actual and the advised permissions.
        case widePermissions(UInt32, advised: UInt32)
    }

    /// The findings, most serious first.
    package let findings: [Finding]
    /// Whether the file must not be read.
    package let refusesReading: Bool
    /// Whether anyone other than the owner and the allowed groups can write the file, or it must not be read.
    package let refusesWriting: Bool

    /// Judges a file by its `status`.
    ///
    /// - Parameters:
    ///   - status: The status of the file.
    ///   - reader: The effective user of the process.
    ///   - writerGroupIDs: The groups that may use the file as its permissions say; this is not a finding.
    package init(of status: FileStatus, reader: UInt32, writerGroupIDs: Set<UInt32>) {
        // The permissions of a device or directory say nothing about its content.
        guard status.isRegular else {
            findings = [.notARegularFile]
            refusesReading = true
            refusesWriting = true
            return
        }
        let excess = status.permissions & (writerGroupIDs.contains(status.group) ? 0o007 : 0o077)
        var findings: [Finding] = []
        if status.owner != reader { findings.append(.foreignOwner(status.owner, reader: reader)) }
        if excess != 0 { findings.append(.widePermissions(status.permissions, advised: status.permissions & ~excess)) }
        if status.linkCount > 1 { findings.append(.multipleHardLinks(status.linkCount)) }
        self.findings = findings
        refusesReading = false
        refusesWriting = excess & 0o022 != 0
    }
}

extension AccessReport.Finding {
    /// The finding for the file at `path`, and what to do.
    package func description(of path: String) -> String {
        switch self {
        case .notARegularFile:
            "\(path.printable) is not a regular file; use a regular file instead"
        case .foreignOwner(let owner, let reader):
            "\(path.printable) belongs to user \(owner), not to user \(reader); "
                // If root took the file over, its owner could no longer use it.
                + (reader == 0
                    ? "run the program as user \(owner)"
                    : "if it should be yours, run: sudo chown \(reader) \(path.shellPath)")
        case .multipleHardLinks(let count):
            "\(path.printable) has \(count) names (hard links); the others keep the old content when it is replaced; "
                + "find them with: find / -xdev -samefile \(path.shellPath)"
        case .widePermissions(let permissions, let advised):
            "\(path.printable) can be \(Self.deeds(permissions & ~advised)) by other users; run: "
                + "chmod \(String(advised, radix: 8)) \(path.shellPath)"
        }
    }

    private static func deeds(_ permissions: UInt32) -> String {
        let deeds = [(0o044, "read"), (0o022, "written"), (0o011, "run")].filter { permissions & $0.0 != 0 }
        return deeds.map(\.1).joined(separator: " and ")
    }
}
