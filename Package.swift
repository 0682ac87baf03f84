// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Coffer",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "KeyedArchive", targets: ["KeyedArchive", "KeyedArchiveFoundation"])
    ],
    targets: [
        .target(name: "KeyedArchive", swiftSettings: settings),
        .target(name: "KeyedArchiveFoundation", dependencies: ["KeyedArchive"], swiftSettings: settings),
        .executableTarget(name: "FixtureTool", swiftSettings: settings),
        .executableTarget(
            name: "VaultBench",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation"],
            swiftSettings: settings
        ),
        .target(name: "TestSupport", dependencies: ["KeyedArchive"], path: "Tests/TestSupport", swiftSettings: settings),
        .testTarget(name: "KeyedArchiveTests", dependencies: ["KeyedArchive", "TestSupport"], swiftSettings: settings),
    ]
)
