internal import Glibc

/// What a file was at a moment: while it is equal, nobody has written to the file, or changed its names.
///
/// A system stamps each change with a clock that ticks slowly, so two changes may have one stamp. Only a file whose last
/// change lies so far back that another one would have another stamp gets a mark.
package struct ChangeMark: Equatable, Sendable {
    private let identity: FileStatus.Identity
    private let linkCount: Int
    private let byteCount: Int
    private let stamp: Stamp

    /// A moment on the clock that stamps files.
    package struct Stamp: Equatable, Sendable {
        let seconds: Int
        let nanoseconds: Int

        package init(seconds: Int, nanoseconds: Int) {
            self.seconds = seconds
            self.nanoseconds = nanoseconds
        }

        /// The longest that the clock stands still; the kernel's ticks take up to 10 ms.
        private static let tickNanoseconds = 50_000_000
        /// The longest that it stands still where it has whole milliseconds, or seconds, or two.
        private static let coarseTickSeconds = 3

        /// Whether a change at `now` or later has another stamp than this.
        package func isOver(at now: Stamp) -> Bool {
            // A stamp in the future comes from a clock that was set back, and may come again.
            let (age, overflow) = now.seconds.subtractingReportingOverflow(seconds)
            guard !overflow, age >= 0 else { return false }
            guard age < Self.coarseTickSeconds else { return true }
            let isFine = nanoseconds % 1_000_000 != 0
            return isFine && age * 1_000_000_000 + now.nanoseconds - nanoseconds > Self.tickNanoseconds
        }
    }

    /// The mark of a file, or nil if it was changed just now.
    init?(_ status: stat) {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        stamp = Stamp(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
        guard stamp.isOver(at: Stamp(seconds: now.tv_sec, nanoseconds: now.tv_nsec)) else { return nil }
        let file = FileStatus(status)
        (identity, linkCount, byteCount) = (file.identity, file.linkCount, file.byteCount)
    }

    /// Whether the file system with this number stamps a file whenever it is written, cut, renamed or replaced, and no
    /// other machine writes to it.
    static func isKnown(fileSystem number: Int) -> Bool {
        fileSystems.contains(UInt32(truncatingIfNeeded: number))
    }

    /// As <linux/magic.h> has them.
    private static let fileSystems: Set<UInt32> = [
        0xEF53,  // ext2, ext3 and ext4
        0x5846_5342,  // XFS
        0x9123_683E,  // Btrfs
        0xF2F5_2010,  // F2FS
        0x0102_1994,  // tmpfs
        0x794C_7630,  // overlayfs, which shows the stamps of one of these
    ]
}
