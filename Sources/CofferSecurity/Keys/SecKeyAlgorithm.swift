public import Foundation

/// How a key signs, encrypts or agrees on a secret.
///
/// The names are Apple's; this version of Coffer has none of the algorithms: `SecKeyIsAlgorithmSupported` says so.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
    private let name: String

    init(_ name: String) { self.name = name }

    /// The algorithm of this name.
    public init(rawValue: CFString) { name = rawValue as String }

    /// Apple's name of the algorithm.
    public var rawValue: CFString { name as NSString }
}
