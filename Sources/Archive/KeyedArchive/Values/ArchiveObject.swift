/// An instance of a class that has no case in `ArchiveValue`, as the names and fields given in the archive.
///
/// The class is never instantiated, so a hostile archive gains nothing by naming one.
///
/// ```swift
/// let badge = ArchiveObject(
///     className: "Badge",
///     superclassNames: ["NSObject"],
///     fields: ["title": .reference("Founder"), "level": .inline(3)]
/// )
/// let bytes = try ArchiveValue.object(badge).archived()
/// ```
public struct ArchiveObject: Sendable, Hashable {
    /// The content of a field, and how the archiver encoded it.
    public enum Field: Sendable, Hashable {
        /// A number, string, data or date inside the object, as written by `encode(_: Int, forKey:)` and its variants.
        case inline(ArchiveValue)
        /// An object, as written by `encode(_: Any?, forKey:)`.
        case reference(ArchiveValue)
        /// A missing object, as written by `encode(_: Any?, forKey:)` for `nil`.
        case noObject
        /// A list of objects inside the object, as `NSArray` stores its elements.
        case references([ArchiveValue])
    }

    /// The name of the class.
    public var className: String

    /// The names of its superclasses, nearest first.
    public var superclassNames: [String]

    /// The fields, by their names in the archive; archivers double a leading dollar sign of the name used in code.
    public var fields: CanonicalDictionary<String, Field>

    /// Creates an object of the class with this name.
    public init(className: String, superclassNames: [String], fields: CanonicalDictionary<String, Field>) {
        self.className = className
        self.superclassNames = superclassNames
        self.fields = fields
    }

    /// The value of the field with this name: an array for a list of objects, null for a missing object.
    public subscript(field: String) -> ArchiveValue? {
        switch fields[field] {
        case .inline(let value), .reference(let value): value
        case .noObject: .null
        case .references(let values): .array(values)
        case nil: nil
        }
    }
}

// MARK: - Order and equality

extension ArchiveObject: CanonicallyOrdered {
    /// Orders by class names, then by the number of fields, then field by field; names by their encoded form.
    public func canonicalOrder(relativeTo other: ArchiveObject) -> CanonicalOrder {
        className.encodedOrder(relativeTo: other.className)
            .then(.shortlex(superclassNames, other.superclassNames) { $0.encodedOrder(relativeTo: $1) })
            .then(
                .shortlex(fields, other.fields) { left, right in
                    left.key.encodedOrder(relativeTo: right.key)
                        .then(left.value.canonicalOrder(relativeTo: right.value))
                }
            )
    }

    /// Whether both encode to the same bytes.
    public static func == (first: ArchiveObject, second: ArchiveObject) -> Bool {
        first.canonicalOrder(relativeTo: second) == .same
    }
}

extension ArchiveObject.Field: CanonicallyOrdered {
    /// Orders inline values, then references, then missing objects, then lists; within each kind by value.
    public func canonicalOrder(relativeTo other: ArchiveObject.Field) -> CanonicalOrder {
        switch (self, other) {
        case (.inline(let first), .inline(let second)), (.reference(let first), .reference(let second)):
            first.canonicalOrder(relativeTo: second)
        case (.references(let first), .references(let second)):
            .shortlex(first, second) { $0.canonicalOrder(relativeTo: $1) }
        default:
            CanonicalOrder(rank, other.rank)
        }
    }

    private var rank: Int {
        switch self {
        case .inline: 0
        case .reference: 1
        case .noObject: 2
        case .references: 3
        }
    }
}
