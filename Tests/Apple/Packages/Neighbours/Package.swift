// swift-tools-version: 6.2

import PackageDescription

// Packages that use the keychain, and packages that do not know Coffer, in one package graph: `./dev neighbours`.

let security: Target.Dependency =
    .product(name: "Security", package: "coffer", condition: .when(platforms: [.linux]))
let importSecurity: Target.PluginUsage = .plugin(name: "ImportSecurity", package: "coffer")

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "Neighbours",
    platforms: [.macOS(.v26)],
    dependencies: [
        .package(url: Context.environment["COFFER_URL"] ?? "", from: "0.1.0"),
        .package(path: "Credentials"),
        .package(path: "Sessions"),
        .package(path: "Stamp"),
        .package(path: "Tokens"),
    ],
    targets: [
        // Libraries that are no products: one over another that uses the keychain, one with a test of its own, and one
        // that nothing uses.
        .target(
            name: "TokenStore",
            dependencies: [security, .product(name: "Sessions", package: "Sessions")],
            swiftSettings: strict,
            plugins: [importSecurity]
        ),
        .target(name: "MailLogin", dependencies: [security], swiftSettings: strict),
        .target(name: "Audit", dependencies: [security], swiftSettings: strict),
        .testTarget(name: "TokenStoreTests", dependencies: ["TokenStore"], swiftSettings: strict),
        .testTarget(
            name: "MailLoginTests",
            dependencies: ["MailLogin"],
            swiftSettings: strict,
            plugins: [importSecurity]
        ),

        // Programs: one that reaches the keychain through libraries and declares its groups, as the tests of a library do,
        // and one that does not know that there is a keychain.
        .executableTarget(
            name: "App",
            dependencies: [
                "MailLogin", "TokenStore",
                .product(name: "LocalAuthentication", package: "coffer", condition: .when(platforms: [.linux])),
                .product(name: "Sessions", package: "Sessions"),
                .product(name: "Stamp", package: "Stamp"),
            ],
            swiftSettings: strict,
            plugins: [importSecurity]
        ),
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Credentials", package: "Credentials"),
                .product(name: "JWTKit", package: "Tokens"),
            ],
            swiftSettings: strict
        ),

        // A program that uses the keychain without Apple's names.
        .executableTarget(
            name: "Tool",
            dependencies: [.product(name: "Coffer", package: "coffer")],
            swiftSettings: strict
        ),
    ]
)
