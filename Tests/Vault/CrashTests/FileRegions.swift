import StoreTestSupport
import TestSupport
import VaultCrypto
import VaultFormat

/// The regions of an intact vault, and the results that `Spec/threat-model.md`, section 5.1, expects for
/// a flipped bit in each.
struct FileRegions {
    enum Region: Equatable {
        case magic
        case majorVersion
        case header
        case keybag
        case snapshot
        case frame
        case lastFrame
        case reserve
    }

    private let header: Header
    /// The range of each frame.
    let frames: [Range<Int>]

    init(_ opening: VaultOpening, _ subject: VaultSubject) throws {
        header = opening.header
        var frames: [Range<Int>] = []
        var log = opening.log(in: subject.source)
        while true {
            let offset = log.position.offset
            guard try log.next() != nil else { break }
            frames.append(offset..<log.position.offset)
        }
        self.frames = frames
    }

    func region(at offset: Int) -> Region {
        switch offset {
        case ..<8: .magic
        case ..<10: .majorVersion
        case ..<Header.byteCount: .header
        case ..<header.snapshotRange.lowerBound: .keybag
        case ..<header.logOffset: .snapshot
        default:
            if frames.last?.contains(offset) == true {
                .lastFrame
            } else {
                frames.contains { $0.contains(offset) } ? .frame : .reserve
            }
        }
    }

    /// The failures that a flipped bit at `offset` may cause.
    func expectation(at offset: Int) -> Set<String> {
        switch region(at: offset) {
        case .magic: ["not a vault"]
        case .majorVersion: ["unsupported"]
        case .header: ["header failure"]
        case .keybag: ["keybag failure"]
        case .snapshot: ["snapshot failure"]
        case .frame: ["inconsistent"]
        case .lastFrame: ["damaged tail"]
        case .reserve: ["torn tail"]
        }
    }
}
