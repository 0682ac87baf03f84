import CofferBasics
import Foundation
import KeyedArchive
import TestSupport
import VaultFormat
import VaultStore

/// The canonical dump of `Fixtures/README.md`.
package struct VaultDump {
    private let contents: VaultContents

    package init(_ contents: VaultContents) {
        self.contents = contents
    }

    package func text() throws -> String {
        let items = contents.readableItems.sorted {
            let (one, other) = ($0.stored.revision.item, $1.stored.revision.item)
            // Swift compares normalized text.
            return one == other ? $0.groupName.utf8.lexicographicallyPrecedes($1.groupName.utf8) : one < other
        }
        return try items.map { try line($0) + "\n" }.joined()
    }

    private func line(_ item: VaultContents.Item) throws -> String {
        let stored = item.stored
        let values = item.attributes.map { Array($0.values) } ?? []
        let attributes = values.map { name, value in (name.string ?? "", value.notation) }
            .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
            .map { "\(quoted($0)):\(quoted($1))" }
        let secret = try data(of: item).map { quoted($0.hexadecimal) } ?? "null"
        return "{\"attributes\":{\(attributes.joined(separator: ","))}"
            + ",\"class\":\(quoted(stored.itemClass.name)),\"group\":\(quoted(item.groupName))"
            + ",\"id\":\(quoted(stored.revision.item.description)),\"order\":\(stored.order)"
            + ",\"protection\":\(quoted(name(of: stored.protection)))"
            + ",\"revision\":\(stored.revision.number),\"secret\":\(secret)"
            + ",\"written\":\(stored.written.time.microseconds)}"
    }

    /// Returns the data of an item, or nil if it has no readable data.
    private func data(of item: VaultContents.Item) throws -> [UInt8]? {
        guard let (form, bytes) = item.secret else { return nil }
        switch form {
        case .data: return bytes
        case .archive: return try ArchiveValue(archive: bytes)["v_Data"]?.data
        case .applicationPassword: return nil
        }
    }

    private func name(of protection: ProtectionClass) -> String {
        switch protection {
        case .whenUnlocked: "ak"
        case .afterFirstUnlock: "ck"
        case .always: "dk"
        case .whenUnlockedThisDeviceOnly: "aku"
        case .afterFirstUnlockThisDeviceOnly: "cku"
        case .alwaysThisDeviceOnly: "dku"
        case .whenPasscodeSetThisDeviceOnly: "akpu"
        }
    }

    private func quoted(_ text: String) -> String {
        let short: [Unicode.Scalar: String] = [
            "\"": "\\\"", "\\": "\\\\", "\u{8}": "\\b", "\t": "\\t", "\n": "\\n", "\u{c}": "\\f", "\r": "\\r",
        ]
        let escaped = text.unicodeScalars.map { scalar in
            short[scalar] ?? (scalar.value < 0x20 ? String(format: "\\u%04x", scalar.value) : String(scalar))
        }
        return "\"\(escaped.joined())\""
    }
}
