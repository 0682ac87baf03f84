internal import Coffer
internal import CofferBasics
internal import VaultFiles

extension Verb {
    static let inject = Verb(
        "inject",
        .programs,
        "Put secrets into a template",
        operands: [Operand(name: "TEMPLATE", presence: .optional, completion: .file)],
        options: [.outputFile],
        details: """
            This is for programs that read secrets only from a file; `coffer exec` hands them over without one on the disk.

            Replaces each {{ coffer:kim@mail }} in TEMPLATE, or in standard input, by that secret; blanks within the \
            braces do not count. Everything else stays as it is, also other braces.

            All secrets are looked up first: if one is missing, ambiguous or locked, nothing is written. FILE is written \
            as a whole, with mode 0600, and replaced only with --force.
            """,
        examples: [
            Example(call: "coffer inject app.conf.in -o app.conf", purpose: "write app.conf with its secrets"),
            Example(call: "coffer inject < app.conf.in | ssh web 'cat > app.conf'", purpose: "write it elsewhere"),
        ]
    ) { run in
        let path = run.arguments.operand(0).flatMap { $0 == "-" ? nil : $0 }
        let template = Template(try run.template(atPath: path), called: (path ?? "standard input").printable)
        let text = try template.filled(for: run)
        guard let output = run.arguments.value(of: .outputFile), output != "-" else {
            return try text.withSpan { try run.output.write($0) }
        }
        try text.withSpan { try run.write($0, toFile: output) }
    }
}

extension CommandRun {
    /// The template in a file, or in standard input.
    fileprivate func template(atPath path: String?) throws -> HeldSecret {
        let limit = Template.byteCountLimit
        let content: HeldSecret?
        if let path {
            do throws(FileError) {
                content = try SequentialInput.secret(of: path, byteCountLimit: limit)
            } catch {
                throw CommandError(.inputOutput, "\(error)")
            }
        } else {
            content = try standardInput(byteCountLimit: limit)
        }
        guard let content else {
            throw CommandError(.tooLarge, "the template has more than \(limit.grouped) bytes")
        }
        return content
    }
}

/// A text with references to secrets: `{{ coffer:kim@mail }}`.
struct Template {
    /// How large a template, and what is made of it, may be.
    static let byteCountLimit = 16 << 20

    private let text: HeldSecret
    private let name: String

    init(_ text: HeldSecret, called name: String) { (self.text, self.name) = (text, name) }

    /// The text with the secrets in the places of the references.
    ///
    /// - Throws: `CommandError`, with the line of the reference, if there is no such secret.
    func filled(for run: CommandRun) throws -> HeldSecret {
        let references = try references()
        guard !references.isEmpty else { return text }
        let secrets = try run.vaults.withKeychain { keychain in
            var byteCount = text.byteCount
            return try references.map { _, reference in
                let secret = try reference.secret(in: keychain, for: run)
                byteCount += secret.byteCount
                guard byteCount <= Self.byteCountLimit else {
                    let limit = Self.byteCountLimit.grouped
                    throw CommandError(.tooLarge, "the text with its secrets has more than \(limit) bytes")
                        .at(reference.place ?? name)
                }
                return secret
            }
        }
        let filled = SecretBuilder()
        text.withSpan { bytes in
            var end = 0
            for ((range, _), secret) in zip(references, secrets) {
                filled.append(copying: bytes.extracting(end..<range.lowerBound))
                secret.withSpan { filled.append(copying: $0) }
                end = range.upperBound
            }
            filled.append(copying: bytes.extracting(end...))
        }
        return filled.held
    }

    /// The references and where they are.
    private func references() throws -> [(range: Range<Int>, reference: SecretReference)] {
        try text.withSpan { bytes in
            var references: [(Range<Int>, SecretReference)] = []
            var (line, offset) = (1, 0)
            while offset < bytes.count {
                guard let range = try reference(in: bytes, from: offset, line) else {
                    if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
                    offset += 1
                    continue
                }
                let word = bytes.extracting(bytes.trimmed(range.lowerBound + 2..<range.upperBound - 2))
                guard let found = try SecretReference(word, at: "\(name), line \(line)") else {
                    throw CommandError(.usage, "\(name), line \(line): the name of the item is not UTF-8")
                }
                references.append((range, found))
                offset = range.upperBound
            }
            return references
        }
    }

    /// The range of the reference that begins here, with its braces; nil if none does.
    private func reference(in bytes: Span<UInt8>, from start: Int, _ line: Int) throws -> Range<Int>? {
        guard bytes.has("{{".utf8, at: start) else { return nil }
        var offset = start + 2
        while offset < bytes.count, bytes[offset] == UInt8(ascii: " ") || bytes[offset] == UInt8(ascii: "\t") {
            offset += 1
        }
        guard bytes.has(SecretReference.start.utf8, at: offset) else { return nil }
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") {
            if bytes.has("}}".utf8, at: offset) { return start..<offset + 2 }
            offset += 1
        }
        throw CommandError(.usage, "\(name), line \(line): }} is missing after {{ \(SecretReference.start)")
    }
}
