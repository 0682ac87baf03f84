internal import Glibc

/// The clocks of the place where the machine is.
package enum LocalTime {
    /// How many seconds they are ahead of UTC at a moment, in seconds since 1970 began.
    package static func secondsFromUTC(at seconds: Int64) -> Int {
        var time = time_t(seconds)
        var parts = unsafe tm()
        guard unsafe localtime_r(&time, &parts) != nil else { return 0 }
        return unsafe parts.tm_gmtoff
    }
}
