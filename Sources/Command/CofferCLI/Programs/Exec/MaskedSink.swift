internal import CommandSystem
internal import VaultFiles

/// Passes on what a program writes, with its secrets masked.
final class MaskedSink: ProgramSink {
    private let stream: any ByteOutput
    private var mask: SecretMask
    /// The first write error, if there was one.
    private(set) var failure: FileError?

    init(_ stream: any ByteOutput, hiding secrets: [MaskedSecret]) {
        self.stream = stream
        mask = SecretMask(secrets)
    }

    func take(_ bytes: Span<UInt8>) throws(FileError) {
        try noting { () throws(FileError) in
            try mask.take(bytes) { bytes throws(FileError) in try stream.write(bytes) }
        }
    }

    func end() throws(FileError) {
        try noting { () throws(FileError) in
            try mask.end { bytes throws(FileError) in try stream.write(bytes) }
        }
    }

    private func noting(_ body: () throws(FileError) -> Void) throws(FileError) {
        do throws(FileError) {
            try body()
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}
