internal import Glibc

/// A file's identity and change time at a moment; while they stay equal, nobody has written or renamed the file.
///
/// The system stamps changes with a coarse clock, so two changes may get the same stamp. A file gets a mark only if its
/// last change is long enough ago that another change would get a different stamp.
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

        /// The longest time between two ticks of the clock; the kernel ticks at least every 10 ms.
        private static let tickNanoseconds = 50_000_000
        /// The longest such time on file systems that store whole milliseconds, seconds or pairs of seconds.
        private static let coarseTickSeconds = 3

        /// Whether a change at `now` or later gets a different stamp.
        package func isOver(at now: Stamp) -> Bool {
            // A stamp in the future comes from before the clock was set back, so it may occur again.
            let (age, overflow) = now.seconds.subtractingReportingOverflow(seconds)
            guard !overflow, age >= 0 else { return false }
            guard age < Self.coarseTickSeconds else { return true }
            let isFine = nanoseconds % 1_000_000 != 0
            return isFine && age * 1_000_000_000 + now.nanoseconds - nanoseconds > Self.tickNanoseconds
        }
    }

    /// The mark of a file, or nil if the file changed too recently.
    init?(_ status: stat) {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0 else { return nil }
        stamp = Stamp(seconds: status.st_ctim.tv_sec, nanoseconds: status.st_ctim.tv_nsec)
        guard stamp.isOver(at: Stamp(seconds: now.tv_sec, nanoseconds: now.tv_nsec)) else { return nil }
        let file = FileStatus(status)
        (identity, linkCount, byteCount) = (file.identity, file.linkCount, file.byteCount)
    }

    /// Whether the file system with this number stamps a file whenever it is written, truncated, renamed or replaced,
    /// and no other machine writes to it.
    static func isKnown(fileSystem number: Int) -> Bool {
        fileSystems.contains(UInt32(truncatingIfNeeded: number))
    }

    /// From <linux/magic.h>.
    private static let fileSystems: Set<UInt32> = [
        0xEF53,  // ext2, ext3 and ext4
        0x5846_5342,  // XFS
        0x9123_683E,  // Btrfs
        0xF2F5_2010,  // F2FS
        0x0102_1994,  // tmpfs
        0x794C_7630,  // overlayfs, which shows the stamps of one of the others
    ]
}
