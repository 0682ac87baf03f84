package import CofferBasics

/// Writes Coffer's own export, from which items can be restored without loss: `Spec/export.md`.
///
/// The bytes are appended to a builder, from which the caller can take them after each item. The file is not encrypted,
/// and its values are unchanged: it must not be opened in a spreadsheet.
package struct ExportedItemWriter {
    private let json: JSONWriter

    /// Begins a file.
    package init(to output: SecretBuilder) {
        json = JSONWriter(to: output)
        json.begin("{")
        json.member("format", ExportFile.format)
        json.key("version")
        json.number(ExportFile.version)
        json.key("items")
        json.begin("[")
    }

    /// Appends an item.
    package func write(_ item: ExportedItem) {
        json.beginLine()
        json.object {
            members(item.current)
            if let deleted = item.deleted {
                json.key("deleted")
                write(deleted)
            }
            for (name, revisions) in [("conflicts", item.conflicts), ("history", item.history)] {
                guard !revisions.isEmpty else { continue }
                json.key(name)
                json.array {
                    for revision in revisions { json.object { members(revision) } }
                }
            }
        }
    }

    /// Appends the end of the file.
    package func end() {
        json.endLine()
        json.end("]")
        json.end("}")
        json.endLine()
    }

    private func members(_ revision: ExportedItem.Revision) {
        json.member("class", revision.itemClass)
        json.member("group", revision.group)
        json.member("protection", revision.protection)
        if let control = revision.accessControl {
            json.key("accessControl")
            json.object {
                json.key("flags")
                json.number(control.flags)
                guard let enrolled = control.enrolled else { return }
                json.key("enrolled")
                json.base64(enrolled.span)
            }
        }
        json.key("synchronizable")
        json.bool(revision.isSynchronizable)
        for (name, date) in [
            ("created", revision.created), ("modified", revision.modified), ("written", revision.written),
        ] {
            guard let date else { continue }
            json.key(name)
            write(date)
        }
        json.key("attributes")
        json.object {
            for (name, value) in revision.attributes {
                json.key(name)
                write(value)
            }
        }
        guard let secret = revision.secret else { return }
        let isText = secret.withSpan { $0.isText }
        json.key(isText ? "secret" : "secretBase64")
        if isText { json.string(secret) } else { secret.withSpan { json.base64($0) } }
    }

    private func write(_ value: ExportedItem.Value) {
        switch value {
        case .text(let text) where text.withSpan { $0.isText }: json.string(text)
        // A text that is not UTF-8 can only be written as bytes.
        case .text(let bytes), .bytes(let bytes):
            typed("base64") { bytes.withSpan { json.base64($0) } }
        case .integer(let number): json.number(number)
        case .real(let number): typed("real") { write(number) }
        case .bool(let isTrue): json.bool(isTrue)
        case .date(let date): typed("date") { write(date) }
        }
    }

    private func typed(_ type: String, _ write: () -> Void) {
        json.object {
            json.key(type)
            write()
        }
    }

    private func write(_ date: ExportedDate) {
        if let text = date.text { json.string(text) } else { write(date.secondsSinceReferenceDate) }
    }

    /// Writes a number; JSON has none that is not finite, so those are texts.
    private func write(_ number: Double) {
        guard !number.isFinite else { return json.number(number) }
        // Some that are no number have a description of their own.
        json.string(number.isNaN ? "nan" : number.description)
    }
}
