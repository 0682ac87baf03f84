import CoreFoundation

/// Whether the program has a bundle, which only the module of the toolchain can tell.
public var hasBundle: Bool { CFBundleGetMainBundle() != nil }
