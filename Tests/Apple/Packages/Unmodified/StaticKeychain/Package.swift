// swift-tools-version:5.9

import PackageDescription

let package = Package(
    name: "StaticKeychain",
    products: [.library(name: "StaticKeychain", targets: ["StaticKeychain"])],
    targets: [.target(name: "StaticKeychain")]
)
