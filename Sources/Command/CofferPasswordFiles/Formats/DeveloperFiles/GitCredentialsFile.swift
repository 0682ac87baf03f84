internal import CofferBasics

extension Form where Content == NamedFile {
    static var gitCredentials: Form {
        Form {
            [".git-credentials", "git-credentials"].contains($0.name)
                || $0.name == "credentials" && $0.bytes.has("http".utf8, at: $0.bytes.textStart)
        } read: { file, _ in
            try file.bytes.checkUTF8()
            let lines = LineReader(offset: file.bytes.textStart)
            return try file.bytes.withSpan { bytes in
                try GitCredentialsFile.read(bytes, lines)
            }
        }
    }
}

/// The file of git's credential helper `store`: one URL in each line, with user name and password.
enum GitCredentialsFile {
    static func read(_ bytes: Span<UInt8>, _ lines: LineReader) throws -> PasswordFile {
        var file = PasswordFile(form: "git credentials", byteCount: bytes.count)
        var lines = lines
        while let line = lines.next(bytes) {
            guard !line.isEmpty else { continue }
            if let record = record(bytes.extracting(line), at: "line \(lines.number)") {
                try file.append(record)
            } else {
                try file.refuse("line \(lines.number): expected an address with user name and password")
            }
        }
        return file
    }

    /// The record of `scheme://user:password@host/path`; nil for other lines, which git ignores.
    private static func record(_ line: Span<UInt8>, at place: String) -> PasswordRecord? {
        guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }), colon > 0,
            line.has("://".utf8, at: colon)
        else { return nil }
        let start = colon + 3
        let pathStart = (start..<line.count).first { line[$0] == UInt8(ascii: "/") } ?? line.count
        guard let at = (start..<pathStart).last(where: { line[$0] == UInt8(ascii: "@") }),
            let separator = (start..<at).first(where: { line[$0] == UInt8(ascii: ":") })
        else { return nil }
        var record = PasswordRecord(at: place)
        record.account = PercentEncoding.decoded(line.extracting(start..<separator)).text
        record.secret = PercentEncoding.decoded(line.extracting(separator + 1..<at))
        // git encodes the colon before the port too.
        let host = PercentEncoding.decoded(line.extracting(at + 1..<pathStart)).text
        let path = PercentEncoding.decoded(line.extracting(pathStart..<line.count)).text
        record.title = host
        record.addSite(line.extracting(0..<start).text + host + path)
        return record
    }
}
