import Glibc
import Testing
import VaultFiles

@Suite("System calls") struct SystemCallTests {
    @Test func `a call that a signal interrupts is made again`() {
        var count = 0
        let result = SystemCall.retryingInterrupted {
            count += 1
            errno = EINTR
            return count < 3 ? -1 : 42
        }
        #expect(result == 42)
        #expect(count == 3)
    }

    @Test func `a process knows its program`() throws {
        let path = try #require(CurrentProcess.executable)
        #expect(path.utf8.first == UInt8(ascii: "/"))
        #expect(access(path, X_OK) == 0)
    }

    @Test func `a call that fails otherwise is not made again`() {
        var count = 0
        let result = SystemCall.retryingInterrupted {
            count += 1
            errno = EIO
            return count < 3 ? -1 : 42
        }
        #expect(result == -1)
        #expect(count == 1)
    }
}
