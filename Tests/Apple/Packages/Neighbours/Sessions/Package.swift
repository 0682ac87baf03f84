// swift-tools-version: 6.0

import PackageDescription

// A library over the keychain, for other packages. Its files import only Foundation; the plugin does the rest.

let package = Package(
    name: "Sessions",
    products: [.library(name: "Sessions", targets: ["Sessions"])],
    dependencies: [.package(url: Context.environment["COFFER_URL"] ?? "", from: "0.1.0")],
    targets: [
        .target(
            name: "Sessions",
            dependencies: [.product(name: "Security", package: "coffer", condition: .when(platforms: [.linux]))],
            swiftSettings: [.swiftLanguageMode(.v5)],
            plugins: [.plugin(name: "ImportSecurity", package: "coffer")]
        )
    ]
)
