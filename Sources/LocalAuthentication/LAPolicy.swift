@_exported public import Foundation

/// How somebody is asked to authenticate.
public enum LAPolicy: Int, Sendable {
    /// With a finger or a face.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// With a finger, a face, or the passphrase.
    case deviceOwnerAuthentication = 2
}

/// What the machine can know people by.
public enum LABiometryType: Int, Sendable {
    /// Nothing.
    case none
    /// Their fingers.
    case touchID
    /// Their faces.
    case faceID
}

/// For how many seconds a touch can be used again at most, on systems that know touches.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
