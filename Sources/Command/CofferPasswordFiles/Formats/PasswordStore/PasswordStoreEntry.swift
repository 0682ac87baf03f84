package import CofferBasics

/// Entries of password stores, which keep each in an encrypted file of its own.
package enum PasswordStoreEntry {
    /// The program that the store is of.
    package enum Program: Sendable {
        case pass
        case gopass
    }

    /// The record of an entry.
    ///
    /// The first line is the password. Of the other lines, those with a well-known key are taken for what they say; gopass
    /// has other forms besides. All other lines are notes. An entry that is not text is a secret as a whole.
    ///
    /// - Parameters:
    ///   - entry: The decrypted file.
    ///   - path: The path of the file in the store, without the end that the encryption adds.
    ///   - program: The program that the store is of.
    /// - Returns: The record, with the last part of the path as its title and the others as folders.
    package static func record(of entry: HeldSecret, path: String, program: Program) -> PasswordRecord {
        var record = PasswordRecord(.login, at: path.printable)
        let parts = path.split(separator: "/").map(String.init)
        record.title = parts.last ?? ""
        record.folders = parts.dropLast()
        return entry.withSpan { bytes in
            guard bytes.isText, !bytes.contains(0) else {
                record.kind = .other
                record.secret = entry
                record.losses.append("not a text; all of it is the secret")
                return record
            }
            var reader = PasswordStoreReader(record, program)
            return reader.read(bytes)
        }
    }
}

/// Reads the lines of an entry.
struct PasswordStoreReader {
    var record: PasswordRecord
    private let program: PasswordStoreEntry.Program
    var lines = LineReader()
    private let notes = SecretBuilder()
    private var mail: HeldSecret?
    /// One-time passwords with their keys; added last, since the account becomes their label.
    private var generators: [(key: String, value: HeldSecret)] = []

    init(_ record: PasswordRecord, _ program: PasswordStoreEntry.Program) {
        (self.record, self.program) = (record, program)
    }

    mutating func read(_ bytes: Span<UInt8>) -> PasswordRecord {
        if let line = lines.next(bytes) {
            let first = bytes.extracting(line)
            if lines.offset - line.upperBound == 2 {
                record.losses.append("the carriage return after the password")
            }
            if program == .gopass, first.hasSameBytes(as: "GOPASS-SECRET-1.0".utf8.span) {
                readHeaders(bytes)
            } else {
                readPassword(first)
                if program == .gopass { readGopassBody(bytes) } else { readBody(bytes) }
            }
        }
        return finished()
    }

    private mutating func readPassword(_ line: Span<UInt8>) {
        if line.has("otpauth://".utf8), (try? OneTimePasswordURI(line)) != nil {
            generators.append(("otpauth", HeldSecret(copying: line)))
        } else if !line.isEmpty {
            record.secret = HeldSecret(copying: line)
            if program == .gopass, line.has("gopass://".utf8) {
                record.losses.append(
                    "the password refers to the entry \(line.extracting(droppingFirst: 9).text.printable)"
                )
            }
        }
    }

    private mutating func readBody(_ bytes: Span<UInt8>) {
        while let line = lines.next(bytes) {
            let line = bytes.extracting(line)
            guard let colon = line.colon else {
                addLine(line)
                continue
            }
            let value = line.extracting(line.valueStart(after: colon)..<line.count)
            if !takeKnown(line.extracting(0..<colon), value) { addLine(line) }
        }
    }

    private mutating func finished() -> PasswordRecord {
        if let mail { record.setAccount(mail, orField: "email") }
        for (key, value) in generators { record.addOneTimePassword(value, field: key) }
        let text = notes.held
        let visible = text.withSpan { $0.trimmed(0..<$0.count) }
        if !visible.isEmpty { record.notes = text.withSpan { HeldSecret(copying: $0.extracting(visible)) } }
        return record
    }

    // MARK: - Lines

    /// Adds a line to the notes, or a one-time password if it is one.
    mutating func addLine(_ line: Span<UInt8>) {
        if line.has("otpauth://".utf8) {
            generators.append(("otpauth", HeldSecret(copying: line)))
        } else {
            notes.append(copying: line)
            notes.append(UInt8(ascii: "\n"))
        }
    }

    /// Takes the value of a well-known key; false for other keys.
    mutating func takeKnown(_ key: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        // Longer than any well-known key.
        guard key.count < 16, !value.isEmpty else { return false }
        let name = key.text.trimmed
        let secret = HeldSecret(copying: value)
        switch name.lowercased() {
        case "user", "username", "login": record.setAccount(secret, orField: name)
        case "email": if mail == nil { mail = secret } else { record.add(name, secret) }
        case "url", "website": record.addSite(secret.text.trimmed)
        case "notes", "comments": addLine(value)
        case "pin": record.add(name, secret, isHidden: true)
        // A value after `otpauth` is the rest of the address.
        case "otpauth": generators.append((name, value.has("//".utf8) ? HeldSecret(text: "otpauth:", value) : secret))
        case "otp", "totp": generators.append((name, secret))
        case "hotp" where value.has("otpauth://".utf8): generators.append((name, secret))
        default: return false
        }
        return true
    }
}

extension HeldSecret {
    /// Text that is not secret, and then `rest`.
    fileprivate convenience init(text: String, _ rest: Span<UInt8>) {
        self.init(capacity: text.utf8.count + rest.count) { output in
            for byte in text.utf8 { output.append(byte) }
            output.append(copying: rest)
        }
    }
}

extension Span<UInt8> {
    /// The first colon of a line; nil if there is none, or if it is that of an address.
    var colon: Int? {
        guard let colon = indices.first(where: { self[$0] == UInt8(ascii: ":") }), !has("://".utf8, at: colon) else {
            return nil
        }
        return colon
    }

    /// Where the value after a colon begins: after one blank, if there is one.
    func valueStart(after colon: Int) -> Int {
        colon + 1 < count && self[colon + 1] == UInt8(ascii: " ") ? colon + 2 : colon + 1
    }
}
