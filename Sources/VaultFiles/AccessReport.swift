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
            "\(path) is not a regular file; name a file that is"
        case .foreignOwner(let owner, let reader):
            "\(path) belongs to user \(owner), not to user \(reader), who reads it; "
                // A file that root takes is one that its owner cannot use any more.
                + (reader == 0
                    ? "run the program as user \(owner)"
                    : "if it should be yours, run: sudo chown \(reader) \(Self.quoted(path))")
        case .severalNames(let count):
            "\(path) has \(count) names, of which the others keep the old content when it is replaced; find them with: "
                + "find / -xdev -samefile \(Self.quoted(path))"
        case .widePermissions(let permissions, let advised):
            "\(path) can be \(Self.deeds(permissions & ~advised)) by others than it should; run: "
                + "chmod \(String(advised, radix: 8)) \(Self.quoted(path))"
        }
    }

    private static func deeds(_ permissions: UInt32) -> String {
        let deeds = [(0o044, "read"), (0o022, "written"), (0o011, "run")].filter { permissions & $0.0 != 0 }
        return deeds.map(\.1).joined(separator: " and ")
    }

    /// The path as a shell takes it for one word.
    private static func quoted(_ path: String) -> String {
        // A command would take a path that begins with a hyphen for an option.
        let path = path.utf8.first == UInt8(ascii: "-") ? "./" + path : path
        let plain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard !plain || path.isEmpty else { return path }
        return "'" + path.unicodeScalars.map { $0 == "'" ? #"'\''"# : String($0) }.joined() + "'"
    }
}
