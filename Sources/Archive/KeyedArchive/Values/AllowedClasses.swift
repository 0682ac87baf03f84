/// The classes that a reader accepts.
///
/// Foundation's value classes are always accepted, since each has a case in `ArchiveValue`; any other class must be
/// allowed by name before an archive may contain it.
public struct AllowedClasses: Sendable, Hashable {
    /// The names allowed in addition to Foundation's value classes, or `nil` for all names.
    private let names: CanonicalSet<String>?

    /// Foundation's value classes and nothing else.
    public static let standard = AllowedClasses(names: [])

    /// All classes.
    ///
    /// This is safe, since nothing is instantiated, but the caller must check the names.
    public static let any = AllowedClasses(names: nil)

    /// Returns Foundation's value classes and the classes with the given names.
    public static func named(_ names: CanonicalSet<String>) -> AllowedClasses {
        AllowedClasses(names: names)
    }

    func contains(_ name: String) -> Bool {
        names?.contains(name) ?? true
    }
}
