// swift-tools-version: 6.2

import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// For the targets that call C: each use of unsafe memory must be marked.
let strictSettings = settings + [.strictMemorySafety()]

/// Programs without a `main`, which only link with libFuzzer; `./dev fuzz` includes them.
let fuzzTargets: [Target] =
    ["FuzzPlist", "FuzzArchive", "FuzzXML"].map {
        .executableTarget(name: $0, dependencies: ["KeyedArchive"], swiftSettings: settings)
    } + [
        .executableTarget(name: "FuzzX509", dependencies: ["X509"], swiftSettings: settings),
        .executableTarget(
            name: "FuzzKeyFile",
            dependencies: ["AsymmetricKeys", "KeyFiles", "X509"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "FuzzVault",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            swiftSettings: settings
        ),
    ]

/// Modules with Apple's names are left out on Apple systems, which have their own. `COFFER_SECURITY_PRODUCT` overrides
/// this, for example when cross-compiling.
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

    // Programs that also run on Apple systems.
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
    .executableTarget(
        name: "SignIn",
        dependencies: ["Security"],
        path: "Sources/Examples/SignIn",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "SignToken",
        dependencies: ["Security"],
        path: "Sources/Examples/SignToken",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "PinServer",
        dependencies: ["Security"],
        path: "Sources/Examples/PinServer",
        swiftSettings: settings
    ),
    .executableTarget(
        name: "TLSIdentity",
        dependencies: ["Security"],
        path: "Sources/Examples/TLSIdentity",
        swiftSettings: settings
    ),
    .testTarget(
        name: "ExampleTests",
        dependencies: [
            "Coffer", "DeviceIdentity", "NotesApp", "NotesWidget", "PinServer", "Security", "SignIn", "SignToken",
            "TLSIdentity", "TestSupport",
        ],
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
        dependencies: ["Coffer", "CofferBasics", "CofferTesting", "Security", "VaultFiles", "VaultStore"],
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
    // The same sources in both language modes: the second directory is a link to the first.
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
        .library(name: "Coffer", targets: ["Coffer", "CofferFoundation"]),
        .library(name: "CofferSecurity", targets: ["CofferSecurity"]),
        .library(name: "LocalPersistence", targets: ["LocalPersistence"]),
        .library(name: "CofferTesting", targets: ["CofferTesting"]),
        .library(name: "KeyedArchive", targets: ["KeyedArchive", "KeyedArchiveFoundation"]),
        .executable(name: "coffer", targets: ["CofferCommand"]),
    ] + (hasAppleNames ? appleNamedProducts : []),
    targets: [
        .target(name: "CofferBasics", swiftSettings: strictSettings),
        .target(name: "KeyedArchive", dependencies: ["CofferBasics"], swiftSettings: settings),
        .target(name: "KeyedArchiveFoundation", dependencies: ["KeyedArchive"], swiftSettings: settings),
        .target(name: "X509", dependencies: ["CofferBasics"], swiftSettings: settings),

        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CLibcrypto"),
        .target(name: "Libcrypto", dependencies: ["CLibcrypto", "CofferBasics"], swiftSettings: strictSettings),
        .target(
            name: "VaultCrypto",
            dependencies: ["CofferBasics", "CSodium", "CZlib"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "AsymmetricKeys",
            dependencies: ["CofferBasics", "Libcrypto", "VaultCrypto", "X509"],
            swiftSettings: settings
        ),
        .target(
            name: "KeyFiles",
            dependencies: ["AsymmetricKeys", "CofferBasics", "Libcrypto", "VaultCrypto", "X509"],
            swiftSettings: settings
        ),
        .target(
            name: "VaultFormat",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto"],
            swiftSettings: settings
        ),
        .target(name: "VaultFiles", dependencies: ["CLinux", "CofferBasics"], swiftSettings: strictSettings),
        .target(
            name: "Trust",
            dependencies: ["AsymmetricKeys", "Libcrypto", "VaultFiles", "X509"],
            swiftSettings: settings
        ),
        .target(
            name: "VaultStore",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFiles", "VaultFormat"],
            swiftSettings: settings
        ),

        .target(
            name: "Coffer",
            dependencies: ["CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            swiftSettings: settings
        ),

        .target(
            name: "KeyItems",
            dependencies: ["AsymmetricKeys", "Coffer", "Libcrypto", "X509"],
            swiftSettings: settings
        ),

        .target(name: "CofferFoundation", dependencies: ["Coffer"], swiftSettings: settings),

        // The data that an app keeps beside its secrets.
        .target(
            name: "LocalPersistence",
            dependencies: [
                "Coffer", "CofferBasics", "KeyedArchive", "KeyedArchiveFoundation", "VaultFiles",
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
        .target(name: "StatusMessages", swiftSettings: settings),
        .target(
            name: "CofferSecurity",
            dependencies: [
                "AsymmetricKeys", "Coffer", "CofferBasics", "KeyFiles", "KeyItems", "Libcrypto", "StatusMessages",
                "Trust",
                "X509",
            ],
            swiftSettings: settings
        ),

        // The command: its system calls, its verbs and its `main`.
        .target(name: "CProgramStart"),
        .target(
            name: "CommandSystem",
            dependencies: ["CLinux", "CProgramStart", "VaultFiles"],
            swiftSettings: strictSettings
        ),
        .target(
            name: "CofferCLI",
            dependencies: [
                "AsymmetricKeys", "Coffer", "CofferBasics", "CommandSystem", "KeyFiles", "KeyItems", "Libcrypto",
                "StatusMessages", "Trust", "VaultFiles", "X509",
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "CofferCommand", dependencies: ["CofferCLI"], swiftSettings: settings),

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
        .executableTarget(
            name: "FixtureTool",
            dependencies: ["CofferBasics", "VaultCrypto", "VaultFormat"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "VaultBench",
            dependencies: [
                "CLinux", "Coffer", "CofferBasics", "CofferSecurity", "KeyedArchive", "KeyedArchiveFoundation",
                "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),

        .target(
            name: "TestSupport",
            dependencies: [
                "CLinux", "CofferBasics", "KeyedArchive", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
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
            name: "KeyFilesTests",
            dependencies: ["AsymmetricKeys", "KeyFiles", "Libcrypto", "TestSupport", "X509"],
            swiftSettings: settings
        ),
        .testTarget(name: "X509Tests", dependencies: ["TestSupport", "X509"], swiftSettings: settings),
        .testTarget(
            name: "VaultCryptoTests",
            dependencies: ["CofferBasics", "CSodium", "TestSupport", "VaultCrypto", "VaultFormat"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
        .testTarget(name: "LibcryptoTests", dependencies: ["Libcrypto"], swiftSettings: settings),
        .testTarget(name: "VaultFilesTests", dependencies: ["VaultFiles", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "VaultStoreTests",
            dependencies: [
                "CofferBasics", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferTests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferFoundation", "CofferSecurity", "KeychainWorker", "KeyedArchive",
                "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CofferCLITests",
            dependencies: [
                "Coffer", "CofferBasics", "CofferCLI", "CofferCommand", "CofferSecurity", "CommandSystem",
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
                "CofferBasics", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore",
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
                "CofferBasics", "CSodium", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFormat", "VaultStore",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CrashTests",
            dependencies: ["CofferBasics", "TestSupport", "VaultCrypto", "VaultFiles", "VaultFormat", "VaultStore"],
            exclude: ["Planted"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "VaultFormatTests",
            dependencies: ["CofferBasics", "KeyedArchive", "TestSupport", "VaultCrypto", "VaultFormat", "VaultStore"],
            exclude: ["Oracle"],
            swiftSettings: settings
        ),
    ] + (hasAppleNames ? appleNamedTargets : []) + (Context.environment["COFFER_FUZZ"] == "1" ? fuzzTargets : [])
)

// `./dev test NAME` builds only the tests that it runs, and what they need: `COFFER_TESTS` names their targets, separated
// by commas.
if let names = Context.environment["COFFER_TESTS"]?.split(separator: ",").map(String.init) {
    var needed: Set<String> = []
    var open = names
    while let name = open.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let name, _) in target.dependencies { open.append(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { product in
        let targets = (product as? Product.Library)?.targets ?? (product as? Product.Executable)?.targets ?? []
        return targets.isEmpty || !targets.allSatisfy(needed.contains)
    }
}
