internal import CLinux
internal import CofferBasics
internal import Glibc

/// Waits until somebody may have changed a file: its bytes, or which file has the name.
///
/// What changes after the watcher was made is noticed, also between two waits. So make it, then look at the file, then
/// wait; and look again after each ``Outcome/changed``, which may come without a change, but a change does not come
/// without it. One thread waits at a time.
///
///     let watcher = try FileWatcher(watching: "login.coffer", in: directory)
///     repeat { look() } while try watcher.wait(timeoutNanoseconds: .max) == .changed
///
/// Where the system does not tell of changes, or not of those that other machines make, waiting ends once in each
/// polling interval with ``Outcome/changed``.
package final class FileWatcher: Sendable {
    /// Why waiting ended.
    package enum Outcome: Equatable, Sendable {
        /// Something may have changed.
        case changed
        /// The time is over.
        case timedOut
        /// Somebody called ``FileWatcher/stop()``.
        case stopped
    }

    private enum State {
        /// The system tells.
        case notified(FileNotifications)
        /// It does not; when to look next, in nanoseconds.
        case polling(next: UInt64)
    }

    private let path: String
    private let pollingNanoseconds: UInt64
    /// Readable from the moment on when waiting shall end.
    private let stopSignal: Descriptor
    private let state: Guarded<State>

    /// Watches the file `name` in `directory`, which need not exist.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - directory: The directory that the name is in. If it is not one of this machine, its files are polled.
    ///   - pollingNanoseconds: How often to look at what the system does not tell of.
    ///   - mayBeNotified: Whether the system may be asked to tell.
    /// - Throws: When no more files can be opened at all.
    package init(
        watching name: String,
        in directory: any OpenDirectory,
        pollingNanoseconds: UInt64 = 1_000_000_000,
        mayBeNotified: Bool = true
    ) throws(FileError) {
        precondition(pollingNanoseconds > 0, "Polling takes time.")
        path = directory.path + "/" + name
        self.pollingNanoseconds = pollingNanoseconds
        stopSignal = Descriptor(
            try LinuxFile.descriptor(.watch, path) { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        )
        let notifications = mayBeNotified ? FileNotifications(of: name, in: directory) : nil
        state = Guarded(
            notifications.map(State.notified) ?? .polling(next: Self.deadline(in: pollingNanoseconds))
        )
    }

    /// Whether the file is looked at from time to time because the system does not tell of all changes.
    package var isPolling: Bool {
        state.withLock { state in
            if case .polling = state { true } else { false }
        }
    }

    /// Returns when something may have changed since the last wait ended, or after the timeout, or when stopped.
    package func wait(timeoutNanoseconds: UInt64) throws(FileError) -> Outcome {
        let deadline = Self.deadline(in: timeoutNanoseconds)
        while true {
            let (notifications, end): (Descriptor?, UInt64) = state.withLock { state in
                switch state {
                case .notified(let notifications): (notifications.descriptor, deadline)
                case .polling(let next): (nil, min(next, deadline))
                }
            }
            guard try !isStopped(waitingFor: notifications, until: end) else { return .stopped }
            if takeChange() { return .changed }
            guard MachineTime().monotonicNanoseconds() < deadline else { return .timedOut }
        }
    }

    /// Ends the wait of another thread, and all later ones.
    package func stop() {
        eventfd_write(stopSignal.number, 1)
    }

    /// Whether a change may have happened that was not yet reported; then it now is.
    private func takeChange() -> Bool {
        state.withLock { state in
            let now = MachineTime().monotonicNanoseconds()
            switch state {
            case .polling(let next):
                guard now >= next else { return false }
                state = .polling(next: Self.deadline(in: pollingNanoseconds))
                return true
            case .notified(var notifications):
                let news = notifications.take()
                state = news == .lost ? .polling(next: Self.deadline(in: pollingNanoseconds)) : .notified(notifications)
                return news != .none
            }
        }
    }

    /// Returns when there is something to look at, or at `end`, or earlier.
    private func isStopped(waitingFor notifications: Descriptor?, until end: UInt64) throws(FileError) -> Bool {
        var polled = [pollfd(fd: stopSignal.number, events: Int16(POLLIN), revents: 0)]
        if let notifications { polled.append(pollfd(fd: notifications.number, events: Int16(POLLIN), revents: 0)) }
        let now = MachineTime().monotonicNanoseconds()
        // A started millisecond is waited for: otherwise the last one would be spent asking.
        let milliseconds = end > now ? (end - now - 1) / 1_000_000 + 1 : 0
        let count = unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds))
        guard count >= 0 || errno == EINTR else { throw .last(.watch, path) }
        return withExtendedLifetime(notifications) { count > 0 && polled[0].revents != 0 }
    }

    private static func deadline(in nanoseconds: UInt64) -> UInt64 {
        let (deadline, overflow) = MachineTime().monotonicNanoseconds().addingReportingOverflow(nanoseconds)
        return overflow ? .max : deadline
    }
}
