// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// For the targets that call C: each use of unsafe memory is marked.
let strictSettings = settings + [.strictMemorySafety()]

/// Programs without a `main`, which only libFuzzer links: `./dev fuzz` asks for them.
let fuzzTargets: [Target] =
    ["FuzzPlist", "FuzzArchive", "FuzzXML"].map {
        .executableTarget(name: $0, dependencies: ["KeyedArchive"], swiftSettings: settings)
    } + [
        .executableTarget(
            name: "FuzzVault",
            dependencies: [
                "KeyedArchive", "VaultCompression", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        )
    ]

/// Modules that have the names of Apple's: on Apple systems those are there. `COFFER_SECURITY_PRODUCT` overrides that, where
/// the package is built for another system.
#if os(Linux)
    let isLinux = true
#else
    let isLinux = false
#endif
let hasAppleNames = Context.environment["COFFER_SECURITY_PRODUCT"].map { $0 == "1" } ?? isLinux

let appleNamedProducts: [Product] = [
    .library(name: "LocalAuthentication", targets: ["LocalAuthentication"]),
    .library(name: "Security", targets: ["Security"]),
    .plugin(name: "ImportSecurity", targets: ["ImportSecurity"]),
]

let appleNamedTargets: [Target] = [
    .target(name: "LocalAuthentication", swiftSettings: settings),
    .target(name: "Security", dependencies: ["CofferSecurity"], swiftSettings: settings),
    .plugin(name: "ImportSecurity", capability: .buildTool(), path: "Sources/Plugins/ImportSecurity"),

    // Programs as Apple systems run them too.
    .executableTarget(
        name: "NotesApp",
        dependencies: ["Security"],
        path: "Sources/Examples/NotesApp",
        exclude: ["NotesApp.entitlements"],
        swiftSettings: settings
    ),
    .executableTarget(
        name: "NotesWidget",
        dependencies: ["Security"],
        path: "Sources/Examples/NotesWidget",
        exclude: ["NotesWidget.entitlements"],
        swiftSettings: settings
    ),
    .executableTarget(
        name: "DeviceIdentity",
        dependencies: ["Security"],
        path: "Sources/Examples/DeviceIdentity",
        swiftSettings: settings
    ),
    .testTarget(
        name: "ExampleTests",
        dependencies: ["Coffer", "DeviceIdentity", "NotesApp", "NotesWidget", "Security", "TestSupport"],
        swiftSettings: settings
    ),
    .testTarget(
        name: "CofferSecurityTests",
        dependencies: [
            "Coffer", "SecItemWorker", "Security", "TestSupport", "VaultCrypto", "VaultFormat", "VaultStore",
        ],
        swiftSettings: settings
    ),
    .testTarget(
        name: "CofferTestingTests",
        dependencies: ["Coffer", "CofferTesting", "Security", "VaultFiles", "VaultStore", "VaultThreads"],
        swiftSettings: settings
    ),
    .executableTarget(
        name: "SecItemWorker",
        dependencies: ["Coffer", "Security"],
        path: "Tests/SecItemWorker",
        swiftSettings: settings
    ),
    .testTarget(
        name: "LocalAuthenticationTests",
        dependencies: ["LocalAuthentication"],
        swiftSettings: settings
    ),
    // The same sources twice, as programs of either mode have them: the second directory is a link to the first.
    .testTarget(
        name: "CallIdiomTests",
        dependencies: ["Coffer", "Security", "TestSupport"],
        swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    ),
    .testTarget(
        name: "CallIdiomSwift5Tests",
        dependencies: ["Coffer", "Security", "TestSupport"],
        swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
    ),
]

let package = Package(
    name: "Coffer",
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Coffer", targets: ["Coffer"]),
        .library(name: "CofferSecurity", targets: ["CofferSecurity"]),
        .library(name: "LocalPersistence", targets: ["LocalPersistence"]),
        .library(name: "CofferTesting", targets: ["CofferTesting"]),
        .library(name: "KeyedArchive", targets: ["KeyedArchive", "KeyedArchiveFoundation"]),
        .executable(name: "coffer", targets: ["CofferCommand"]),
    ] + (hasAppleNames ? appleNamedProducts : []),
    targets: [
        .target(name: "KeyedArchive", swiftSettings: settings),
        .target(name: "KeyedArchiveFoundation", dependencies: ["KeyedArchive"], swiftSettings: settings),

        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "VaultFormat", dependencies: ["KeyedArchive"], swiftSettings: settings),
        .target(name: "VaultThreads", swiftSettings: strictSettings),
        .target(
            name: "VaultCrypto",
            dependencies: ["CSodium", "VaultFormat", "VaultThreads"],
            swiftSettings: strictSettings
        ),
        .target(name: "VaultCompression", dependencies: ["CZlib", "VaultFormat"], swiftSettings: strictSettings),
        .target(
            name: "VaultFiles",
            dependencies: ["CLinux", "KeyedArchive", "VaultThreads"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "VaultStore",
            dependencies: [
                "KeyedArchive", "VaultCompression", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultThreads",
            ],
            swiftSettings: settings
        ),

        .target(
            name: "Coffer",
            dependencies: [
                "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore", "VaultThreads",
            ],
            swiftSettings: settings
        ),

        // What an app keeps beside its secrets.
        .target(
            name: "LocalPersistence",
            dependencies: [
                "Coffer", "KeyedArchive", "KeyedArchiveFoundation", "VaultCrypto", "VaultFiles", "VaultFormat",
                "VaultThreads",
            ],
            swiftSettings: settings
        ),
        // Keychains for the tests of programs, which bring Swift Testing with them.
        .target(
            name: "CofferTesting",
            dependencies: ["Coffer", "VaultFiles", "VaultFormat", "VaultStore", "VaultThreads"],
            swiftSettings: settings
        ),

        // What status codes say, for the module and for the command.
        .target(name: "StatusMessages", swiftSettings: settings),
        .target(name: "CofferSecurity", dependencies: ["Coffer", "StatusMessages"], swiftSettings: settings),

        // The command: its system calls, all that it does, and its main.
        .target(name: "CProgramStart"),
        .target(
            name: "CommandSystem",
            dependencies: ["CLinux", "CProgramStart", "VaultFiles"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferCLI",
            dependencies: [
                "Coffer", "CommandSystem", "KeyedArchive", "StatusMessages", "VaultCrypto", "VaultFiles", "VaultFormat",
                "VaultStore",
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "CofferCommand", dependencies: ["CofferCLI"], swiftSettings: settings),

        // Programs that show the products at work, and tools that never become products.
        .executableTarget(
            name: "ArchiveTour",
            dependencies: ["KeyedArchive", "KeyedArchiveFoundation"],
            path: "Sources/Examples/ArchiveTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultTour",
            dependencies: ["KeyedArchive", "VaultFormat", "VaultCrypto", "VaultFiles", "VaultStore"],
            path: "Sources/Examples/VaultTour",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreTour",
            dependencies: ["KeyedArchive", "VaultFormat", "VaultCrypto", "VaultFiles", "VaultStore"],
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
        .executableTarget(
            name: "FixtureTool",
            dependencies: ["VaultFormat", "VaultCrypto", "VaultCompression"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultBench",
            dependencies: [
                "Coffer", "CofferSecurity", "KeyedArchive", "KeyedArchiveFoundation", "VaultFormat", "VaultCrypto",
                "VaultCompression", "VaultFiles", "VaultStore",
            ],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "CLinux", "KeyedArchive", "VaultFormat", "VaultCrypto", "VaultCompression", "VaultFiles", "VaultStore",
                "VaultThreads",
            ],
            path: "Tests/TestSupport",
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
            name: "VaultCryptoTests",
            dependencies: ["CSodium", "VaultCrypto", "VaultFormat", "TestSupport"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultCompressionTests",
            dependencies: ["VaultCompression", "VaultFormat", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "VaultFilesTests", dependencies: ["VaultFiles", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "VaultStoreTests",
            dependencies: [
                "KeyedArchive", "VaultFormat", "VaultCrypto", "VaultFiles", "VaultStore", "TestSupport", "VaultThreads",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTests",
            dependencies: [
                "Coffer", "KeyedArchive", "KeychainWorker", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat",
                "VaultStore", "VaultThreads",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferCLITests",
            dependencies: [
                "Coffer", "CofferCLI", "CofferCommand", "CommandSystem", "KeyedArchive", "TestSupport", "VaultCrypto",
                "VaultFiles", "VaultFormat", "VaultStore",
            ],
            exclude: ["Oracle", "Transcripts"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LocalPersistenceTests",
            dependencies: [
                "Coffer", "CofferTesting", "KeyedArchive", "LocalPersistence", "PersistenceWorker", "TestSupport",
                "VaultFiles", "VaultThreads",
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
            dependencies: ["Coffer"],
            path: "Tests/KeychainWorker",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "StoreWorker",
            dependencies: ["KeyedArchive", "VaultFormat", "VaultCrypto", "VaultFiles", "VaultStore", "TestSupport"],
            path: "Tests/StoreWorker",
            swiftSettings: settings
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: ["StoreWorker", "VaultFormat", "VaultStore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "CSodium", "KeyedArchive", "VaultFormat", "VaultCrypto", "VaultCompression", "VaultStore",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: [
                "KeyedArchive", "VaultFormat", "VaultCrypto", "VaultFiles", "VaultStore", "TestSupport", "VaultThreads",
            ],
            exclude: ["Planted"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultFormatTests",
            dependencies: [
                "KeyedArchive", "VaultFormat", "VaultCrypto", "VaultCompression", "VaultStore", "TestSupport",
            ],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
    ] + (hasAppleNames ? appleNamedTargets : []) + (Context.environment["COFFER_FUZZ"] == "1" ? fuzzTargets : [])
)
