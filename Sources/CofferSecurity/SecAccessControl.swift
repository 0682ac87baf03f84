internal import Coffer
public import Foundation

/// When an item can be read, and what must be shown before.
public final class SecAccessControl: NSObject, @unchecked Sendable {
    let control: AccessControl

    init(_ control: AccessControl) {
        self.control = control
    }
}
