import Glibc
import Testing
import VaultFiles

@Suite("System calls") struct SystemCallTests {
    @Test func `a call that is interrupted by a signal is repeated`() {
        var count = 0
        let result = SystemCall.retryingInterrupted {
            count += 1
            errno = EINTR
            return count < 3 ? -1 : 42
        }
        #expect(result == 42)
        #expect(count == 3)
    }

    @Test func `a process knows the path of its program`() throws {
        let path = try #require(CurrentProcess.executable)
        #expect(path.utf8.first == UInt8(ascii: "/"))
        #expect(access(path, X_OK) == 0)
    }

    @Test func `a call that fails with another error is not repeated`() {
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
