internal import Foundation
package import VaultFiles

extension KernelKeyring {
    /// Whether this machine allows using its keyring at all; containers often do not.
    package static var isUsable: Bool {
        let description = "coffer:test:\(UUID())"
        do {
            try KernelKeyring().store([1].span, as: description, seconds: 3600)
            return try KernelKeyring().remove(description)
        } catch {
            return false
        }
    }
}
