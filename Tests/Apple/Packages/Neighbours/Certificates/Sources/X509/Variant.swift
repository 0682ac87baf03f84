/// The variant of its code that this package was built with.
public var certificateVariant: String {
    #if canImport(Security)
        "Security"
    #else
        "portable"
    #endif
}
