import Foundation
import KeyedArchive
package import VaultCrypto
package import VaultFormat

/// The canonical dump of `Fixtures/README.md`.
package struct VaultDump {
    private let contents: VaultContents
    private let keyring: Keyring<SodiumSuite>
    private let vault: VaultID
    private let suite: SodiumSuite

    package init(_ contents: VaultContents, of opening: VaultOpening<SodiumSuite>, suite: SodiumSuite) {
        self.contents = contents
        keyring = opening.keyring
        vault = opening.header.vault
        self.suite = suite
    }

    package func text() throws -> String {
        let items = contents.readableItems.map { ($0, groupName($0)) }.sorted {
            ($0.0.revision.item, $0.1) < ($1.0.revision.item, $1.1)
        }
        return try items.map { try line($0, group: $1) + "\n" }.joined()
    }

    private func groupName(_ item: VaultContents.Item) -> String {
        String(decoding: keyring.groupNames[item.group] ?? [], as: UTF8.self)
    }

    private func line(_ item: VaultContents.Item, group: String) throws -> String {
        let values = item.attributes.map { Array($0.values) } ?? []
        let attributes = values.map { name, value in (name.string ?? "", value.notation) }
            .sorted { Array($0.0.utf8).lexicographicallyPrecedes(Array($1.0.utf8)) }
            .map { "\(quoted($0)):\(quoted($1))" }
        let secret = try data(of: item).map { quoted(hexadecimal($0)) } ?? "null"
        return "{\"attributes\":{\(attributes.joined(separator: ","))}"
            + ",\"class\":\(quoted(item.match.itemClass.name)),\"group\":\(quoted(group))"
            + ",\"id\":\(quoted(item.revision.item.description)),\"order\":\(item.match.order)"
            + ",\"protection\":\(quoted(name(of: item.protection)))"
            + ",\"revision\":\(item.revision.number),\"secret\":\(secret)}"
    }

    /// The data of an item, or nil if it has none that can be read.
    private func data(of item: VaultContents.Item) throws -> [UInt8]? {
        guard !item.secretBox.isEmpty, let key = keyring.dataKeys[item.dataKey] else { return nil }
        var box = item.secretBox
        var span = box.mutableSpan
        let keys = try DataKeys(key, suite: suite)
        let (form, range) = try SecretBox.open(&span, of: item.revision, keys: keys, vault: vault, suite: suite)
        switch form {
        case .data: return Array(box[range])
        case .archive: return try ArchiveValue(archive: Array(box[range]))["v_Data"]?.data
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

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }

    private func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
