package import CofferBasics

/// Writes records in a form that another program imports.
///
/// The bytes are appended to a builder, from which the caller can take them after each record. Nothing is left out
/// silently: `losses` counts what the form does not have. Rows that the other program will refuse are written too, so
/// that the file has as much as it can; they are counted.
///
/// The file is not encrypted, and must not be opened in a spreadsheet: values are written unchanged, and a spreadsheet
/// runs those that begin with `=`, `+`, `-` or `@` as formulas.
///
/// ```swift
/// var writer = PasswordFileWriter(.chrome, to: output, time: now, identifier: randomBytes)
/// for record in records {
///     writer.write(record)
///     try output.withSpan { try file.append($0) }
///     output.removeAll()
/// }
/// writer.end()
/// ```
package struct PasswordFileWriter {
    private let form: ExportForm
    private let output: SecretBuilder
    private var writer: any FormWriter
    private var byteCount = 0
    private var counts = ExportLosses()

    /// What the file lacks so far, in words without secrets, to be printed as `what: count`.
    package var losses: [(what: String, count: Int)] { counts.list(for: form) }

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - form: The form of the file.
    ///   - output: What the bytes are appended to.
    ///   - time: The time in seconds since 1970, which is written into files of `.cxf`.
    ///   - identifier: Up to 32 random bytes, from which all identifiers in files of `.cxf` are made.
    package init(_ form: ExportForm, to output: SecretBuilder, time: Int64, identifier: [UInt8]) {
        (self.form, self.output) = (form, output)
        let start = output.byteCount
        writer =
            switch form {
            case .apple: AppleWriter(to: output)
            case .chrome: ChromeWriter(to: output)
            case .firefox: FirefoxWriter(to: output)
            case .bitwarden: BitwardenWriter(to: output)
            case .keePassXC: KeePassXCWriter(to: output)
            case .onePassword: OnePasswordWriter(to: output)
            case .cxf: CXFWriter(to: output, time: time, identifier: identifier)
            }
        byteCount = output.byteCount - start
    }

    /// Appends a record.
    package mutating func write(_ record: PasswordRecord) {
        let start = output.byteCount
        counts.add(partsOf: record, missingIn: form)
        writer.write(record, &counts)
        byteCount += output.byteCount - start
    }

    /// Appends the end of the file.
    package mutating func end() {
        let start = output.byteCount
        writer.end(&counts)
        byteCount += output.byteCount - start
        if form == .chrome, byteCount > ChromeWriter.fileByteCountLimit { counts.add(.fileByteCount, byteCount) }
    }
}

/// Writes the records of a form.
protocol FormWriter {
    mutating func write(_ record: PasswordRecord, _ losses: inout ExportLosses)
    mutating func end(_ losses: inout ExportLosses)
}
