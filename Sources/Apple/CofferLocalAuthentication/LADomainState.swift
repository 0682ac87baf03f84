internal import Coffer
public import Foundation

/// What a user can authenticate with, and whether that has changed.
public final class LADomainState: NSObject, @unchecked Sendable {
    /// The biometry of the host.
    public let biometry: LADomainStateBiometry
    /// The paired devices, which no host supports.
    public let companion = LADomainStateCompanion()

    init(_ host: LAHost?) { biometry = LADomainStateBiometry(host) }

    /// A value that changes when biometry or a paired device is enrolled or removed; nil if there is neither.
    public var stateHash: Data? { biometry.stateHash }
}

/// The biometry that the host supports, and whether what is enrolled has changed.
public final class LADomainStateBiometry: NSObject, @unchecked Sendable {
    /// The biometry that the host supports.
    public let biometryType: LABiometryType
    /// A value that changes when a finger or face is enrolled or removed; nil if the host does not know one.
    public let stateHash: Data?

    init(_ host: LAHost?) {
        biometryType = host?.biometryType ?? .none
        stateHash = host?.enrolledBiometryState.map { Data($0) }
    }
}

/// The paired devices that can authenticate a user; Linux has none.
public final class LADomainStateCompanion: NSObject, @unchecked Sendable {
    override init() {}

    /// A value that changes when a device is paired or removed; always nil.
    public var stateHash: Data? { nil }
}
