internal import VaultFormat

/// Section 6.4: zeros after the log, since overwriting them is faster than growing the file.
enum Reserve {
    private static let least = 4096
    private static let greatest = 65_536

    /// Returns how many zeros to write after `end`.
    ///
    /// Few after the first frame of a writer, so that a vault that is written once stays small; and many after a later
    /// one, so that a vault that is written often seldom grows.
    static func byteCount(behind end: Int, isFirst: Bool) -> Int {
        (end + (isFirst ? least : greatest)) / least * least - end
    }
}
