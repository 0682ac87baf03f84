// swift-format-ignore-file: NeverForceUnwrap
import Foundation
import LocalAuthentication
import Security

/// A secret that is handed out after Face ID or Touch ID.
struct BiometricSecret {
    let account: String

    func save(_ secret: Data, accessible: CFString = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly) -> OSStatus {
        var error: Unmanaged<CFError>?
        guard let access = SecAccessControlCreateWithFlags(nil, accessible, .userPresence, &error) else {
            print("Error: \(error!.takeRetainedValue())")
            return errSecParam
        }
        let context = LAContext()
        context.touchIDAuthenticationAllowableReuseDuration = 10
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account,
            kSecAttrAccessControl as String: access as Any,
            kSecUseAuthenticationContext as String: context,
            kSecValueData as String: secret,
        ]
        return SecItemAdd(query as CFDictionary, nil)
    }

    func read(_ reason: String) -> Result<Data, NSError> {
        let context = LAContext()
        context.localizedReason = reason
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrAccount as String: account,
            kSecMatchLimit as String: kSecMatchLimitOne,
            kSecUseAuthenticationContext as String: context,
            kSecReturnData as String: true,
        ]
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status == errSecSuccess, let data = item as? Data else {
            return .failure(NSError(domain: NSOSStatusErrorDomain, code: Int(status)))
        }
        return .success(data)
    }
}
