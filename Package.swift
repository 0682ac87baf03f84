// swift-tools-version: 6.2

import PackageDescription

/// Warnings are errors for `./dev`, but not for those who use the package, since a newer compiler may add some.
let warnings: [SwiftSetting] = Context.environment["COFFER_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : []

let settings: [SwiftSetting] =
    warnings + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]

/// For the targets that call C: each use of unsafe memory must be marked.
let strictSettings = settings + [.strictMemorySafety()]

/// The module for `import Security`, which Apple's systems have themselves.
///
/// In Swift, a module with this name would be visible in every package of a graph. A module in C is visible only to what
/// depends on it. This one has no content: it passes on CofferSecurity.
let security: [Target.Dependency] = [
    .target(name: "SecurityName", condition: .when(platforms: [.linux])),
    .target(name: "CofferSecurity", condition: .when(platforms: [.linux])),
]

/// The same for `import LocalAuthentication`.
let localAuthentication: [Target.Dependency] = [
    .target(name: "LocalAuthenticationName", condition: .when(platforms: [.linux])),
    .target(name: "CofferLocalAuthentication", condition: .when(platforms: [.linux])),
]

/// Programs that also run on Apple systems.
let portablePrograms: [Target] =
    ["DeviceIdentity", "NotesApp", "NotesWidget", "PinServer", "SignIn", "SignToken", "TLSIdentity"].map {
        .executableTarget(
            name: $0,
            dependencies: security,
            path: "Sources/Examples/\($0)",
            swiftSettings: settings,
            // It embeds the entitlements beside the sources.
            plugins: $0.hasPrefix("Notes") ? ["ImportSecurity"] : nil
        )
    }

let package = Package(
    name: "Coffer",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Coffer", targets: ["Coffer", "CofferFoundation"]),
        .library(name: "CofferSecurity", targets: ["CofferSecurity"]),
        .library(name: "LocalPersistence", targets: ["LocalPersistence"]),
        .library(name: "CofferFleet", targets: ["CofferFleet"]),
        .library(name: "CofferTesting", targets: ["CofferTesting"]),
        .library(name: "KeyedArchive", targets: ["KeyedArchive", "KeyedArchiveFoundation"]),
        .executable(name: "coffer", targets: ["CofferCommand"]),

        // Under Apple's names, for `import Security` and `import LocalAuthentication`.
        .library(name: "Security", targets: ["SecurityName", "CofferSecurity"]),
        .library(name: "LocalAuthentication", targets: ["LocalAuthenticationName", "CofferLocalAuthentication"]),
        .plugin(name: "ImportSecurity", targets: ["ImportSecurity"]),
    ],
    targets: [
        .target(name: "CofferBasics", swiftSettings: strictSettings),
        .target(name: "KeyedArchive", dependencies: ["CofferBasics"], swiftSettings: settings),
        .target(name: "KeyedArchiveFoundation", dependencies: ["KeyedArchive"], swiftSettings: settings),
        .target(name: "CofferX509", dependencies: ["CofferBasics"], swiftSettings: settings),

        .systemLibrary(name: "CCofferSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CCofferZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCofferLinux"),
        .systemLibrary(name: "CCofferLibcrypto"),
        .target(
            name: "CofferLibcrypto",
            dependencies: ["CCofferLibcrypto", "CofferBasics"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "VaultCrypto",
            dependencies: ["CCofferSodium", "CCofferZlib", "CofferBasics"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferKeys",
            dependencies: ["CofferBasics", "CofferLibcrypto", "CofferX509", "VaultCrypto"],
            swiftSettings: settings
        ),
        .target(
            name: "CofferKeyFiles",
            dependencies: ["CofferBasics", "CofferKeys", "CofferLibcrypto", "CofferX509", "VaultCrypto"],
            swiftSettings: settings
        ),
        .target(
            name: "VaultFormat",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto"],
            swiftSettings: settings
        ),
        .target(name: "VaultFiles", dependencies: ["CCofferLinux", "CofferBasics"], swiftSettings: strictSettings),
        .target(
            name: "CofferTrust",
            dependencies: ["CofferKeys", "CofferLibcrypto", "CofferX509", "VaultFiles"],
            swiftSettings: settings
        ),
        .target(
            name: "VaultStore",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
            swiftSettings: settings
        ),

        // Vault files between machines, without their keys.
        .target(
            name: "VaultSync",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
            swiftSettings: settings
        ),

        .target(
            name: "Coffer",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            swiftSettings: settings
        ),

        .target(
            name: "CofferKeyItems",
            dependencies: ["Coffer", "CofferKeys", "CofferLibcrypto", "CofferX509"],
            swiftSettings: settings
        ),

        .target(name: "CofferFoundation", dependencies: ["Coffer", "CofferBasics"], swiftSettings: settings),

        // The data that an app keeps beside its secrets.
        .target(
            name: "LocalPersistence",
            dependencies: [
                "Coffer", "CofferBasics", "CofferFoundation", "KeyedArchive", "KeyedArchiveFoundation", "VaultFiles",
            ],
            swiftSettings: settings
        ),
        // Keychains for the tests of programs; imports Swift Testing.
        .target(
            name: "CofferTesting",
            dependencies: ["Coffer", "CofferBasics", "VaultFiles", "VaultFormat", "VaultStore"],
            swiftSettings: settings
        ),

        // Messages of status codes, for the module and for the command.
        .target(name: "CofferStatusMessages", swiftSettings: settings),
        .target(
            name: "CofferSecurity",
            dependencies: [
                "Coffer", "CofferBasics", "CofferKeyFiles", "CofferKeyItems", "CofferKeys", "CofferLibcrypto",
                "CofferLocalAuthentication", "CofferStatusMessages", "CofferTrust", "CofferX509",
            ],
            swiftSettings: settings
        ),

        .target(name: "SecurityName"),
        .target(
            name: "CofferLocalAuthentication",
            dependencies: ["Coffer", "CofferBasics"],
            swiftSettings: settings
        ),
        .target(name: "LocalAuthenticationName"),
        .plugin(name: "ImportSecurity", capability: .buildTool(), path: "Sources/Plugins/ImportSecurity"),

        // The C interface.
        .systemLibrary(name: "CCoffer"),
        .target(
            name: "CofferLibrary",
            dependencies: ["CCoffer", "CCofferLinux", "Coffer", "CofferBasics"],
            swiftSettings: strictSettings
        ),

        // Password files of other programs, and the screen of `coffer browse`.
        .target(
            name: "CofferPasswordFiles",
            dependencies: ["CofferBasics", "VaultCrypto"],
            swiftSettings: settings
        ),
        // A vault that many machines share through etcd.
        .systemLibrary(name: "CCofferCurl"),
        .target(
            name: "CofferEtcd",
            dependencies: ["CCofferCurl", "CofferBasics", "VaultFiles"],
            swiftSettings: strictSettings
        ),

        .target(
            name: "CofferFleet",
            dependencies: [
                "Coffer", "CofferBasics", "CofferEtcd", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .target(name: "CofferScreen", dependencies: ["CofferBasics"], swiftSettings: settings),

        // The command: its system calls, its verbs and its `main`.
        .target(name: "CProgramStart"),
        .target(
            name: "CommandSystem",
            dependencies: ["CCofferLinux", "CofferBasics", "CProgramStart", "VaultFiles"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferCLI",
            dependencies: [
                "Coffer", "CofferBasics", "CofferEtcd", "CofferFleet", "CofferKeyFiles", "CofferKeyItems", "CofferKeys",
                "CofferLibcrypto", "CofferPasswordFiles", "CofferScreen", "CofferStatusMessages", "CofferTrust",
                "CofferX509",
                "CommandSystem", "VaultFiles", "VaultSync",
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "CofferCommand", dependencies: ["CofferCLI"], swiftSettings: settings),

        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Coffer", "CofferTesting", "DeviceIdentity", "NotesApp", "NotesWidget", "PinServer", "SignIn",
                "SignToken", "TestSupport", "TLSIdentity",
            ] + security,
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferSecurityTests",
            dependencies: [
                "Coffer", "KeychainTestSupport", "SecItemWorker", "TestSupport", "VaultCrypto", "VaultFormat",
                "VaultStore",
            ] + security + localAuthentication,
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTestingTests",
            dependencies: ["Coffer", "CofferBasics", "CofferFoundation", "CofferTesting", "VaultFiles", "VaultStore"]
                + security,
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SecItemWorker",
            dependencies: ["Coffer"] + security + localAuthentication,
            path: "Tests/SecItemWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalAuthenticationTests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + localAuthentication,
            swiftSettings: settings
        ),
        // The same sources in both language modes: the second directory is a link to the first.
        .testTarget(
            name: "CallIdiomTests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + security,
            swiftSettings: warnings + [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "CallIdiomSwift5Tests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + security,
            swiftSettings: warnings + [.swiftLanguageMode(.v5)]
        ),

        // Example programs, and tools that are not products.
        .executableTarget(
            name: "ArchiveTour",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation"],
            path: "Sources/Examples/ArchiveTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultTour",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Sources/Examples/VaultTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreTour",
            dependencies: ["VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Sources/Examples/StoreTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "KeychainTour",
            dependencies: ["Coffer"],
            path: "Sources/Examples/KeychainTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "TravelDiary",
            dependencies: ["LocalPersistence"],
            path: "Sources/Examples/TravelDiary",
            swiftSettings: settings
        ),
        // For `./dev fuzz`, which has libFuzzer's `main`.
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CofferBasics", "CofferKeyFiles", "CofferKeys", "CofferPasswordFiles", "CofferX509", "KeyedArchive",
                "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FixtureTool",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFormat"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultBench",
            dependencies: [
                "CCofferLinux", "Coffer", "CofferBasics", "CofferEtcd", "CofferFleet", "CofferSecurity", "KeyedArchive",
                "KeyedArchiveFoundation", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "CCofferLinux", "CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat",
            ],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: ["CofferBasics", "KeyedArchive", "TestSupport", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Tests/StoreTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "KeychainTestSupport",
            dependencies: ["Coffer", "CofferBasics"],
            path: "Tests/KeychainTestSupport",
            swiftSettings: settings
        ),
        .testTarget(name: "TestSupportTests", dependencies: ["TestSupport", "VaultFiles"], swiftSettings: settings),
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
        .testTarget(
            name: "KeyFilesTests",
            dependencies: ["CofferKeyFiles", "CofferKeys", "CofferLibcrypto", "CofferX509", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "X509Tests", dependencies: ["CofferX509", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "VaultCryptoTests",
            dependencies: ["CCofferSodium", "CofferBasics", "TestSupport", "VaultCrypto", "VaultFormat"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferEtcdTests",
            dependencies: ["CofferBasics", "CofferEtcd", "TestSupport", "VaultFiles"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferFleetTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferEtcd", "CofferFleet", "KeyedArchive", "StoreWorker", "TestSupport",
                "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "LibcryptoTests", dependencies: ["CofferLibcrypto"], swiftSettings: settings),
        .testTarget(name: "VaultFilesTests", dependencies: ["TestSupport", "VaultFiles"], swiftSettings: settings),
        .testTarget(
            name: "VaultStoreTests",
            dependencies: [
                "CofferBasics", "KeyedArchive", "StoreTestSupport", "TestSupport", "VaultCrypto", "VaultFiles",
                "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferPasswordFilesTests",
            dependencies: ["CofferBasics", "CofferPasswordFiles", "TestSupport", "VaultCrypto"],
            exclude: ["Samples", "Writing/Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferScreenTests",
            dependencies: ["CofferBasics", "CofferScreen", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultSyncTests",
            dependencies: ["TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore", "VaultSync"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferFoundation", "CofferSecurity", "KeychainTestSupport", "KeychainWorker",
                "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferCLITests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferCLI", "CofferCommand", "CofferPasswordFiles", "CofferScreen",
                "CofferSecurity", "CommandSystem",
                "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            exclude: ["Oracle", "Transcripts"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalPersistenceTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferTesting", "KeyedArchive", "LocalPersistence", "PersistenceWorker",
                "TestSupport", "VaultFiles",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "PersistenceWorker",
            dependencies: ["LocalPersistence"],
            path: "Tests/PersistenceWorker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "KeychainWorker",
            dependencies: ["Coffer", "CofferSecurity"],
            path: "Tests/KeychainWorker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreWorker",
            dependencies: [
                "CofferBasics", "CofferEtcd", "CofferFleet", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles",
                "VaultFormat", "VaultStore",
            ],
            path: "Tests/StoreWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: ["StoreWorker", "TestSupport", "VaultFormat", "VaultStore"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "CCofferSodium", "CofferBasics", "KeyedArchive", "StoreTestSupport", "TestSupport", "VaultCrypto",
                "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CofferBasics", "StoreTestSupport", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat",
                "VaultStore",
            ],
            exclude: ["Planted"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultFormatTests",
            dependencies: ["CofferBasics", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFormat"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
    ] + portablePrograms
)

// `COFFER_TARGETS` names the targets that are built, with what they need, separated by commas: for `./dev test NAME` the
// tests that it runs, for `coffer swift` the modules.
if let names = Context.environment["COFFER_TARGETS"]?.split(separator: ",").map(String.init) {
    var needed: Set<String> = []
    var open = names
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for dependency in target.dependencies {
            switch dependency {
            case .byNameItem(let name, _), .targetItem(let name, _): open.append(name)
            default: break
            }
        }
        for case .plugin(let name, nil) in target.plugins ?? [] { open.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return targets.isEmpty || !targets.allSatisfy(needed.contains)
    }
}
