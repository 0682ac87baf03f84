internal import CofferBasics
internal import VaultFiles
internal import VaultFormat

/// The last bytes before the place of the next frame: the tag of the previous frame, which no other frame has.
///
/// After a failed sync a writer takes its frames back, which others may have read already; they notice it by this tag.
struct FrameTag: Equatable, Sendable {
    static let byteCount = 16

    private(set) var bytes: [UInt8] = []

    init() {}

    /// The tag of a frame with these bytes.
    init(endOf frame: [UInt8]) {
        bytes = Array(frame[(frame.count - Self.byteCount)...])
    }

    init(before offset: Int, in file: any OpenFile) throws(StoreError) {
        bytes = try translating(StoreError.file, file.bytes(in: offset - Self.byteCount..<offset))
    }

    /// Whether the first bytes of `probe` are the tag.
    func starts(_ probe: Span<UInt8>) -> Bool {
        probe.count >= bytes.count && probe.extracting(..<bytes.count).hasSameBytes(as: bytes.span)
    }
}
