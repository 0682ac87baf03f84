internal import CofferBasics

/// Who beside the reader can get at a file, judged by what the system knows of it.
///
/// The superuser is judged like anybody else: that root owns a file says nothing about whether the reader meant it to,
/// and when root reads, the owner of the file can still change it.
package struct AccessReport: Equatable, Sendable {
    /// Something about a file that its reader may not expect.
    package enum Finding: Hashable, Sendable {
        /// It is a directory, a device, a link or a pipe.
        case notARegularFile
        /// It belongs to somebody else.
        case foreignOwner(UInt32, reader: UInt32)
        /// It has more than one name.
        case severalNames(Int)
        /// Others than the owner may do something: these are its permissions, and those that it should have.
        case widePermissions(UInt32, advised: UInt32)
    }

    /// What there is to report, the gravest first.
    package let findings: [Finding]
    /// Whether the file is none to read.
    package let refusesReading: Bool
    /// Whether somebody other than its owner and the allowed groups could write the file, or it is none to read.
    package let refusesWriting: Bool

    /// Judges a file by its `status`.
    ///
    /// - Parameters:
    ///   - status: What the system knows of the file.
    ///   - reader: The effective user of the process.
    ///   - allowedGroups: The groups that may do with the file what its permissions say: this is no finding.
    package init(of status: FileStatus, reader: UInt32, allowedGroups: Set<UInt32>) {
        // What a device or a directory permits says nothing about content.
        guard status.isRegular else {
            findings = [.notARegularFile]
            refusesReading = true
            refusesWriting = true
            return
        }
        let excess = status.permissions & (allowedGroups.contains(status.group) ? 0o007 : 0o077)
        var findings: [Finding] = []
        if status.owner != reader { findings.append(.foreignOwner(status.owner, reader: reader)) }
        if excess != 0 { findings.append(.widePermissions(status.permissions, advised: status.permissions & ~excess)) }
        if status.linkCount > 1 { findings.append(.severalNames(status.linkCount)) }
        self.findings = findings
        refusesReading = false
        refusesWriting = excess & 0o022 != 0
    }
}

extension AccessReport.Finding {
    /// What was found about the file at `path`, and what to do.
    package func description(of path: String) -> String {
        switch self {
        case .notARegularFile:
            "\(path.printable) is not a regular file; name a file that is"
        case .foreignOwner(let owner, let reader):
            "\(path.printable) belongs to user \(owner), not to user \(reader), who reads it; "
                // A file that root takes is one that its owner cannot use any more.
                + (reader == 0
                    ? "run the program as user \(owner)"
                    : "if it should be yours, run: sudo chown \(reader) \(path.shellPath)")
        case .severalNames(let count):
            "\(path.printable) has \(count) names, of which the others keep the old content when it is replaced; find them with: "
                + "find / -xdev -samefile \(path.shellPath)"
        case .widePermissions(let permissions, let advised):
            "\(path.printable) can be \(Self.deeds(permissions & ~advised)) by others than it should; run: "
                + "chmod \(String(advised, radix: 8)) \(path.shellPath)"
        }
    }

    private static func deeds(_ permissions: UInt32) -> String {
        let deeds = [(0o044, "read"), (0o022, "written"), (0o011, "run")].filter { permissions & $0.0 != 0 }
        return deeds.map(\.1).joined(separator: " and ")
    }
}
