internal import CofferBasics
internal import VaultFormat

/// Tells a generation from all others, even from one with the same number in a different history.
struct GenerationMark: Equatable, Sendable {
    private let salt: UInt64

    init(of header: Header) {
        salt = header.salt.span.littleEndian(at: 0, as: UInt64.self)
    }
}
