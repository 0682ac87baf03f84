// swift-tools-version: 6.0

import CompilerPluginSupport
import PackageDescription

// A macro, and a plugin with a tool: both run while the packages that use them are built.

let package = Package(
    name: "Stamp",
    products: [.library(name: "Stamp", targets: ["Stamp"])],
    targets: [
        .macro(name: "StampMacros"),
        .target(name: "Stamp", dependencies: ["StampMacros"], plugins: ["StampPlugin"]),
        .executableTarget(name: "StampTool"),
        .plugin(name: "StampPlugin", capability: .buildTool(), dependencies: ["StampTool"]),
        .testTarget(name: "StampTests", dependencies: ["Stamp", "StampMacros"]),
    ]
)
