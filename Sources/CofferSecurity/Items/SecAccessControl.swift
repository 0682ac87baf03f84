internal import Coffer
public import Foundation

/// When an item can be read, and what must be shown before.
///
/// Two of the same content are equal.
public final class SecAccessControl: NSObject, @unchecked Sendable {
    let control: AccessControl

    init(_ control: AccessControl) {
        self.control = control
    }

    /// Whether `object` is an access control of the same content.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecAccessControl)?.control == control
    }

    /// The same number for the same content.
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

/// The number of the type `SecAccessControl`.
public func SecAccessControlGetTypeID() -> CFTypeID { CFTypeNumber.secAccessControl.rawValue }

/// Makes an access control of a protection, which is one of `kSecAttrAccessible…`, and of conditions.
///
/// ```swift
/// var error: Unmanaged<CFError>?
/// let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, &error)
/// ```
///
/// The answer is nil, and the error `errSecParam`, if there is no such protection, if the flags contradict one another,
/// or if one of them has no meaning here: a condition that nobody understands would not protect anything.
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let name = protection as? String, let accessibility = Accessibility(rawValue: name) else {
        error.hand(over: .status(errSecParam, "The protection is none of kSecAttrAccessible…"))
        return nil
    }
    guard let conditions = flags.conditions else {
        error.hand(over: .status(errSecParam, "A flag of the access control has no meaning"))
        return nil
    }
    guard let control = AccessControl(accessibility, conditions) else {
        error.hand(over: .status(errSecParam, "The flags of the access control contradict one another"))
        return nil
    }
    return SecAccessControl(control)
}
