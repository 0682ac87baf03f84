import SharedKeychain

// Uses the keychain only through a dynamic library.
print("status \(sharedStatus())")
