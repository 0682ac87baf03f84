// swift-tools-version: 6.2

import PackageDescription

// Programs that use the keychain, and packages that have never heard of Coffer, in one graph: `./dev neighbours`.

/// The identity of Coffer: the name of its checkout.
let coffer = Context.packageDirectory.split(separator: "/").dropLast(3).last?.lowercased() ?? "coffer"

/// Whether the module is called `Security` for all the graph, or for those only who depend on it.
let isOpen = Context.environment["COFFER_NEIGHBOURS_OPEN"] == "1"

let security: Target.Dependency = .product(
    name: "Security",
    package: coffer,
    moduleAliases: isOpen ? nil : ["Security": "CofferNamedSecurity"]
)

let localAuthentication: Target.Dependency = .product(
    name: "LocalAuthentication",
    package: coffer,
    moduleAliases: isOpen ? nil : ["LocalAuthentication": "CofferNamedLocalAuthentication"]
)

let plugin: Target.PluginUsage = .plugin(name: "ImportSecurity", package: coffer)

let package = Package(
    name: "Neighbours",
    dependencies: [
        .package(path: "../../.."),
        .package(path: "Credentials"),
        .package(path: "Transport"),
    ],
    targets: [
        // Their files say `import Foundation`, as is enough on Apple systems; the plugin does the rest.
        .executableTarget(
            name: "AppInSwift5",
            dependencies: [security],
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)],
            plugins: [plugin]
        ),
        .executableTarget(
            name: "AppInSwift6",
            dependencies: [security, localAuthentication],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .treatAllWarnings(as: .error),
            ],
            plugins: [plugin]
        ),
        // A file of its own does what the plugin does.
        .executableTarget(
            name: "AppWithOneFile",
            dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Uses the neighbours. Where those take `Security` for their own, all programs must be linked with it.
        .executableTarget(
            name: "Server",
            dependencies: [
                .product(name: "Credentials", package: "Credentials"),
                .product(name: "Transport", package: "Transport"),
            ] + (isOpen ? [security] : []),
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
    ]
)
