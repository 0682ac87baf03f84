import Foundation

/// Forgets the passwords of an earlier installation when the app is launched for the first time.
enum FirstLaunch {
    private static let key = "hasLaunchedBefore"

    static func forgetOldPasswords() -> Bool {
        if UserDefaults.standard.value(forKey: key) != nil { return false }
        SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
        UserDefaults.standard.set(true, forKey: key)
        return true
    }
}
