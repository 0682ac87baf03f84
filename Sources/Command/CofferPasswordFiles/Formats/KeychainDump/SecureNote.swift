internal import CofferBasics

/// Secure notes of Keychain Access: property lists with the text and, if it has formats, an RTFD archive.
enum SecureNote {
    /// Replaces the secret of `record` by the text of the note; data of another form stay as they are.
    static func read(_ data: HeldSecret, to record: inout PasswordRecord) {
        guard let dictionary = dictionary(in: data) else {
            if data.bytes.withSpan({ $0.has("<?xml".utf8) || $0.has("bplist".utf8) }) {
                record.losses.append("the note is not a property list that can be read; its bytes are kept")
            }
            return
        }
        record.secret = nil
        var key = ""
        for element in dictionary.children {
            guard !element.hasName("key") else {
                key = element.text
                continue
            }
            if key == "NOTE", element.hasName("string") {
                record.setSecret(element.secret, orField: key)
            } else if key == "RTFD", element.hasName("data"), let content = element.secret.base64Decoded {
                record.attachments.append(PasswordRecord.Attachment("note.rtfd", content))
            } else {
                record.add(key, element.secret, isHidden: true)
            }
        }
    }

    /// The outermost dictionary of a property list in XML; nil if it is not one.
    ///
    /// The text before `<plist` is skipped, which declares the document type, unless it has declarations of its own.
    private static func dictionary(in data: HeldSecret) -> XMLNode? {
        let list = data.bytes.withSpan { bytes -> FileBytes? in
            guard let start = bytes.indices.first(where: { bytes.has("<plist".utf8, at: $0) }),
                !bytes.extracting(0..<start).contains(UInt8(ascii: "["))
            else { return nil }
            return FileBytes(copying: bytes.extracting(start..<bytes.count))
        }
        guard let list, let tree = try? XMLTree(list), tree.root.hasName("plist") else { return nil }
        return tree.root["dict"]
    }
}
