internal import CCofferLinux
internal import CofferBasics
internal import Glibc

/// Waits until a file may have changed: its bytes, or which file has the name.
///
/// All changes after the watcher was created are noticed, also between two waits. So create it, then look at the file,
/// then wait; and look again after each ``Outcome/changed``. That may come without a change, but no change goes without
/// it. Only one thread waits at a time.
///
///     let watcher = try FileWatcher(watching: "login.coffer", in: directory)
///     repeat { look() } while try watcher.wait(timeoutNanoseconds: .max) == .changed
///
/// Where the system reports no changes, or none made by other machines, waiting ends once per polling interval with
/// ``Outcome/changed``.
package final class FileWatcher: Sendable {
    /// Why waiting ended.
    package enum Outcome: Equatable, Sendable {
        /// Something may have changed.
        case changed
        /// The timeout has passed.
        case timedOut
        /// ``FileWatcher/stop()`` was called.
        case stopped
    }

    private enum State {
        /// The system reports changes.
        case notified(FileNotifications)
        /// The system does not; the time of the next look, in nanoseconds.
        case polling(next: UInt64)
    }

    private let path: String
    private let pollingNanoseconds: UInt64
    /// Becomes readable when waiting is to end.
    private let stopSignal: Descriptor
    private let state: Guarded<State>

    /// Watches the file `name` in `directory`; the file need not exist.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - directory: The directory of the file. If it is not on this machine, its files are polled.
    ///   - pollingNanoseconds: How often to look if the system does not report changes.
    ///   - mayBeNotified: Whether to use the system's notifications.
    /// - Throws: `FileError` if no more files can be opened.
    package init(
        watching name: String,
        in directory: any OpenDirectory,
        pollingNanoseconds: UInt64 = 1_000_000_000,
        mayBeNotified: Bool = true
    ) throws(FileError) {
        precondition(pollingNanoseconds > 0, "the polling interval must be positive")
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

    /// Whether the file is polled because the system does not report all changes.
    package var isPolling: Bool {
        state.withLock { state in
            if case .polling = state { true } else { false }
        }
    }

    /// Returns when something may have changed since the last wait ended, when the timeout has passed, or when stopped.
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

    /// Ends the wait of another thread, and all later waits.
    package func stop() {
        eventfd_write(stopSignal.number, 1)
    }

    /// Whether a change may have happened since the last report; it counts as reported now.
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

    /// Waits for an event, until `end` at the latest, and returns whether the watcher was stopped.
    private func isStopped(waitingFor notifications: Descriptor?, until end: UInt64) throws(FileError) -> Bool {
        var polled = [pollfd(fd: stopSignal.number, events: Int16(POLLIN), revents: 0)]
        if let notifications { polled.append(pollfd(fd: notifications.number, events: Int16(POLLIN), revents: 0)) }
        let now = MachineTime().monotonicNanoseconds()
        // Round up: otherwise the last fraction of a millisecond would be spent in a busy loop.
        let milliseconds = end > now ? (end - now - 1) / 1_000_000 + 1 : 0
        let count = ForkGate.pausing { unsafe poll(&polled, nfds_t(polled.count), Int32(clamping: milliseconds)) }
        guard count >= 0 || errno == EINTR else { throw .last(.watch, path) }
        return withExtendedLifetime(notifications) { count > 0 && polled[0].revents != 0 }
    }

    private static func deadline(in nanoseconds: UInt64) -> UInt64 {
        let (deadline, overflow) = MachineTime().monotonicNanoseconds().addingReportingOverflow(nanoseconds)
        return overflow ? .max : deadline
    }
}
