internal import CofferBasics

extension Form where Content == NamedFile {
    static var keychainDump: Form {
        Form {
            $0.bytes.has("keychain: ".utf8, at: $0.bytes.textStart)
        } read: { file, _ throws(PasswordFileError) in
            var reader = KeychainDump(file.bytes)
            return try file.bytes.withSpan { bytes throws(PasswordFileError) in try reader.read(bytes) }
        }
    }
}

/// What `security dump-keychain -d` writes on macOS.
struct KeychainDump {
    private var file: PasswordFile
    private var losses = LossCounter()
    private var lines: LineReader
    private var item: KeychainDumpItem?
    private var hasData = false

    init(_ bytes: FileBytes) {
        file = PasswordFile(form: "macOS keychain dump", byteCount: bytes.byteCount)
        lines = LineReader(offset: bytes.textStart)
    }

    mutating func read(_ bytes: Span<UInt8>) throws(PasswordFileError) -> PasswordFile {
        while let line = lines.next(bytes) {
            try readLine(bytes.extracting(line), bytes)
        }
        try finishItem()
        guard hasData || file.records.isEmpty && file.refused.isEmpty else {
            throw .unsupported("a list of a keychain without passwords; write it with `security dump-keychain -d`")
        }
        file.losses += losses.losses
        file.losses.append("items that iCloud Keychain keeps are not in such a file")
        return file
    }

    private mutating func readLine(_ line: Span<UInt8>, _ bytes: Span<UInt8>) throws(PasswordFileError) {
        if line.has("keychain: ".utf8) {
            try finishItem()
            item = KeychainDumpItem(line: lines.number)
        } else if line.has("class: ".utf8) {
            item?.setClass(line.extracting(droppingFirst: 7))
        } else if line.has("    ".utf8) {
            item?.addAttribute(line.extracting(droppingFirst: 4))
        } else if line.hasSameBytes(as: "data:".utf8.span) {
            hasData = true
            let value = readValueLine(bytes)
            item?.setData(value)
        } else if line.has("raw data:".utf8) {
            _ = readValueLine(bytes)
            losses.note("raw data of an item")
        } else if line.has("access: ".utf8) {
            losses.note("access control of an item")
            skipIndented(bytes)
        } else if !line.isEmpty, !line.has("version: ".utf8), !line.has("attributes:".utf8),
            !line.has("no access control".utf8)
        {
            losses.note("a line that is not part of a dump")
        }
    }

    /// The value on the next line, if there is one before the next item.
    private mutating func readValueLine(_ bytes: Span<UInt8>) -> KeychainDumpValue {
        guard let line = lines.peek(bytes), !bytes.extracting(line).has("keychain: ".utf8) else { return .empty }
        _ = lines.next(bytes)
        return KeychainDumpValue(bytes.extracting(line))
    }

    private mutating func skipIndented(_ bytes: Span<UInt8>) {
        while let line = lines.peek(bytes), bytes.extracting(line).has(" ".utf8) { _ = lines.next(bytes) }
    }

    private mutating func finishItem() throws(PasswordFileError) {
        guard let item else { return }
        self.item = nil
        switch item.record {
        case .success(let record): try file.append(record)
        case .failure(let problem):
            let label = item.label.isEmpty ? "" : " (\(item.label.printable))"
            try file.refuse("line \(item.line)\(label): \(problem.rawValue)")
        }
    }
}
