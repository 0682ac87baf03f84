// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "StoredSecret",
    products: [.library(name: "StoredSecret", targets: ["StoredSecret"])],
    targets: [
        .target(name: "StoredSecret", swiftSettings: [.enableUpcomingFeature("InternalImportsByDefault")])
    ]
)
