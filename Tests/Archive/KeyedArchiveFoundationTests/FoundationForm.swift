import Foundation
import KeyedArchive
import TestSupport

/// Removes from random values exactly what Foundation on Linux would lose.
///
/// - Twins: Foundation treats the numbers `true`, `1` and `1.0` as equal; also `0.0` and `-0.0`, dates at both zeros,
///   and a composed and a decomposed "é". Sets and dictionaries keep one of them; so does `NSKeyedArchiver`, which
///   writes all equal objects of an archive as the first of them. Here, each value becomes the first of its twins.
/// - A relative URL in a container: bridging `NSURL` to `URL` loses the base. Here, it becomes absolute.
/// - An array or a dictionary in a set: Foundation stops the program when it bridges `NSSet` to `Set<AnyHashable>`.
///   Here, they become sets.
struct FoundationForm {
    /// Where Foundation loses twins.
    enum TwinScope {
        case everywhere
        /// In sets and in dictionary keys, and everything inside them.
        case hashedValues
    }

    private let twinScope: TwinScope
    private var firstOfTwins: [Likeness: ArchiveValue] = [:]

    private init(twinScope: TwinScope) {
        self.twinScope = twinScope
    }

    /// Returns a random value that Foundation preserves.
    static func random(twinScope: TwinScope, using generator: inout SeededGenerator) -> ArchiveValue {
        let value = ArchiveValue.random(using: &generator).withKeysOfAllKinds(using: &generator)
        var form = FoundationForm(twinScope: twinScope)
        return form.applied(to: value, isHashed: false, isRoot: true)
    }

    private mutating func applied(to value: ArchiveValue, isHashed: Bool, isRoot: Bool = false) -> ArchiveValue {
        switch value {
        case .array(let elements):
            return .array(elements.map { applied(to: $0, isHashed: isHashed) })
        case .set(let elements):
            return .set(CanonicalSet(elements.map { applied(to: $0.arraysAsSets, isHashed: true) }))
        case .dictionary(let entries):
            var dictionary: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
            for (key, value) in entries {
                dictionary[applied(to: key, isHashed: true)] = applied(to: value, isHashed: isHashed)
            }
            return .dictionary(dictionary)
        case .url(let url) where !isRoot:
            return .url(ArchiveURL((url.base?.text ?? "") + url.text))
        case .null, .bool, .integer, .real, .string, .data, .date, .uuid, .url, .object:
            guard isHashed || twinScope == .everywhere else { return value }
            let likeness = Likeness(value)
            let first = firstOfTwins[likeness] ?? value
            firstOfTwins[likeness] = first
            return first
        }
    }

    /// The property that twins have in common.
    private enum Likeness: Hashable {
        case integer(Int128)
        case real(Double)
        case text(String)
        case date(Double)
        case other(ArchiveValue)

        init(_ value: ArchiveValue) {
            switch value {
            case .bool(let value): self = .integer(value ? 1 : 0)
            case .integer(let value): self = .integer(value)
            case .real(let value): self = Int128(exactly: value).map { .integer($0) } ?? .real(value)
            case .string(let text): self = .text(text)
            case .date(let seconds): self = .date(seconds)
            case .null, .data, .uuid, .url, .array, .set, .dictionary, .object: self = .other(value)
            }
        }
    }
}

extension ArchiveValue {
    /// A set of the elements or values, if this is an array or a dictionary.
    fileprivate var arraysAsSets: ArchiveValue {
        switch self {
        case .array(let elements): .set(CanonicalSet(elements))
        case .dictionary(let entries): .set(CanonicalSet(entries.map(\.value)))
        default: self
        }
    }

    /// Replaces the text keys of half the dictionaries by any values except containers.
    fileprivate func withKeysOfAllKinds(using generator: inout SeededGenerator) -> ArchiveValue {
        switch self {
        case .array(let elements):
            return .array(elements.map { $0.withKeysOfAllKinds(using: &generator) })
        case .set(let elements):
            return .set(CanonicalSet(elements.map { $0.withKeysOfAllKinds(using: &generator) }))
        case .dictionary(let entries):
            let keepsKeys = Bool.random(using: &generator)
            var dictionary: CanonicalDictionary<ArchiveValue, ArchiveValue> = [:]
            for (key, value) in entries {
                let key = keepsKeys ? key : .random(depth: 0, using: &generator)
                dictionary[key] = value.withKeysOfAllKinds(using: &generator)
            }
            return .dictionary(dictionary)
        default: return self
        }
    }
}
