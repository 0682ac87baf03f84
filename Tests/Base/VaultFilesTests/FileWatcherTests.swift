import Foundation
import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Watching files", .temporaryDirectory) struct FileWatcherTests {
    /// Long enough that no test reaches it.
    private static let long: UInt64 = 10_000_000_000
    private static let millisecond: UInt64 = 1_000_000

    private let files = LinuxFileSystem()

    private func watcher(_ name: String = "file") throws -> FileWatcher {
        let watcher = try FileWatcher(watching: name, in: Place().directory(), pollingNanoseconds: Self.long)
        try #require(!watcher.isPolling)
        return watcher
    }

    /// Whether exactly one change is reported.
    private func reportsOnce(_ watcher: FileWatcher) throws -> Bool {
        let first = try watcher.wait(timeoutNanoseconds: Self.long)
        return try first == .changed && watcher.wait(timeoutNanoseconds: 0) == .timedOut
    }

    // MARK: - Changes

    /// A change to the file, which has ten bytes.
    enum Change: CaseIterable {
        case append, overwrite, truncate, permissions, replacement, replacementWithoutReplacing, removal, departure

        func happen(at place: Place) throws {
            let directory = try place.directory()
            switch self {
            case .append: try directory.open("file", for: .writing).write("more", at: 10)
            case .overwrite: try directory.open("file", for: .writing).write("x", at: 5)
            case .truncate: try directory.open("file", for: .writing).truncate(to: 5)
            case .permissions: chmod(place.path("file"), 0o640)
            case .replacement:
                try place.make("new", "new")
                try directory.rename("new", to: "file")
            case .replacementWithoutReplacing:
                try place.make("new", "new")
                try directory.remove("file")
                try directory.renameWithoutReplacing("new", to: "file")
            case .removal: try directory.remove("file")
            case .departure: try directory.rename("file", to: "elsewhere")
            }
        }
    }

    @Test(arguments: Change.allCases)
    func `a change before the wait is reported once`(change: Change) throws {
        let place = try Place()
        try place.make("file", "0123456789")
        let watcher = try watcher()
        #expect(try watcher.wait(timeoutNanoseconds: 0) == .timedOut)
        try change.happen(at: place)
        #expect(try reportsOnce(watcher))
    }

    @Test(arguments: Change.allCases)
    func `a change ends the wait`(change: Change) throws {
        let place = try Place()
        try place.make("file", "0123456789")
        let watcher = try watcher()
        Thread.detachNewThread {
            usleep(20_000)
            do { try change.happen(at: place) } catch { Issue.record(error) }
        }
        #expect(try watcher.wait(timeoutNanoseconds: Self.long) == .changed)
        // The thread must be done with the directory before it is removed.
        while try watcher.wait(timeoutNanoseconds: 100 * Self.millisecond) == .changed {}
    }

    @Test func `changes at the same time are reported as one`() throws {
        let place = try Place()
        try place.make("file", "0123456789")
        let watcher = try watcher()
        for change in [Change.append, .truncate, .permissions, .replacement, .append] { try change.happen(at: place) }
        #expect(try reportsOnce(watcher))
    }

    @Test func `only the file that currently has the name is watched`() throws {
        let place = try Place()
        let directory = try place.directory()
        let old = try directory.create("file")
        let watcher = try watcher()
        for _ in 0..<3 {
            try Change.replacement.happen(at: place)
            #expect(try reportsOnce(watcher))
            try old.write("this file no longer has a name")
            #expect(try watcher.wait(timeoutNanoseconds: 0) == .timedOut)
            try directory.open("file", for: .writing).write("new", at: 10)
            #expect(try reportsOnce(watcher))
        }
    }

    @Test func `a file that is removed and created again is watched`() throws {
        let place = try Place()
        let directory = try place.directory()
        let watcher = try watcher()
        for _ in 0..<3 {
            let file = try directory.create("file")
            #expect(try reportsOnce(watcher))
            try file.write("text")
            #expect(try reportsOnce(watcher))
            try directory.remove("file")
            #expect(try reportsOnce(watcher))
            try place.make("new", "new")
            try directory.rename("new", to: "file")
            #expect(try reportsOnce(watcher))
            try directory.open("file", for: .writing).write("newer")
            #expect(try reportsOnce(watcher))
            try directory.rename("file", to: "elsewhere")
            #expect(try reportsOnce(watcher))
        }
    }

    @Test func `other files do not end the wait`() throws {
        let place = try Place()
        try place.make("file", "0123456789")
        let directory = try place.directory()
        let watcher = try watcher()
        for name in ["other", "file2", "fil", "File", ".file.tmp"] {
            try place.make(name)
            try directory.rename(name, to: "renamed")
            try directory.remove("renamed")
        }
        _ = try directory.open("file", for: .reading).text
        _ = try directory.open("file", for: .writing)
        #expect(try watcher.wait(timeoutNanoseconds: 0) == .timedOut)
    }

    @Test func `a name is not confused with one that looks the same`() throws {
        let directory = try Place().directory()
        let watcher = try watcher("\u{E9}")
        _ = try directory.create("e\u{301}")
        #expect(try watcher.wait(timeoutNanoseconds: 0) == .timedOut)
        _ = try directory.create("\u{E9}")
        #expect(try reportsOnce(watcher))
    }

    @Test func `a moved directory is still watched`() throws {
        let place = try Place()
        place.makeDirectory("before")
        try place.make("before/file")
        let directory = try files.locate(place.path("before/file")).directory
        let watcher = try FileWatcher(watching: "file", in: directory, pollingNanoseconds: Self.long)
        try place.directory().rename("before", to: "after")
        #expect(try reportsOnce(watcher))
        place.makeDirectory("before")
        try place.make("before/file")
        #expect(try watcher.wait(timeoutNanoseconds: 0) == .timedOut)
        try place.make("after/file", "more")
        #expect(try reportsOnce(watcher))
        try place.make("after/new", "new")
        try directory.rename("new", to: "file")
        #expect(try reportsOnce(watcher))
        try directory.open("file", for: .writing).write("newer")
        #expect(try reportsOnce(watcher))
    }

    @Test func `more changes than the system queues are reported as one`() throws {
        let place = try Place()
        let directory = try place.directory()
        let watcher = try watcher()
        let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
        let count = try #require(Int(limit.prefix { $0 != "\n" }))
        try #require(count <= 100_000)
        _ = try directory.create("other")
        for _ in 0...(count / 2) {
            try directory.rename("other", to: "another")
            try directory.rename("another", to: "other")
        }
        #expect(try reportsOnce(watcher))
        _ = try directory.create("file")
        #expect(try reportsOnce(watcher))
    }

    // MARK: - Waiting

    @Test(arguments: [true, false])
    func `waiting lasts until the timeout, and uses no CPU time`(mayBeNotified: Bool) throws {
        let place = try Place()
        try place.make("file")
        let watcher = try FileWatcher(
            watching: "file",
            in: place.directory(),
            pollingNanoseconds: Self.long,
            mayBeNotified: mayBeNotified
        )
        // Each of these leaves an event that could wake a watcher too eagerly.
        try place.directory().remove("file")
        if mayBeNotified { #expect(try watcher.wait(timeoutNanoseconds: 0) == .changed) }
        try place.make("other")
        let (begin, work) = (MachineTime().monotonicNanoseconds(), clock(CLOCK_THREAD_CPUTIME_ID))
        #expect(try watcher.wait(timeoutNanoseconds: 300 * Self.millisecond) == .timedOut)
        #expect(MachineTime().monotonicNanoseconds() - begin >= 300 * Self.millisecond)
        #expect(clock(CLOCK_THREAD_CPUTIME_ID) - work < 100 * Self.millisecond)
    }

    private func clock(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test(arguments: [true, false])
    func `another thread can end the wait`(mayBeNotified: Bool) throws {
        let watcher = try FileWatcher(
            watching: "file",
            in: Place().directory(),
            pollingNanoseconds: Self.long,
            mayBeNotified: mayBeNotified
        )
        Thread.detachNewThread {
            usleep(20_000)
            watcher.stop()
        }
        try #require(try watcher.wait(timeoutNanoseconds: Self.long) == .stopped)
        #expect(try watcher.wait(timeoutNanoseconds: .max) == .stopped)
        watcher.stop()
        #expect(try watcher.wait(timeoutNanoseconds: 0) == .stopped)
    }

    @Test func `a signal does not end the wait`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let watcher = try FileWatcher(watching: "file", in: place.directory())
            // A handler, because an ignored signal interrupts nothing.
            signal(SIGUSR1) { _ in }
            // The threads that run tests block signals.
            var signals = sigset_t()
            sigaddset(&signals, SIGUSR1)
            pthread_sigmask(SIG_UNBLOCK, &signals, nil)
            let waiting = pthread_self()
            Thread.detachNewThread {
                for _ in 0..<10 {
                    usleep(10_000)
                    pthread_kill(waiting, SIGUSR1)
                }
            }
            let begin = MachineTime().monotonicNanoseconds()
            #expect(try watcher.wait(timeoutNanoseconds: 200_000_000) == .timedOut)
            #expect(MachineTime().monotonicNanoseconds() - begin >= 200_000_000)
        }
    }

    // MARK: - Polling

    @Test func `polling wakes once per interval`() throws {
        let place = try Place()
        let watcher = try FileWatcher(
            watching: "file",
            in: place.directory(),
            pollingNanoseconds: 50 * Self.millisecond,
            mayBeNotified: false
        )
        #expect(watcher.isPolling)
        let begin = MachineTime().monotonicNanoseconds()
        for _ in 0..<3 { #expect(try watcher.wait(timeoutNanoseconds: Self.long) == .changed) }
        #expect(MachineTime().monotonicNanoseconds() - begin >= 150 * Self.millisecond)
        // Many short waits work as well as a long one.
        var outcomes: Set<FileWatcher.Outcome> = []
        for _ in 0..<100 { outcomes.insert(try watcher.wait(timeoutNanoseconds: Self.millisecond)) }
        #expect(outcomes == [.timedOut, .changed])
    }

    @Test func `a directory that is not on this machine is polled`() throws {
        let watcher = try FileWatcher(watching: "file", in: Place().directory(HookedFiles()))
        #expect(watcher.isPolling)
    }

    @Test func `without descriptors for notifications it polls`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            Background.settle()
            let directory = try place.directory()
            // One is needed to be stopped; a second is not available.
            let next = open("/dev/null", O_RDONLY | O_CLOEXEC)
            var limits = rlimit(rlim_cur: rlim_t(next + 1), rlim_max: rlim_t(next + 1))
            close(next)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
            let watcher = try FileWatcher(watching: "file", in: directory, pollingNanoseconds: 1_000_000)
            #expect(watcher.isPolling)
            #expect(try watcher.wait(timeoutNanoseconds: .max) == .changed)
            #expect(try refusal { _ = try FileWatcher(watching: "file", in: directory) } == .tooManyOpenFiles)
        }
    }

    @Test func `a file that the process may not read is polled`() async throws {
        let place = try Place()
        try place.make("file")
        chmod(place.path("file"), 0o200)
        chmod(place.path, 0o755)
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let directory = try place.directory()
            // Root may read everything.
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            #expect(try FileWatcher(watching: "file", in: directory).isPolling)
        }
    }

    @Test func `a file that can no longer be watched is polled`() async throws {
        let place = try Place()
        try place.make("file")
        try place.make("new")
        chmod(place.path("new"), 0o200)
        chmod(place.path, 0o777)
        if geteuid() == 0 { chown(place.path("file"), 65534, 65534) }
        await #expect(processExitsWith: .success) { [place = place as Place] in
            let directory = try place.directory()
            if geteuid() == 0 { try #require(setuid(65534) == 0) }
            let watcher = try FileWatcher(watching: "file", in: directory, pollingNanoseconds: 1_000_000)
            #expect(!watcher.isPolling)
            try directory.rename("new", to: "file")
            #expect(try watcher.wait(timeoutNanoseconds: .max) == .changed)
            #expect(watcher.isPolling)
            #expect(try watcher.wait(timeoutNanoseconds: .max) == .changed)
        }
    }

    // MARK: - Descriptors

    @Test func `a released watcher leaves no descriptor`() async throws {
        let place = try Place()
        await #expect(processExitsWith: .success) { [place = place as Place] in
            Background.settle()
            let directory = try place.directory()
            func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
            let before = try count()
            for mayBeNotified in [true, false] {
                let watcher = try FileWatcher(watching: "file", in: directory, mayBeNotified: mayBeNotified)
                try place.make("file")
                watcher.stop()
                _ = try watcher.wait(timeoutNanoseconds: 0)
                let during = try withExtendedLifetime(watcher) { try count() }
                #expect(during == before + (mayBeNotified ? 2 : 1))
            }
            #expect(try count() == before)
        }
    }
}
