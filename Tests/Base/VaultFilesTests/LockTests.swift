import Glibc
import TestSupport
import Testing
import VaultFiles

@Suite("Locks", .temporaryDirectory) struct LockTests {
    private let files = LinuxFileSystem()

    private func opened(_ name: String = "file") throws -> any OpenFile {
        let directory = try Place().directory()
        guard try !directory.names().contains(name) else { return try directory.open(name, for: .writing) }
        return try directory.create(name)
    }

    // MARK: - In this process

    @Test func `only one open file has the lock`() throws {
        let first = try opened()
        let second = try opened()
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
        #expect(try first.tryLock(), "the holder gets it again")
        try second.unlock()
        #expect(try !second.tryLock(), "only the holder can release it")
        try first.unlock()
        #expect(try second.tryLock())
        #expect(try !first.tryLock())
    }

    @Test func `closing the file releases the lock`() throws {
        let second = try opened()
        do {
            let first = try opened()
            let results = try withExtendedLifetime(first) { try [first.tryLock(), second.tryLock()] }
            #expect(results == [true, false])
        }
        #expect(try second.tryLock())
    }

    @Test func `the lock stays when another descriptor of the file is closed`() throws {
        // With the older kind of lock, it would be lost.
        let first = try opened()
        let second = try opened()
        #expect(try first.tryLock())
        do { _ = try opened().bytes(in: 0..<1) }
        close(open(try Place().path("file"), O_RDWR | O_CLOEXEC))
        #expect(try !second.tryLock())
        #expect(first.lockHolder() == getpid())
    }

    @Test func `each file has a lock of its own, whatever its name`() throws {
        let directory = try Place().directory()
        let first = try opened("first")
        #expect(try first.tryLock())
        #expect(try opened("second").tryLock())
        try directory.rename("first", to: "third")
        #expect(try !directory.open("third", for: .writing).tryLock())
        #expect(try opened("first").tryLock())
    }

    @Test func `a file can be read, written and truncated while it is locked`() throws {
        let first = try opened()
        let second = try opened()
        #expect(try first.tryLock())
        try second.write("text")
        #expect(try second.text == "text")
        try second.truncate(to: 0)
        #expect(try first.status().byteCount == 0)
    }

    // MARK: - Between processes

    @Test func `another process is refused, and finds the holder of the lock`() async throws {
        let place = try Place()
        let file = try opened()
        #expect(try file.tryLock())
        await #expect(processExitsWith: .success) { [place = place as Place, holder = getpid() as Int32] in
            let file = try place.directory().open("file", for: .writing)
            let isLocked = try file.tryLock()
            #expect(!isLocked)
            #expect(holder != getpid())
            #expect(file.lockHolder() == holder)
        }
        // Keeps the file open until here; the compiler could release it earlier.
        #expect(try file.tryLock())
    }

    @Test(arguments: [false, true])
    func `the end of the process releases the lock`(isKilled: Bool) async throws {
        let place = try Place()
        let file = try opened()
        await #expect(processExitsWith: isKilled ? .signal(SIGKILL) : .success) {
            [place = place as Place, isKilled = isKilled as Bool] in
            let file = try place.directory().open("file", for: .writing)
            guard try file.tryLock() else { _exit(1) }
            withExtendedLifetime(file) { if isKilled { kill(getpid(), SIGKILL) } }
        }
        #expect(try file.tryLock())
    }

    /// The byte of the lock, section 13 of the format, and the number of `F_OFD_SETLK`, which no module exports.
    private static let lockOffset: off_t = 1 << 62
    private static let setLock: Int32 = 37

    @Test func `a read lock of another process keeps writers out, and its holder is found`() async throws {
        let place = try Place()
        _ = try opened()
        let reader = open(place.path("file"), O_RDONLY | O_CLOEXEC)
        var lock = flock()
        lock.l_type = Int16(F_RDLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = Self.lockOffset
        lock.l_len = 1
        #expect(fcntl(reader, Self.setLock, &lock) == 0)
        await #expect(processExitsWith: .success) { [place = place as Place, holder = getpid() as Int32] in
            let file = try place.directory().open("file", for: .writing)
            let isLocked = try file.tryLock()
            #expect(!isLocked)
            #expect(file.lockHolder() == holder)
        }
        close(reader)
        #expect(try opened().tryLock())
    }

    // MARK: - The holder

    @Test func `a free lock has no holder`() throws {
        let file = try opened()
        let other = try opened("other")
        #expect(file.lockHolder() == nil)
        #expect(try other.tryLock())
        #expect(file.lockHolder() == nil)
        #expect(try file.tryLock())
        #expect(file.lockHolder() == getpid())
        try file.unlock()
        #expect(file.lockHolder() == nil)
        #expect(other.lockHolder() == getpid())
    }

    @Test func `a lock of another kind does not count`() throws {
        let file = try opened()
        let descriptor = open(try Place().path("file"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(file.lockHolder() == nil)
        #expect(try file.tryLock())
    }
}
