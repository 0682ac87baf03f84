public import Foundation

/// An algorithm for signing, encryption or key agreement.
///
/// The names are Apple's; `SecKeyIsAlgorithmSupported` tells which of them a key supports.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }

    /// Creates an algorithm from Apple's name for it.
    public init(rawValue: CFString) { name = rawValue as String }

    /// Apple's name for the algorithm.
    public var rawValue: CFString { name as NSString }
}
