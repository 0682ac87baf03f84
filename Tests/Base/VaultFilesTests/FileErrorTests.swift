import Glibc
import Testing
import VaultFiles

@Suite("File errors") struct FileErrorTests {
    private static let reasons: [FileError.Reason] = [
        .notFound, .alreadyExists, .permissionDenied, .readOnlyFileSystem, .diskFull, .quotaExceeded, .fileTooLarge,
        .inputOutput, .staleHandle, .tooManySymbolicLinks, .tooManyOpenFiles, .notADirectory, .isDirectory,
        .notARegularFile, .onOtherFileSystem, .busy, .nameTooLong, .interrupted, .notSupported, .other(1234),
    ]

    @Test(arguments: reasons)
    func `each reason survives a round trip through its number`(reason: FileError.Reason) {
        #expect(FileError.Reason(number: reason.number) == reason)
    }

    @Test(arguments: [
        (EPERM, FileError.Reason.permissionDenied), (ENFILE, .tooManyOpenFiles), (ESPIPE, .notARegularFile),
        (ENXIO, .notARegularFile), (EAGAIN, .busy), (ETXTBSY, .busy), (ENOSYS, .notSupported), (ENOLCK, .notSupported),
        (EINVAL, .other(EINVAL)),
    ])
    func `other numbers map to the same reasons`(number: Int32, reason: FileError.Reason) {
        #expect(FileError.Reason(number: number) == reason)
    }

    @Test func `a description has the file, the operation and the reason`() {
        let error = FileError(.create, "/a/b", reason: .alreadyExists)
        #expect(error.description.hasPrefix("/a/b could not be created: it already exists"))
        #expect("\(FileError(.read, "x", reason: .other(77)))" == "x could not be read: system error 77")
        let descriptions = Set((Self.reasons + [.invalidName]).map(\.description))
        #expect(descriptions.count == Self.reasons.count + 1)
    }
}
