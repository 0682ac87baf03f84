internal import CofferBasics
internal import VaultFormat

/// What tells a generation from all others, also from one of another history that has the same number.
struct GenerationMark: Equatable, Sendable {
    private let salt: UInt64

    init(of header: Header) {
        salt = header.salt.span.littleEndian(at: 0, as: UInt64.self)
    }
}
