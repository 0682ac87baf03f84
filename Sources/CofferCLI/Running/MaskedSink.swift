internal import CommandSystem
internal import VaultFiles

/// Gives on what a program writes, with its secrets hidden.
final class MaskedSink: ProgramSink {
    private let stream: any ByteOutput
    private var mask: SecretMask
    /// Why something could not be written, if something could not.
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
