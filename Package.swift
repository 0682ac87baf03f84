// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Programs without a `main`, which only libFuzzer links: `./dev fuzz` asks for them.
let fuzzTargets: [Target] = ["FuzzPlist", "FuzzArchive", "FuzzXML"].map {
    .executableTarget(name: $0, dependencies: ["KeyedArchive"], swiftSettings: settings)
}

let package = Package(
    name: "Coffer",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive", "KeyedArchiveFoundation"])
    ],
    targets: [
        .target(name: "KeyedArchive", swiftSettings: settings),
        .target(name: "KeyedArchiveFoundation", dependencies: ["KeyedArchive"], swiftSettings: settings),

        // Programs that show the products at work, and tools that never become products.
        .executableTarget(
            name: "ArchiveTour",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation"],
            path: "Sources/Examples/ArchiveTour",
            swiftSettings: settings
        ),
        .executableTarget(name: "FixtureTool", swiftSettings: settings),
        .executableTarget(
            name: "VaultBench",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation"],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: ["KeyedArchive"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .testTarget(name: "ArchitectureTests", dependencies: ["TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "KeyedArchiveTests",
            dependencies: ["KeyedArchive", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "KeyedArchiveFoundationTests",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation", "TestSupport"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
    ] + (Context.environment["COFFER_FUZZ"] == "1" ? fuzzTargets : [])
)
