import CofferBasics

/// The content of a `DecodingError` or an `EncodingError`, for tests to compare.
package struct CodingFailure: Error, Equatable {
    /// The case of the error, with the name of the type or the key that it carries.
    package enum Kind: Equatable, Sendable {
        case typeMismatch(String)
        case valueNotFound(String)
        case keyNotFound(String)
        case dataCorrupted
        case invalidValue
    }

    package let kind: Kind
    /// The texts of the keys that lead to the invalid value.
    package let path: [String]

    package init(_ kind: Kind, at path: [String]) {
        self.kind = kind
        self.path = path
    }

    /// Runs `body` and rethrows its errors, converting coding errors to this form.
    @discardableResult
    package static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DecodingError {
            throw CodingFailure(error) ?? error
        } catch let error as EncodingError {
            throw CodingFailure(error) ?? error
        }
    }

    private init?(_ error: DecodingError) {
        switch error {
        case .typeMismatch(let type, let context): self.init(.typeMismatch("\(type)"), context.codingPath)
        case .valueNotFound(let type, let context): self.init(.valueNotFound("\(type)"), context.codingPath)
        case .keyNotFound(let key, let context): self.init(.keyNotFound(key.stringValue), context.codingPath)
        case .dataCorrupted(let context): self.init(.dataCorrupted, context.codingPath)
        @unknown default: return nil
        }
    }

    private init?(_ error: EncodingError) {
        guard case .invalidValue(_, let context) = error else { return nil }
        self.init(.invalidValue, context.codingPath)
    }

    private init(_ kind: Kind, _ codingPath: [any CodingKey]) {
        self.init(kind, at: codingPath.map(\.stringValue))
    }
}
