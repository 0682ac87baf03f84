// swift-tools-version:5.3

import PackageDescription

let package = Package(
    name: "InstanceKeychain",
    platforms: [.iOS(.v12), .macOS(.v10_13)],
    products: [.library(name: "InstanceKeychain", targets: ["InstanceKeychain"])],
    targets: [.target(name: "InstanceKeychain")]
)
