internal import Foundation
package import VaultFiles

extension KernelKeyring {
    /// Whether this machine lets its keyring be used at all: containers often forbid it.
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
