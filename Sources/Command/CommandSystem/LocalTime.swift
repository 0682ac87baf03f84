internal import Glibc

/// Local time.
package enum LocalTime {
    /// How many seconds local time is ahead of UTC at a time given in seconds since 1970.
    package static func secondsFromUTC(at seconds: Int64) -> Int {
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
        return unsafe parts.tm_gmtoff
    }
}
