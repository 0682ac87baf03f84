@_exported public import enum Coffer.BiometryType
@_exported public import Foundation

/// The ways in which a user may authenticate.
public enum LAPolicy: Int, Sendable {
    /// By fingerprint or face.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// By fingerprint, face or passphrase.
    case deviceOwnerAuthentication = 2
}

/// The kind of biometry that a machine supports.
public typealias LABiometryType = BiometryType

/// The maximum number of seconds for which a Touch ID authentication can be reused on Apple systems.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
