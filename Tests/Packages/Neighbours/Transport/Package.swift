// swift-tools-version: 5.9

import PackageDescription

// In the style of packages for TLS, HTTP and JWT, which use `Security` where it exists and something else elsewhere.

let package = Package(
    name: "Transport",
    products: [.library(name: "Transport", targets: ["Transport"])],
    targets: [.target(name: "Transport")]
)
