// swift-tools-version:5.9

import PackageDescription

let package = Package(
    name: "MissingNames",
    platforms: [.iOS(.v13), .macOS(.v10_15)],
    products: [.library(name: "MissingNames", targets: ["MissingNames"])],
    targets: [.target(name: "MissingNames")]
)
