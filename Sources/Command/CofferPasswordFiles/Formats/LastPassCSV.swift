internal import CofferBasics

extension Form where Content == CSVTable {
    /// LastPass: the web site with or without `totp`, and both versions of its command.
    static var lastPass: Form {
        Form(
            matches: { $0.hasColumns("url", "username", "password", "name", "grouping") },
            read: { table, options throws(PasswordFileError) in
                var file = try table.file("LastPass CSV") { reader in
                    reader.decodesHTMLEntities = options.decodesHTMLEntities
                    readLastPass(&reader)
                }
                file.losses += entityLosses(in: table, areDecoded: options.decodesHTMLEntities)
                file.losses.append(
                    "LastPass never exports attachments, former passwords, passkeys, form fields and who shares a folder"
                )
                return file
            }
        )
    }

    /// The form fills of LastPass: names, addresses and cards.
    static var lastPassProfiles: Form {
        Form("LastPass form fills CSV") {
            $0.hasColumns("profilename", "profilelanguage")
        } row: { reader in
            reader.record.kind = .identity
            reader.record.title = reader.text("profilename")
            reader.fields("profilelanguage")
        }
    }

    private static func readLastPass(_ reader: inout RowReader) {
        let url = reader.text("url").trimmed
        reader.record.title = reader.text("name")
        let group = reader.text("grouping")
        guard url != "http://group" else {
            reader.leftOut = "a folder, which is no record"
            return
        }
        reader.record.folders = group == "(none)" ? [] : group.withoutControls.parts("\\")
        reader.record.isFavorite = reader.flag("fav")
        let extra = reader.secret("extra")
        if url == "http://sn" {
            reader.record.kind = .note
            reader.record.addLastPassNote(extra)
            return
        }
        reader.record.account = reader.text("username")
        reader.record.secret = reader.secret("password")
        reader.record.notes = extra
        if url != "http://", !url.isEmpty { reader.record.sites = [url] }
        reader.oneTimePassword("totp")
        // Old versions of the command write the folder and the name again.
        let full = [group, reader.record.title].filter { !$0.isEmpty }.joined(separator: "\\")
        if reader.row["hostname"]?.text == full { _ = reader.text("hostname") }
        reader.fields("hostname")
    }

    private static func entityLosses(in table: CSVTable, areDecoded: Bool) -> [String] {
        let count = table.bytes.withSpan { bytes in
            table.cells.count { HTMLEntities.areIn(bytes.extracting($0.range)) }
        }
        guard count > 0 else { return [] }
        return [
            "\(count) cells have HTML entities such as &amp;, which LastPass once wrote in place of characters; they were "
                + (areDecoded ? "decoded" : "left as they are")
        ]
    }
}

extension String {
    fileprivate var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
