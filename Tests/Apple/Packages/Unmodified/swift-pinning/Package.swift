// swift-tools-version: 5.9

import PackageDescription

// Ready for Linux: what it does with Security needs more of Apple's Foundation than Linux has.

let package = Package(
    name: "Pinning",
    products: [.library(name: "Pinning", targets: ["Pinning"])],
    targets: [.target(name: "Pinning")]
)
