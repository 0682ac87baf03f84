internal import CofferBasics

/// The strings of an entry of KeePass, which are taken one by one.
struct KeePassStrings {
    private var strings: [(key: String, value: HeldSecret, isHidden: Bool)] = []

    /// Reads the strings of an entry; those without a value are left out.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - losses: Is appended what is encrypted.
    init(of entry: XMLNode, losses: inout [String]) {
        for string in entry.children where string.hasName("String") {
            guard let value = string["Value"] else { continue }
            let secret = value.secret
            guard !secret.isEmpty else { continue }
            let key = string["Key"]?.text ?? ""
            if value.isTrue("Protected") {
                // The key stream of the database is not in the file.
                losses.append(
                    "field \"\(key.printable)\" is encrypted by the database; export the database as XML again"
                )
            } else {
                strings.append((key, secret, value.isTrue("ProtectInMemory")))
            }
        }
    }

    /// Replaces references to other entries by what they refer to.
    mutating func resolve(_ references: inout KeePassReferences, losses: inout [String]) {
        for index in strings.indices {
            guard let resolved = references.resolved(strings[index].value) else { continue }
            strings[index].value = resolved.value
            if !resolved.isComplete {
                losses.append("field \"\(strings[index].key.printable)\" has a reference that cannot be resolved")
            }
        }
    }

    /// The value of the first string of this key.
    subscript(key: String) -> HeldSecret? { strings.first { $0.key == key }?.value }

    /// Removes the first string of this key, and returns its value.
    mutating func take(_ key: String) -> HeldSecret? {
        guard let index = strings.firstIndex(where: { $0.key == key }) else { return nil }
        return strings.remove(at: index).value
    }

    /// Removes all strings whose key begins with `prefix`, and returns their values.
    mutating func takeAll(withPrefix prefix: String) -> [HeldSecret] {
        let values = strings.filter { $0.key.hasPrefix(prefix) }.map(\.value)
        strings.removeAll { $0.key.hasPrefix(prefix) }
        return values
    }

    /// What was not taken.
    var fields: [PasswordRecord.Field] {
        strings.map { PasswordRecord.Field($0.key, $0.value, isHidden: $0.isHidden) }
    }
}
