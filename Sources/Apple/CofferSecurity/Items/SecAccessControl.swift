internal import Coffer
public import CofferLocalAuthentication
public import Foundation

/// The access control of an item: when it can be read, and what the user must present first.
///
/// Access controls with the same content are equal.
public final class SecAccessControl: NSObject, @unchecked Sendable {
    let control: AccessControl

    init(_ control: AccessControl) {
        self.control = control
    }

    /// Whether `object` is an access control with the same content.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecAccessControl)?.control == control
    }

    /// A hash of the content.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(control.accessibility)
        hasher.combine(control.conditions?.rawValue)
        return hasher.finalize()
    }
}

extension SecAccessControl: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secAccessControl.rawValue }
}

/// Returns the type identifier of `SecAccessControl`.
public func SecAccessControlGetTypeID() -> CFTypeID { CFTypeNumber.secAccessControl.rawValue }

/// Creates an access control from a protection class, one of `kSecAttrAccessible…`, and conditions.
///
/// ```swift
/// var error: Unmanaged<CFError>?
/// let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error)
/// ```
///
/// Returns nil, with the error `errSecParam`, if the protection class is invalid, if flags contradict each other, or if
/// a flag is unknown: a condition that nothing can check would not protect anything.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let name = protection as? String, let accessibility = Accessibility(rawValue: name) else {
        error.report(over: .status(errSecParam, "Invalid protection class: expected one of kSecAttrAccessible…"))
        return nil
    }
    guard let conditions = flags.conditions else {
        error.report(over: .status(errSecParam, "Unknown flag in the access control"))
        return nil
    }
    guard let control = AccessControl(accessibility, conditions) else {
        error.report(over: .status(errSecParam, "The flags of the access control contradict each other"))
        return nil
    }
    return SecAccessControl(control)
}

/// What the user must present before an item can be read.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: CFOptionFlags

    /// Creates flags with these bits.
    public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

    /// The user is present.
    public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
    /// Any enrolled finger or face.
    public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
    /// Any enrolled finger: the older name of `biometryAny`.
    public static let touchIDAny = biometryAny
    /// A finger or face that is enrolled now, not one enrolled later.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
    /// A finger that is enrolled now: the older name of `biometryCurrentSet`.
    public static let touchIDCurrentSet = biometryCurrentSet
    /// The passphrase.
    public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
    /// A watch nearby: the older name of `companion`.
    public static let watch = companion
    /// A paired device nearby, such as a watch.
    public static let companion = SecAccessControlCreateFlags(rawValue: 1 << 5)
    /// One of the conditions suffices.
    public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
    /// All conditions must hold.
    public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
    /// The item is a private key that is used without leaving the keychain.
    public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
    /// A password that the application provides.
    public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

extension SecAccessControlCreateFlags {
    private static let known: SecAccessControlCreateFlags = [
        .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .companion, .or, .and, .privateKeyUsage,
        .applicationPassword,
    ]

    /// The same conditions for the keychain; nil if a flag is unknown.
    var conditions: AccessControl.Conditions? {
        guard isSubset(of: Self.known), let bits = UInt32(exactly: rawValue) else { return nil }
        return AccessControl.Conditions(rawValue: bits)
    }
}

extension LAContext {
    /// Asks the user for what an access control demands, unless this context has it already.
    ///
    /// Calls of the keychain that get this context as `kSecUseAuthenticationContext` then need not ask. Adding an item
    /// and creating a key demand nothing except a new application password, which becomes that of the context.
    ///
    /// - Parameters:
    ///   - accessControl: The access control of an item or key.
    ///   - operation: What will be done with it.
    ///   - localizedReason: The reason, for the user.
    ///   - reply: A closure that is called once, always on another thread.
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let (authentication, control) = (authentication, accessControl.control)
        let isNew = operation == .createItem || operation == .createKey
        Task {
            let failure = await authentication.evaluate(
                control,
                isNew: isNew,
                reason: localizedReason,
                for: .default
            )
            reply(failure == nil, failure.map { LAError($0) })
        }
    }

    /// Asks the user for what an access control demands; returns true on success, and throws an `LAError` otherwise.
    ///
    /// Canceling the task ends the wait with `LAError.appCancel`; `invalidate` withdraws the prompt.
    @discardableResult
    public func evaluateAccessControl(
        _ accessControl: SecAccessControl,
        operation: LAAccessControlOperation,
        localizedReason: String
    ) async throws -> Bool {
        try await Self.outcome {
            evaluateAccessControl(
                accessControl,
                operation: operation,
                localizedReason: localizedReason,
                reply: $0
            )
        }
    }
}
