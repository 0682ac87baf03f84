internal import CofferBasics

/// Writes CSV of Bitwarden.
struct BitwardenWriter: FormWriter {
    private var csv: CSVWriter

    init(to output: SecretBuilder) {
        csv = CSVWriter(to: output, quotes: .whereNeeded, lineEnd: "\r\n")
        csv.header([
            "folder", "favorite", "type", "name", "notes", "fields", "reprompt", "login_uri", "login_username",
            "login_password", "login_totp",
        ])
    }

    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses) {
        let texts = RecordTexts(record, for: .bitwarden, &losses)
        let isNote =
            record.kind == .note && record.sites.isEmpty && record.account.isEmpty && texts.oneTimePassword == nil
        if record.kind == .note, !isNote { losses.add(.kinds) }
        losses.add(.separators, record.folders.count { $0.utf8.contains(UInt8(ascii: "/")) })
        let fields = Self.fieldLines(of: record, texts, &losses)
        csv.row { row in
            row.cell(record.folders.joined(separator: "/"))
            row.cell(record.isFavorite ? "1" : "")
            row.cell(isNote ? "note" : "login")
            row.cell(record.title)
            row.cell(texts.notes)
            row.cell(fields)
            row.cell("0")
            row.cell(Self.list(record.sites))
            row.cell(record.account)
            row.cell(texts.password)
            row.cell(texts.oneTimePassword)
        }
    }

    mutating func end(_ losses: inout ExportLosses) { csv.endLine() }

    /// The addresses as a row of CSV, as which Bitwarden reads the cell.
    private static func list(_ sites: [String]) -> String {
        let list = SecretBuilder()
        var csv = CSVWriter(to: list, quotes: .whereNeeded, lineEnd: "")
        csv.row { row in for site in sites { row.cell(site) } }
        return list.held.text
    }

    /// The fields as Bitwarden reads them: lines of a name, a colon, a blank and a value.
    ///
    /// Bitwarden takes the last colon and blank of a line for the separator, so a value cannot contain these, and
    /// neither part can contain a line end. Such fields are left out and counted.
    private static func fieldLines(
        of record: PasswordRecord,
        _ texts: RecordTexts,
        _ losses: inout ExportLosses
    ) -> HeldSecret {
        let lines = SecretBuilder()
        for field in record.fields {
            guard let value = texts.text(field.value, &losses) else { continue }
            let fits = value.withSpan { value in
                !field.name.utf8Span.span.hasLineEnd && !value.hasLineEnd && !value.hasColonAndBlank
            }
            guard fits else {
                losses.add(.fields)
                continue
            }
            if field.isHidden { losses.add(.hiddenFields) }
            if lines.byteCount > 0 { lines.append(UInt8(ascii: "\n")) }
            lines.append("\(field.name): ".utf8)
            value.withSpan { lines.append(copying: $0) }
        }
        return lines.held
    }
}

extension Span<UInt8> {
    fileprivate var hasLineEnd: Bool { contains(0x0A) || contains(0x0D) }

    fileprivate var hasColonAndBlank: Bool {
        indices.dropLast().contains { self[$0] == UInt8(ascii: ":") && self[$0 + 1] == UInt8(ascii: " ") }
    }
}
