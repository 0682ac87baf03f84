// swift-tools-version: 5.9

import PackageDescription

let package = Package(
    name: "AppleOnly",
    products: [.library(name: "AppleOnly", targets: ["CoreTypes", "Clock", "Requests"])],
    targets: [.target(name: "CoreTypes"), .target(name: "Clock"), .target(name: "Requests")]
)
