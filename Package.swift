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
        .target(name: "CofferBasics", path: "Sources/Base/CofferBasics", swiftSettings: strictSettings),
        .target(
            name: "KeyedArchive",
            dependencies: ["CofferBasics"],
            path: "Sources/Archive/KeyedArchive",
            swiftSettings: settings
        ),
        .target(
            name: "KeyedArchiveFoundation",
            dependencies: ["KeyedArchive"],
            path: "Sources/Archive/KeyedArchiveFoundation",
            swiftSettings: settings
        ),
        .target(
            name: "CofferX509",
            dependencies: ["CofferBasics"],
            path: "Sources/Apple/CofferCertificates/X509",
            swiftSettings: settings
        ),

        .systemLibrary(
            name: "CCofferSodium",
            path: "Sources/Base/C/CCofferSodium",
            pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"])]
        ),
        .systemLibrary(
            name: "CCofferZlib",
            path: "Sources/Base/C/CCofferZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"])]
        ),
        .systemLibrary(name: "CCofferLinux", path: "Sources/Base/C/CCofferLinux"),
        .systemLibrary(name: "CCofferLibcrypto", path: "Sources/Base/C/CCofferLibcrypto"),
        .target(
            name: "CofferLibcrypto",
            dependencies: ["CCofferLibcrypto", "CofferBasics"],
            path: "Sources/Apple/CofferCertificates/Libcrypto",
            swiftSettings: strictSettings
        ),
        .target(
            name: "VaultCrypto",
            dependencies: ["CCofferSodium", "CCofferZlib", "CofferBasics"],
            path: "Sources/Base/VaultCrypto",
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferKeys",
            dependencies: ["CofferBasics", "CofferLibcrypto", "CofferX509", "VaultCrypto"],
            path: "Sources/Apple/CofferCertificates/Keys",
            swiftSettings: settings
        ),
        .target(
            name: "CofferKeyFiles",
            dependencies: ["CofferBasics", "CofferKeys", "CofferLibcrypto", "CofferX509", "VaultCrypto"],
            path: "Sources/Apple/CofferCertificates/KeyFiles",
            swiftSettings: settings
        ),
        .target(
            name: "VaultFormat",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto"],
            path: "Sources/Vault/VaultFormat",
            swiftSettings: settings
        ),
        .target(
            name: "VaultFiles",
            dependencies: ["CCofferLinux", "CofferBasics"],
            path: "Sources/Base/VaultFiles",
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferTrust",
            dependencies: ["CofferKeys", "CofferLibcrypto", "CofferX509", "VaultFiles"],
            path: "Sources/Apple/CofferCertificates/Trust",
            swiftSettings: settings
        ),
        .target(
            name: "VaultStore",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
            path: "Sources/Vault/VaultStore",
            swiftSettings: settings
        ),

        // Vault files between machines, without their keys.
        .target(
            name: "VaultSync",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
            path: "Sources/Vault/VaultSync",
            swiftSettings: settings
        ),

        .target(
            name: "Coffer",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Sources/Keychain/Coffer",
            swiftSettings: settings
        ),

        .target(
            name: "CofferKeyItems",
            dependencies: ["Coffer", "CofferKeys", "CofferLibcrypto", "CofferX509"],
            path: "Sources/Apple/CofferKeyItems",
            swiftSettings: settings
        ),

        .target(
            name: "CofferFoundation",
            dependencies: ["Coffer", "CofferBasics"],
            path: "Sources/Keychain/CofferFoundation",
            swiftSettings: settings
        ),

        // The data that an app keeps beside its secrets.
        .target(
            name: "LocalPersistence",
            dependencies: [
                "Coffer", "CofferBasics", "CofferFoundation", "KeyedArchive", "KeyedArchiveFoundation", "VaultFiles",
            ],
            path: "Sources/Keychain/LocalPersistence",
            swiftSettings: settings
        ),
        // Keychains for the tests of programs; imports Swift Testing.
        .target(
            name: "CofferTesting",
            dependencies: ["Coffer", "CofferBasics", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Sources/Keychain/CofferTesting",
            swiftSettings: settings
        ),

        // Messages of status codes, for the module and for the command.
        .target(name: "CofferStatusMessages", path: "Sources/Apple/CofferStatusMessages", swiftSettings: settings),
        .target(
            name: "CofferSecurity",
            dependencies: [
                "Coffer", "CofferBasics", "CofferKeyFiles", "CofferKeyItems", "CofferKeys", "CofferLibcrypto",
                "CofferLocalAuthentication", "CofferStatusMessages", "CofferTrust", "CofferX509",
            ],
            path: "Sources/Apple/CofferSecurity",
            swiftSettings: settings
        ),

        .target(name: "SecurityName", path: "Sources/Apple/Names/SecurityName"),
        .target(
            name: "CofferLocalAuthentication",
            dependencies: ["Coffer", "CofferBasics"],
            path: "Sources/Apple/CofferLocalAuthentication",
            swiftSettings: settings
        ),
        .target(name: "LocalAuthenticationName", path: "Sources/Apple/Names/LocalAuthenticationName"),
        .plugin(name: "ImportSecurity", capability: .buildTool(), path: "Sources/Apple/ImportSecurity"),

        // The C interface.
        .systemLibrary(name: "CCoffer", path: "Sources/Library/CCoffer"),
        .target(
            name: "CofferLibrary",
            dependencies: ["CCoffer", "CCofferLinux", "Coffer", "CofferBasics"],
            path: "Sources/Library/CofferLibrary",
            swiftSettings: strictSettings
        ),

        // Password files of other programs, and the screen of `coffer browse`.
        .target(
            name: "CofferPasswordFiles",
            dependencies: ["CofferBasics", "VaultCrypto"],
            path: "Sources/Command/CofferPasswordFiles",
            swiftSettings: settings
        ),
        // A vault that many machines share through etcd.
        .systemLibrary(name: "CCofferCurl", path: "Sources/Base/C/CCofferCurl"),
        .target(
            name: "CofferEtcd",
            dependencies: ["CCofferCurl", "CofferBasics", "VaultFiles"],
            path: "Sources/Fleet/CofferEtcd",
            swiftSettings: strictSettings
        ),

        .target(
            name: "CofferFleet",
            dependencies: [
                "Coffer", "CofferBasics", "CofferEtcd", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            path: "Sources/Fleet/CofferFleet",
            swiftSettings: settings
        ),
        .target(
            name: "CofferScreen",
            dependencies: ["CofferBasics"],
            path: "Sources/Command/CofferScreen",
            swiftSettings: settings
        ),

        // The command: its system calls, its verbs and its `main`.
        .target(name: "CProgramStart", path: "Sources/Command/CProgramStart"),
        .target(
            name: "CommandSystem",
            dependencies: ["CCofferLinux", "CofferBasics", "CProgramStart", "VaultFiles"],
            path: "Sources/Command/CommandSystem",
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
            path: "Sources/Command/CofferCLI",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "CofferCommand",
            dependencies: ["CofferCLI"],
            path: "Sources/Command/CofferCommand",
            swiftSettings: settings
        ),

        .testTarget(
            name: "ExampleTests",
            dependencies: [
                "Coffer", "CofferTesting", "DeviceIdentity", "NotesApp", "NotesWidget", "PinServer", "SignIn",
                "SignToken", "TestSupport", "TLSIdentity",
            ] + security,
            path: "Tests/Examples/ExampleTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferSecurityTests",
            dependencies: [
                "Coffer", "KeychainTestSupport", "SecItemWorker", "TestSupport", "VaultCrypto", "VaultFormat",
                "VaultStore",
            ] + security + localAuthentication,
            path: "Tests/Apple/CofferSecurityTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTestingTests",
            dependencies: ["Coffer", "CofferBasics", "CofferFoundation", "CofferTesting", "VaultFiles", "VaultStore"]
                + security,
            path: "Tests/Keychain/CofferTestingTests",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "SecItemWorker",
            dependencies: ["Coffer"] + security + localAuthentication,
            path: "Tests/Support/SecItemWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalAuthenticationTests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + localAuthentication,
            path: "Tests/Apple/LocalAuthenticationTests",
            swiftSettings: settings
        ),
        // The same sources in both language modes: the second directory is a link to the first.
        .testTarget(
            name: "CallIdiomTests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + security,
            path: "Tests/Apple/CallIdiomTests",
            swiftSettings: warnings + [.swiftLanguageMode(.v6)]
        ),
        .testTarget(
            name: "CallIdiomSwift5Tests",
            dependencies: ["Coffer", "KeychainTestSupport", "TestSupport"] + security,
            path: "Tests/Apple/CallIdiomSwift5Tests",
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
            path: "Sources/Tools/Fuzz",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FixtureTool",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFormat"],
            path: "Sources/Tools/FixtureTool",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultBench",
            dependencies: [
                "CCofferLinux", "Coffer", "CofferBasics", "CofferEtcd", "CofferFleet", "CofferSecurity", "KeyedArchive",
                "KeyedArchiveFoundation", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            path: "Sources/Tools/VaultBench",
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "CCofferLinux", "CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat",
            ],
            path: "Tests/Support/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "StoreTestSupport",
            dependencies: ["CofferBasics", "KeyedArchive", "TestSupport", "VaultFiles", "VaultFormat", "VaultStore"],
            path: "Tests/Support/StoreTestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "KeychainTestSupport",
            dependencies: ["Coffer", "CofferBasics"],
            path: "Tests/Support/KeychainTestSupport",
            swiftSettings: settings
        ),
        .testTarget(
            name: "TestSupportTests",
            dependencies: ["TestSupport", "VaultFiles"],
            path: "Tests/Support/TestSupportTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ArchitectureTests",
            dependencies: ["TestSupport"],
            path: "Tests/Tools/ArchitectureTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "KeyedArchiveTests",
            dependencies: ["KeyedArchive", "TestSupport"],
            path: "Tests/Archive/KeyedArchiveTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "KeyedArchiveFoundationTests",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation", "TestSupport"],
            path: "Tests/Archive/KeyedArchiveFoundationTests",
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "KeyFilesTests",
            dependencies: ["CofferKeyFiles", "CofferKeys", "CofferLibcrypto", "CofferX509", "TestSupport"],
            path: "Tests/Apple/KeyFilesTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "X509Tests",
            dependencies: ["CofferX509", "TestSupport"],
            path: "Tests/Apple/X509Tests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultCryptoTests",
            dependencies: ["CCofferSodium", "CofferBasics", "TestSupport", "VaultCrypto", "VaultFormat"],
            path: "Tests/Base/VaultCryptoTests",
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferEtcdTests",
            dependencies: ["CofferBasics", "CofferEtcd", "TestSupport", "VaultFiles"],
            path: "Tests/Fleet/CofferEtcdTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferFleetTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferEtcd", "CofferFleet", "KeyedArchive", "StoreWorker", "TestSupport",
                "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            path: "Tests/Fleet/CofferFleetTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LibcryptoTests",
            dependencies: ["CofferLibcrypto"],
            path: "Tests/Apple/LibcryptoTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultFilesTests",
            dependencies: ["TestSupport", "VaultFiles"],
            path: "Tests/Base/VaultFilesTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultStoreTests",
            dependencies: [
                "CofferBasics", "KeyedArchive", "StoreTestSupport", "TestSupport", "VaultCrypto", "VaultFiles",
                "VaultFormat", "VaultStore",
            ],
            path: "Tests/Vault/VaultStoreTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferPasswordFilesTests",
            dependencies: ["CofferBasics", "CofferPasswordFiles", "TestSupport", "VaultCrypto"],
            path: "Tests/Command/CofferPasswordFilesTests",
            exclude: ["Samples", "Writing/Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferScreenTests",
            dependencies: ["CofferBasics", "CofferScreen", "TestSupport"],
            path: "Tests/Command/CofferScreenTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultSyncTests",
            dependencies: ["TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore", "VaultSync"],
            path: "Tests/Vault/VaultSyncTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferFoundation", "CofferSecurity", "KeychainTestSupport", "KeychainWorker",
                "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            path: "Tests/Keychain/CofferTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferCLITests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferCLI", "CofferCommand", "CofferPasswordFiles", "CofferScreen",
                "CofferSecurity", "CommandSystem",
                "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            path: "Tests/Command/CofferCLITests",
            exclude: ["Oracle", "Transcripts"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalPersistenceTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferTesting", "KeyedArchive", "LocalPersistence", "PersistenceWorker",
                "TestSupport", "VaultFiles",
            ],
            path: "Tests/Keychain/LocalPersistenceTests",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "PersistenceWorker",
            dependencies: ["LocalPersistence"],
            path: "Tests/Support/PersistenceWorker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "KeychainWorker",
            dependencies: ["Coffer", "CofferSecurity"],
            path: "Tests/Support/KeychainWorker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreWorker",
            dependencies: [
                "CofferBasics", "CofferEtcd", "CofferFleet", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles",
                "VaultFormat", "VaultStore",
            ],
            path: "Tests/Support/StoreWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: ["StoreWorker", "TestSupport", "VaultFormat", "VaultStore"],
            path: "Tests/Vault/ProcessTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "CCofferSodium", "CofferBasics", "KeyedArchive", "StoreTestSupport", "TestSupport", "VaultCrypto",
                "VaultFormat", "VaultStore",
            ],
            path: "Tests/Vault/ConformanceTests",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "CofferBasics", "StoreTestSupport", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat",
                "VaultStore",
            ],
            path: "Tests/Vault/CrashTests",
            exclude: ["Planted"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultFormatTests",
            dependencies: ["CofferBasics", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFormat"],
            path: "Tests/Vault/VaultFormatTests",
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
