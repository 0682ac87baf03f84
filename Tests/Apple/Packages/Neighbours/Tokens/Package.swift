// swift-tools-version: 6.0

import PackageDescription

// In the style of jwt-kit: over the packages for certificates and cryptography.

let package = Package(
    name: "Tokens",
    products: [.library(name: "JWTKit", targets: ["JWTKit"])],
    dependencies: [.package(path: "../Certificates"), .package(path: "../Crypto")],
    targets: [
        .target(
            name: "JWTKit",
            dependencies: [
                .product(name: "Crypto", package: "Crypto"),
                .product(name: "X509", package: "Certificates"),
            ]
        )
    ]
)
