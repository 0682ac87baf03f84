internal import VaultFormat

/// Section 6.4: zeros after the log, since overwriting them is faster than growing the file.
enum Reserve {
    private static let least = 4096
    private static let greatest = 65_536

    /// Returns how many zeros to write after `end`.
    ///
    /// It is about as many bytes as the same writer has appended so far, so that a vault that is written once stays
    /// small, and one that is written often seldom grows.
    static func byteCount(behind end: Int, appendedSoFar: Int) -> Int {
        let aim = min(greatest, max(least, appendedSoFar))
        let aligned = (end + aim) / least * least
        return max(0, aligned - end)
    }
}
