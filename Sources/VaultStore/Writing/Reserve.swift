internal import VaultFormat

/// Section 6.4: zeros behind the log, into which frames are written faster than a file grows.
enum Reserve {
    private static let least = 4096
    private static let greatest = 65_536

    /// How many zeros to write behind `end`: as many as were appended before by the same writer, so that a vault that is
    /// written once stays small, and one that is written often grows seldom.
    static func byteCount(behind end: Int, appendedSoFar: Int) -> Int {
        let aim = min(greatest, max(least, appendedSoFar))
        let aligned = (end + aim) / least * least
        return max(0, aligned - end)
    }
}
