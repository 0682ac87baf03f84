public import Foundation

// The completion handlers need not be `Sendable`, so they must not leave the caller: they are called before the
// functions return, whereas Apple's systems call them later.

/// Not supported by this version of Coffer: calls `completionHandler` with `errSecUnimplemented` before it returns.
public func SecAddSharedWebCredential(
    _ fqdn: CFString,
    _ account: CFString,
    _ password: CFString?,
    _ completionHandler: @escaping (CFError?) -> Void
) {
    completionHandler(.unimplemented("Sharing passwords with browsers"))
}

/// Not supported by this version of Coffer: calls `completionHandler` with `errSecUnimplemented` before it returns.
public func SecRequestSharedWebCredential(
    _ fqdn: CFString?,
    _ account: CFString?,
    _ completionHandler: @escaping (CFArray?, CFError?) -> Void
) {
    completionHandler(nil, .unimplemented("Asking browsers for passwords"))
}

/// Returns a random password of the form `xxx-xxx-xxx-xxx`, with lowercase and uppercase letters and digits.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
    // Without characters that are easily confused, so that people can copy the password from a screen.
    let kinds = ["abcdefghkmnopqrstuvwxy", "ABCDEFGHJKLMNPQRSTUVWXYZ", "3456789"].map { Array($0) }
    let alphabet = kinds.flatMap { $0 }
    var generator = SystemRandomNumberGenerator()
    while true {
        let characters = (0..<12).compactMap { _ in alphabet.randomElement(using: &generator) }
        // Drawn again as a whole: replacing single characters would make some passwords more likely than others.
        guard kinds.allSatisfy({ $0.contains(where: characters.contains) }) else { continue }
        let groups = stride(from: 0, to: 12, by: 3).map { String(characters[$0..<$0 + 3]) }
        return groups.joined(separator: "-") as NSString
    }
}
