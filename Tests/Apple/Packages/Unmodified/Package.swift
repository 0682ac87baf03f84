// swift-tools-version: 6.0

import PackageDescription

// Packages that were not made for Linux, in the style of popular ones, and that do not mention Coffer: `./dev
// unmodified` builds them with `coffer swift`.

let package = Package(
    name: "Unmodified",
    dependencies: [
        .package(path: "AppleOnly"),
        .package(path: "InstanceKeychain"),
        .package(path: "MissingNames"),
        .package(path: "StaticKeychain"),
        .package(path: "StoredSecret"),
        .package(path: "swift-pinning"),
        .package(path: "Tutorials"),
        .package(path: "../Neighbours/Credentials"),
        .package(path: "../Neighbours/Stamp"),
        .package(path: "../Neighbours/Tokens"),
    ],
    targets: [
        .executableTarget(
            name: "Diary",
            dependencies: [
                .product(name: "AppleOnly", package: "AppleOnly"),
                .product(name: "Credentials", package: "Credentials"),
                .product(name: "InstanceKeychain", package: "InstanceKeychain"),
                .product(name: "JWTKit", package: "Tokens"),
                .product(name: "MissingNames", package: "MissingNames"),
                .product(name: "Pinning", package: "swift-pinning"),
                .product(name: "SharedKeychain", package: "AppleOnly"),
                .product(name: "Stamp", package: "Stamp"),
                .product(name: "StaticKeychain", package: "StaticKeychain"),
                .product(name: "StoredSecret", package: "StoredSecret"),
                .product(name: "Tutorials", package: "Tutorials"),
            ],
            linkerSettings: [.unsafeFlags(["-Xlinker", "-no_application_extension"])]
        ),
        .executableTarget(
            name: "Reader",
            dependencies: [.product(name: "SharedKeychain", package: "AppleOnly")]
        ),
        .testTarget(
            name: "DiaryTests",
            dependencies: [
                "Diary",
                .product(name: "InstanceKeychain", package: "InstanceKeychain"),
                .product(name: "StaticKeychain", package: "StaticKeychain"),
            ]
        ),
        // Links to tests of Coffer that need only Apple's names.
        .testTarget(name: "IdiomTests", swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
