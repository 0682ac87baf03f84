// swift-tools-version: 6.2

import PackageDescription

// Programs that use the keychain and packages that do not know Coffer, in one package graph: `./dev neighbours`.

/// The package identity of Coffer: the name of its checkout.
let coffer = Context.packageDirectory.split(separator: "/").dropLast(3).last?.lowercased() ?? "coffer"

/// Whether the module is called `Security` in the whole graph, or only for the targets that depend on it.
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
        // The files import only Foundation, which suffices on Apple systems; the plugin does the rest.
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
        // A separate file does the work of the plugin.
        .executableTarget(
            name: "AppWithOneFile",
            dependencies: [security],
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        // Uses the neighbors. If they import `Security`, every program that uses them must link it.
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
