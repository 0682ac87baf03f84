// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public import CCoffer
internal import Coffer
internal import CofferBasics

/// A value for C code; its bytes stay where they are.
@safe final class StoredValue {
    let value: coffer_value
    private let bytes: StoredBytes?

    init(_ value: ItemValue) {
        var bytes: StoredBytes?
        var stored = unsafe coffer_value()
        switch value {
        case .string(let text):
            unsafe stored.kind = COFFER_TEXT
            bytes = StoredBytes(text.utf8)
        case .data(let data):
            unsafe stored.kind = COFFER_DATA
            bytes = StoredBytes(data)
        case .integer(let number):
            unsafe stored.kind = COFFER_INTEGER
            unsafe stored.integer = number
        case .real(let number):
            unsafe stored.kind = COFFER_REAL
            unsafe stored.real = number
        case .bool(let flag):
            unsafe stored.kind = COFFER_FLAG
            unsafe stored.integer = flag ? 1 : 0
        case .date(let seconds):
            unsafe stored.kind = COFFER_DATE
            unsafe stored.real = KeychainDate(secondsSinceReferenceDate: seconds).secondsSince1970
        case .accessControl(let control):
            unsafe stored.kind = COFFER_ACCESS_CONTROL
            unsafe stored.integer = Int64(control.conditions?.rawValue ?? 0)
            bytes = StoredBytes(control.accessibility.rawValue.utf8)
        case .array, .null, .other: break
        }
        if let bytes { unsafe stored.bytes = bytes.bytes }
        self.bytes = bytes
        unsafe self.value = stored
    }
}

extension coffer_value {
    /// The value for the keychain; nil for none.
    func itemValue() throws(InvalidArgument) -> ItemValue? {
        switch unsafe kind {
        case COFFER_NONE: return nil
        case COFFER_TEXT: return .string(unsafe try bytes.text("value"))
        case COFFER_DATA: return .data(unsafe try bytes.array("value"))
        case COFFER_INTEGER: return .integer(unsafe integer)
        case COFFER_REAL: return .real(unsafe real)
        case COFFER_FLAG: return .bool(unsafe integer != 0)
        case COFFER_DATE: return KeychainDate(secondsSince1970: unsafe real).value
        case COFFER_ACCESS_CONTROL:
            guard let accessibility = Accessibility(rawValue: unsafe try bytes.text("value")),
                let flags = UInt32(exactly: unsafe integer),
                let control = AccessControl(accessibility, AccessControl.Conditions(rawValue: flags))
            else { throw InvalidArgument("the access control has an unknown accessibility, or invalid conditions") }
            return .accessControl(control)
        default: throw InvalidArgument("there are no values of kind \(unsafe kind.rawValue)")
        }
    }
}

extension KeychainDate {
    /// The date as a value.
    var value: ItemValue { .date(secondsSinceReferenceDate: secondsSinceReferenceDate) }
}

/// Rows of named values.
final class FactsHandle: Handle {
    private let rows: [[String: StoredValue]]

    init(_ rows: [[String: ItemValue?]]) {
        self.rows = rows.map { row in row.compactMapValues { value in value.map { StoredValue($0) } } }
    }

    var count: Int { rows.count }

    func value(_ name: String, inRow row: Int) -> StoredValue? { rows.indices.contains(row) ? rows[row][name] : nil }
}

extension ItemValue {
    /// A number.
    init(_ number: some BinaryInteger) { self = .integer(Int64(clamping: number)) }

    /// Names, one in each line.
    init(lines: [String]) { self = .string(lines.joined(separator: "\n")) }
}

@c @implementation public func coffer_facts_count(_ facts: OpaquePointer?) -> Int {
    unsafe FactsHandle.at(facts)?.count ?? 0
}

@c @implementation public func coffer_facts_get(
    _ facts: OpaquePointer?,
    _ row: Int,
    _ name: UnsafePointer<CChar>?
) -> coffer_value {
    guard let name = unsafe try? CofferLibrary.name(name) else { return unsafe coffer_value() }
    return unsafe FactsHandle.at(facts)?.value(name, inRow: row)?.value ?? coffer_value()
}

@c @implementation public func coffer_facts_free(_ facts: OpaquePointer?) { unsafe FactsHandle.free(facts) }

/// Secret bytes.
final class SecretHandle: Handle {
    let bytes: StoredBytes

    init(_ bytes: Span<UInt8>) {
        self.bytes = StoredBytes(copying: bytes)
    }

    /// The secret that a callback returned, which is then freed; nil for NULL.
    static func taken(_ pointer: OpaquePointer?) -> Passphrase? {
        defer { unsafe free(pointer) }
        return unsafe at(pointer).map { secret in unsafe secret.bytes.bytes.withSpan { Passphrase($0) } }
    }
}

@c @implementation public func coffer_secret_create(_ bytes: coffer_bytes) -> OpaquePointer? {
    guard let bytes = unsafe try? bytes.checked("bytes") else { return nil }
    return unsafe ForkGate.passing { unsafe bytes.withSpan { SecretHandle($0) }.owned }
}

@c @implementation public func coffer_secret_bytes(_ secret: OpaquePointer?) -> coffer_bytes {
    unsafe SecretHandle.at(secret)?.bytes.bytes ?? coffer_bytes()
}

@c @implementation public func coffer_secret_free(_ secret: OpaquePointer?) { unsafe SecretHandle.free(secret) }
