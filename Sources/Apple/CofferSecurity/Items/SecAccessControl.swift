internal import Coffer
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
