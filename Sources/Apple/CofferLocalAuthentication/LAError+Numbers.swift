// The codes of `LAError` as numbers, for code that reads them from an `NSError`.

/// The domain of this module's errors: another name of `LAErrorDomain`.
public let kLAErrorDomain = LAErrorDomain
/// The user presented the wrong credentials.
public let kLAErrorAuthenticationFailed: Int32 = -1
/// The user canceled.
public let kLAErrorUserCancel: Int32 = -2
/// The user chose the alternative.
public let kLAErrorUserFallback: Int32 = -3
/// The system canceled.
public let kLAErrorSystemCancel: Int32 = -4
/// There is no passphrase.
public let kLAErrorPasscodeNotSet: Int32 = -5
/// The machine does not support biometry.
public let kLAErrorBiometryNotAvailable: Int32 = -6
/// No fingerprint or face is enrolled.
public let kLAErrorBiometryNotEnrolled: Int32 = -7
/// Biometry is locked after too many failures.
public let kLAErrorBiometryLockout: Int32 = -8
/// The program canceled.
public let kLAErrorAppCancel: Int32 = -9
/// The context has been invalidated.
public let kLAErrorInvalidContext: Int32 = -10
/// No watch is nearby.
public let kLAErrorWatchNotAvailable: Int32 = -11
/// The sensor is not paired.
public let kLAErrorBiometryNotPaired: Int32 = -12
/// The sensor is not connected.
public let kLAErrorBiometryDisconnected: Int32 = -13
/// The dimensions are invalid.
public let kLAErrorInvalidDimensions: Int32 = -14
/// A prompt is needed, but prompts are forbidden.
public let kLAErrorNotInteractive: Int32 = -1004
/// Another name of `kLAErrorBiometryNotAvailable`.
public let kLAErrorTouchIDNotAvailable = kLAErrorBiometryNotAvailable
/// Another name of `kLAErrorBiometryNotEnrolled`.
public let kLAErrorTouchIDNotEnrolled = kLAErrorBiometryNotEnrolled
/// Another name of `kLAErrorBiometryLockout`.
public let kLAErrorTouchIDLockout = kLAErrorBiometryLockout
/// Another name of `kLAErrorWatchNotAvailable`.
public let kLAErrorCompanionNotAvailable = kLAErrorWatchNotAvailable

/// The number of the policy `deviceOwnerAuthenticationWithBiometrics`.
public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
/// The number of the policy `deviceOwnerAuthentication`.
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
