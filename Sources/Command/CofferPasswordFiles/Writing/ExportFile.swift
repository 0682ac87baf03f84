package import CofferBasics

/// Coffer's own export as it is read: `Spec/export.md`.
///
/// Each item is read on its own, so that an item with an error does not keep others from being imported.
package struct ExportFile {
    static let format = "coffer-export"
    static let version = 1

    private let items: [JSONNode]

    /// Whether a JSON document is such an export, of whatever version.
    package static func matches(_ tree: JSONTree) -> Bool {
        tree.root["format"].map { $0.kind == .string && $0.text == format } ?? false
    }

    /// Reads the outermost members of an export.
    ///
    /// - Parameter tree: The whole document.
    /// - Throws: `PasswordFileError` with the position of the error.
    package init(_ tree: JSONTree) throws {
        guard Self.matches(tree) else { throw PasswordFileError.unknownForm }
        if let offset = tree.duplicateKeyOffset {
            throw PasswordFileError.invalid("byte \(offset): a key occurs twice in one object")
        }
        let root = try ExportMembers(tree.root, ["format", "version", "items"])
        let version = try root.required("version")
        guard version.kind == .number, version.text == String(Self.version) else {
            throw PasswordFileError.unsupported(
                "byte \(version.offset): the export has a version that this program does not know; use a newer one"
            )
        }
        let items = try root.required("items")
        guard items.kind == .array else { throw items.expected("an array of items") }
        self.items = items.elements
        guard self.items.count <= PasswordFile.recordCountLimit else {
            throw PasswordFileError.tooLarge("the export has more than \(PasswordFile.recordCountLimit) items")
        }
    }

    /// The number of items.
    package var itemCount: Int { items.count }

    /// Reads an item.
    ///
    /// - Parameter index: The number of the item, from 0.
    /// - Returns: The item with its other revisions.
    /// - Throws: `PasswordFileError` with the position of the error, and no part of the item.
    package func item(at index: Int) throws(PasswordFileError) -> ExportedItem {
        try PasswordFileError.converting {
            try ExportMembers(items[index], ExportMembers.ofItem).item()
        }
    }
}
