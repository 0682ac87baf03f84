// swift-tools-version: 6.0

import PackageDescription

// In the style of packages that remember logins: in the keychain where there is one, and in memory where there is none.

let package = Package(
    name: "Credentials",
    products: [.library(name: "Credentials", targets: ["Credentials"])],
    targets: [.target(name: "Credentials")]
)
