internal import Coffer

/// The code that people have, not the one of the format.
typealias RecoveryCode = Coffer.RecoveryCode
