// swift-tools-version: 6.0

import PackageDescription

// In the style of packages that store logins: in the keychain if there is one, else in memory.

let package = Package(
    name: "Credentials",
    products: [.library(name: "Credentials", targets: ["Credentials"])],
    targets: [.target(name: "Credentials")]
)
