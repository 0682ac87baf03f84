/// A part of a vault file, as far as anyone can tell it from others without a key.
///
/// None of it is authenticated.
package struct VaultPart: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        case header
        case keybag
        case directory
        /// The snapshot without its directory, which alone says where each section begins.
        case sections
        /// A frame, found by magic and length alone.
        case frame(sequence: UInt64)
        /// Zero bytes up to the end of the file.
        case reserve
        /// Bytes in which nothing can be found without a key.
        case unknown
    }

    package var kind: Kind
    package var range: Range<Int>
    /// Whether its hash differs, it is cut off, or the frames around it contradict each other.
    package var isDamaged = false

    init(_ kind: Kind, _ range: Range<Int>, isDamaged: Bool = false) {
        self.kind = kind
        self.range = range
        self.isDamaged = isDamaged
    }

    /// The parts before the frames.
    static func beforeLog(_ header: Header) -> [VaultPart] {
        let parts = [
            VaultPart(.header, 0..<Header.byteCount), VaultPart(.keybag, header.keybagRange),
            VaultPart(.directory, header.directoryRange),
            VaultPart(.sections, header.directoryRange.upperBound..<header.logOffset),
        ]
        return parts.filter { !$0.range.isEmpty }
    }
}

/// The parts of a vault file, in order and without gaps.
///
/// A frame has at least 1,024 bytes, so the list needs less than a tenth of the memory that the file would.
package struct VaultParts: Equatable, Sendable {
    package let parts: [VaultPart]
    /// What else can be read without a key; nil if the header is damaged.
    package let inspection: VaultInspection?
    /// The damage that can be found without a key, except for that in the log.
    package let damage: [VaultFormatError]

    /// Finds the parts, even those of a vault whose header is damaged, or that was cut off.
    ///
    /// - Throws: `notAVault`, `unsupported`, or that the file is too large or cannot be read.
    package init(of source: some ByteSource) throws(VaultFormatError) {
        do throws(VaultFormatError) {
            let inspection = try VaultInspection(of: source)
            parts = inspection.parts
            self.inspection = inspection
            damage = inspection.damage
        } catch {
            guard error.isAboutHeader, source.byteCount <= Limits.fileByteCount else { throw error }
            parts = try Self.parts(ofDamaged: source)
            inspection = nil
            damage = [error]
        }
    }

    private static func parts(ofDamaged source: some ByteSource) throws(VaultFormatError) -> [VaultPart] {
        let headerRange = 0..<min(source.byteCount, Header.byteCount)
        let bytes = try source.read(headerRange)
        // A header that would be valid in a greater file tells what was cut off.
        if let header = try? Header(parsing: bytes, fileByteCount: Limits.fileByteCount) {
            return VaultPart.beforeLog(header).compactMap { part in
                let range = part.range.clamped(to: 0..<source.byteCount)
                return range.isEmpty ? nil : VaultPart(part.kind, range, isDamaged: range != part.range)
            }
        }
        var walk = FrameWalk(source, after: nil)
        try walk.walk(from: headerRange.upperBound)
        return [VaultPart(.header, headerRange, isDamaged: true)] + walk.parts
    }
}

extension VaultFormatError {
    /// Whether this tells that the header is not valid.
    fileprivate var isAboutHeader: Bool {
        switch self {
        case .headerFailure, .limitExceeded: true
        default: false
        }
    }
}
