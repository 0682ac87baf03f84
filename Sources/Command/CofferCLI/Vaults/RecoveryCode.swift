internal import Coffer

/// The recovery code of `Coffer`, not that of the vault format.
typealias RecoveryCode = Coffer.RecoveryCode
