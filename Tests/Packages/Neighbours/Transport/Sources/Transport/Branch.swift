/// The variant of its code that this package was built with.
public var transportBranch: String {
    #if canImport(Security)
        "Security"
    #else
        "portable"
    #endif
}
