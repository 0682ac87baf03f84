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

/// The modules for `import Security` and `import LocalAuthentication`, which Apple's systems have themselves.
///
/// In Swift, a module with such a name would be visible in every package of a graph. A module in C is visible only to what
/// depends on it. These have no content: they pass on the modules in Swift.
let appleNames = ["Security", "LocalAuthentication"]

/// The targets with these names, separated by spaces; one of `appleNames` stands for both of its modules.
func dependencies(_ names: [String]) -> [Target.Dependency] {
    names.joined(separator: " ").split(separator: " ").map(String.init).flatMap { name -> [Target.Dependency] in
        guard appleNames.contains(name) else { return [.byName(name: name)] }
        return [name + "Name", "Coffer" + name].map { .target(name: $0, condition: .when(platforms: [.linux])) }
    }
}

/// Where a target is, and what it is called, from its wing and name, such as `Base/CofferBasics`.
func place(_ target: String) -> (path: String, name: String) {
    let isSupport = target.hasPrefix("Support/")
    return ((isSupport ? "Tests/" : "Sources/") + target, String(target.split(separator: "/").last ?? ""))
}

/// For modules in which nothing takes time: less code, and no copy of a function for each closure that it is called with.
///
/// The code of CofferCLI shrinks by 21 %. In the store, lookups would need a third more instructions.
let sizeFlags = ["-Osize", "-Xllvm", "-sil-disable-pass=closure-specialize"]

/// A module, and what it imports.
///
/// In a strict one, which calls C, each use of unsafe memory is marked. A small one is built with `sizeFlags`.
func module(_ target: String, _ imports: String..., strict: Bool = false, small: Bool = false) -> Target {
    .target(
        name: place(target).name,
        dependencies: dependencies(imports),
        path: place(target).path,
        swiftSettings: settings + (strict ? [.strictMemorySafety()] : [])
            + (small ? [.unsafeFlags(sizeFlags, .when(configuration: .release))] : [])
    )
}

/// A program, and what it imports.
func program(_ target: String, _ imports: String..., plugins: [Target.PluginUsage]? = nil) -> Target {
    .executableTarget(
        name: place(target).name,
        dependencies: dependencies(imports),
        path: place(target).path,
        swiftSettings: settings,
        plugins: plugins
    )
}

/// Tests, and what they import beside TestSupport.
func tests(
    _ target: String,
    _ imports: String...,
    exclude: [String] = [],
    settings: [SwiftSetting] = settings
) -> Target {
    .testTarget(
        name: place(target).name,
        dependencies: dependencies(imports + ["TestSupport"]),
        path: "Tests/" + target,
        exclude: exclude,
        swiftSettings: settings
    )
}

/// A library of the system, and the package of Debian that contains its headers.
func system(_ name: String, _ pkgConfig: String? = nil, _ package: String? = nil) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/Base/C/\(name)",
        pkgConfig: pkgConfig,
        providers: package.map { [.apt([$0])] }
    )
}

/// What tests of the store, and of what is built on it, import.
let store = "CofferBasics KeyedArchive VaultCrypto VaultFiles VaultFormat VaultStore"

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
        // Base.
        system("CCofferCurl"),
        system("CCofferLibcrypto"),
        system("CCofferLinux"),
        system("CCofferSodium", "libsodium", "libsodium-dev"),
        system("CCofferZlib", "zlib", "zlib1g-dev"),
        module("Base/CofferBasics", strict: true),
        module("Base/VaultCrypto", "CCofferSodium CCofferZlib CofferBasics", strict: true),
        module("Base/VaultFiles", "CCofferLinux CofferBasics", strict: true),

        // Archive.
        module("Archive/KeyedArchive", "CofferBasics"),
        module("Archive/KeyedArchiveFoundation", "KeyedArchive"),

        // Vault.
        module("Vault/VaultFormat", "CofferBasics KeyedArchive VaultCrypto"),
        module("Vault/VaultStore", "CofferBasics VaultCrypto VaultFiles VaultFormat"),
        module("Vault/VaultSync", "CofferBasics VaultCrypto VaultFiles VaultFormat", small: true),

        // Keychain.
        module("Keychain/Coffer", "CofferBasics KeyedArchive VaultCrypto VaultFiles VaultFormat VaultStore"),
        module("Keychain/CofferFoundation", "Coffer CofferBasics"),
        module(
            "Keychain/LocalPersistence",
            "Coffer CofferBasics CofferFoundation KeyedArchive KeyedArchiveFoundation VaultFiles"
        ),
        module("Keychain/CofferTesting", "Coffer CofferBasics VaultFiles VaultFormat VaultStore"),

        // Apple.
        module("Apple/CofferCertificates", "CCofferLibcrypto CofferBasics VaultCrypto VaultFiles", strict: true),
        module("Apple/CofferKeyItems", "Coffer CofferCertificates"),
        module("Apple/CofferLocalAuthentication", "Coffer CofferBasics"),
        module(
            "Apple/CofferSecurity",
            "Coffer CofferBasics CofferCertificates CofferKeyItems CofferLocalAuthentication"
        ),
        module("Apple/Names/SecurityName"),
        module("Apple/Names/LocalAuthenticationName"),
        .plugin(name: "ImportSecurity", capability: .buildTool(), path: "Sources/Apple/ImportSecurity"),

        // Fleet.
        module(
            "Fleet/CofferFleet",
            "CCofferCurl Coffer CofferBasics VaultCrypto VaultFiles VaultFormat VaultStore",
            strict: true
        ),

        // Library.
        .systemLibrary(name: "CCoffer", path: "Sources/Library/CCoffer"),
        module("Library/CofferLibrary", "CCoffer CCofferLinux Coffer CofferBasics", strict: true),

        // Command.
        module("Command/CofferPasswordFiles", "CofferBasics VaultCrypto", small: true),
        module("Command/CofferScreen", "CofferBasics", small: true),
        module("Command/CProgramStart"),
        module(
            "Command/CommandSystem",
            "CCofferLinux CofferBasics CProgramStart VaultFiles",
            strict: true,
            small: true
        ),
        module(
            "Command/CofferCLI",
            "Coffer CofferBasics CofferCertificates CofferFleet CofferKeyItems CofferPasswordFiles CofferScreen",
            "CommandSystem VaultFiles VaultSync",
            small: true
        ),
        program("Command/CofferCommand", "CofferCLI"),

        // Examples; the entitlements beside the sources are embedded.
        program("Examples/ArchiveTour", "KeyedArchive KeyedArchiveFoundation"),
        program("Examples/KeychainTour", "Coffer"),
        program("Examples/NotesApp", "Security", plugins: ["ImportSecurity"]),
        program("Examples/NotesWidget", "Security", plugins: ["ImportSecurity"]),
        program("Examples/StoreTour", "VaultCrypto VaultFiles VaultFormat VaultStore"),
        program("Examples/TravelDiary", "LocalPersistence"),
        program("Examples/VaultTour", "CofferBasics VaultCrypto VaultFiles VaultFormat VaultStore"),

        // Tools.
        program("Tools/FixtureTool", "CofferBasics VaultCrypto"),
        program(
            "Tools/Fuzz",
            "CofferBasics CofferCertificates CofferPasswordFiles KeyedArchive VaultCrypto VaultFiles VaultFormat",
            "VaultStore"
        ),
        program(
            "Tools/VaultBench",
            "CCofferLinux Coffer CofferBasics CofferFleet CofferSecurity KeyedArchive KeyedArchiveFoundation",
            "VaultCrypto VaultFiles VaultFormat VaultStore"
        ),

        // Support of the tests: modules, and programs that run beside them.
        module("Support/KeychainTestSupport", "Coffer CofferBasics"),
        program("Support/KeychainWorker", "Coffer CofferSecurity"),
        program("Support/PersistenceWorker", "LocalPersistence"),
        program("Support/SecItemWorker", "Coffer LocalAuthentication Security"),
        module("Support/StoreTestSupport", "CofferBasics KeyedArchive TestSupport VaultFiles VaultFormat VaultStore"),
        program("Support/StoreWorker", store, "CofferFleet TestSupport"),
        module("Support/TestSupport", "CCofferLinux CofferBasics KeyedArchive VaultCrypto VaultFiles VaultFormat"),

        // Tests. Those of call idioms have the same sources in both language modes: one directory is a link to the other.
        tests("Base/CofferBasicsTests", "CofferBasics"),
        tests("Base/VaultCryptoTests", "CCofferSodium CofferBasics VaultCrypto VaultFormat", exclude: ["Oracle"]),
        tests("Base/VaultFilesTests", "VaultFiles"),
        tests("Archive/KeyedArchiveFoundationTests", "KeyedArchive KeyedArchiveFoundation", exclude: ["Oracle"]),
        tests("Archive/KeyedArchiveTests", "KeyedArchive"),
        tests("Vault/ConformanceTests", store, "CCofferSodium StoreTestSupport"),
        tests("Vault/CrashTests", store, "StoreTestSupport", exclude: ["Planted"]),
        tests("Vault/ProcessTests", "StoreWorker VaultFormat VaultStore"),
        tests("Vault/VaultFormatTests", "CofferBasics KeyedArchive VaultCrypto VaultFormat", exclude: ["Oracle"]),
        tests("Vault/VaultStoreTests", store, "StoreTestSupport"),
        tests("Vault/VaultSyncTests", store, "VaultSync"),
        tests(
            "Keychain/CofferTestingTests",
            "Coffer CofferBasics CofferFoundation CofferTesting Security VaultFiles VaultStore"
        ),
        tests(
            "Keychain/CofferTests",
            store,
            "Coffer CofferFoundation CofferSecurity CofferTesting KeychainTestSupport KeychainWorker"
        ),
        tests(
            "Keychain/LocalPersistenceTests",
            "Coffer CofferBasics CofferTesting KeyedArchive LocalPersistence PersistenceWorker VaultFiles"
        ),
        tests(
            "Apple/CallIdiomSwift5Tests",
            "Coffer KeychainTestSupport Security",
            settings: warnings + [.swiftLanguageMode(.v5)]
        ),
        tests(
            "Apple/CallIdiomTests",
            "Coffer KeychainTestSupport Security",
            settings: warnings + [.swiftLanguageMode(.v6)]
        ),
        tests("Apple/CofferCertificatesTests", "CofferCertificates"),
        tests(
            "Apple/CofferSecurityTests",
            "Coffer KeychainTestSupport LocalAuthentication SecItemWorker Security VaultCrypto VaultFormat",
            "VaultStore"
        ),
        tests("Apple/LocalAuthenticationTests", "Coffer KeychainTestSupport LocalAuthentication"),
        tests("Fleet/CofferFleetTests", store, "Coffer CofferFleet StoreTestSupport StoreWorker"),
        tests(
            "Command/CofferCLITests",
            store,
            "Coffer CofferCLI CofferCommand CofferPasswordFiles CofferScreen CofferSecurity CommandSystem",
            exclude: ["Oracle", "Transcripts"]
        ),
        tests(
            "Command/CofferPasswordFilesTests",
            "CofferBasics CofferPasswordFiles VaultCrypto",
            exclude: ["Samples", "Writing/Oracle"]
        ),
        tests("Command/CofferScreenTests", "CofferBasics CofferScreen"),
        tests(
            "Examples/ExampleTests",
            "Coffer CofferTesting DeviceIdentity NotesApp NotesWidget PinServer Security SignIn SignToken",
            "TLSIdentity"
        ),
        tests("Tools/ArchitectureTests"),
        tests("Support/TestSupportTests", "VaultFiles"),
    ]
        + ["DeviceIdentity", "PinServer", "SignIn", "SignToken", "TLSIdentity"].map {
            program("Examples/\($0)", "Security")
        }
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
