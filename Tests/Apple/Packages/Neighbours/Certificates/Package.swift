// swift-tools-version: 5.9

import PackageDescription

// In the style of swift-certificates, whose module has this name too.

let package = Package(
    name: "Certificates",
    products: [.library(name: "X509", targets: ["X509"])],
    targets: [.target(name: "X509")]
)
