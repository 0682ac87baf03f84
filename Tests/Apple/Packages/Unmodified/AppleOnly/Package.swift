// swift-tools-version: 5.9

import PackageDescription

let package = Package(
    name: "AppleOnly",
    products: [
        .library(name: "AppleOnly", targets: ["CoreTypes", "Clock", "Requests", "TwoFiles"]),
        .library(name: "SharedKeychain", type: .dynamic, targets: ["SharedKeychain"]),
    ],
    targets: [
        .target(name: "CoreTypes"),
        .target(name: "Clock"),
        .target(name: "Requests"),
        .target(name: "TwoFiles"),
        .target(name: "SharedKeychain"),
    ]
)
