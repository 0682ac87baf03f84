// swift-tools-version:5.9

import PackageDescription

let package = Package(
    name: "Tutorials",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "Tutorials", targets: ["Tutorials"])],
    targets: [.target(name: "Tutorials")]
)
