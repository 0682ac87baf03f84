package import Coffer
public import Foundation

/// The running program, with what it declares in its entitlements file.
public final class SecTask: NSObject, @unchecked Sendable {
    private let entitlements: Result<Entitlements?, EntitlementsError>

    /// Creates the task of a program.
    package init(_ entitlements: Result<Entitlements?, EntitlementsError>) { self.entitlements = entitlements }

    /// The entitlements, or nil.
    fileprivate func declared(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> Entitlements? {
        do throws(EntitlementsError) {
            return try entitlements.get()
        } catch let failure {
            error.report(over: .status(errSecMissingEntitlement, "The entitlements are invalid: \(failure)"))
            return nil
        }
    }

    /// The declared values by key; nil, with an error, if the file is invalid.
    fileprivate func values(_ error: UnsafeMutablePointer<Unmanaged<CFError>?>?) -> [String: Any]? {
        if case .success(nil) = entitlements { return [:] }
        return declared(error).flatMap {
            let list = try? PropertyListSerialization.propertyList(from: Data($0.binaryEncoded()), format: nil)
            return list as? [String: Any]
        }
    }
}

extension SecTask: HasCFTypeID {
    var cfTypeID: CFTypeID { CFTypeNumber.secTask.rawValue }
}

/// Returns the type identifier of `SecTask`.
public func SecTaskGetTypeID() -> CFTypeID { CFTypeNumber.secTask.rawValue }

/// Returns the running program, with the entitlements file that it has now.
public func SecTaskCreateFromSelf(_ allocator: CFAllocator?) -> SecTask? {
    SecTask(Result { () throws(EntitlementsError) in try Entitlements.ofThisProgram() })
}

/// Returns the value for a key of the entitlements; nil if it is not declared, and with an error if the file is invalid.
///
/// In the names of the program and its groups, variables are replaced.
public func SecTaskCopyValueForEntitlement(
    _ task: SecTask,
    _ entitlement: CFString,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFTypeRef? {
    task.values(error)?[entitlement as String].map { $0 as CFTypeRef }
}

/// Returns the values for those of the keys that are declared; nil, with an error, if the file is invalid.
public func SecTaskCopyValuesForEntitlements(
    _ task: SecTask,
    _ entitlements: CFArray,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFDictionary? {
    let keys = entitlements.compactMap { $0 as? String }
    return task.values(error)?.filter { keys.contains($0.key) } as CFDictionary?
}

/// Returns the name of the program without the prefix of its team; nil if it declares none.
public func SecTaskCopySigningIdentifier(
    _ task: SecTask,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFString? {
    task.declared(error).map {
        String(decoding: $0.applicationIdentifier.utf8.dropFirst($0.prefix.utf8.count), as: UTF8.self) as CFString
    }
}
