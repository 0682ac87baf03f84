// swift-tools-version: 5.9

import PackageDescription

// In the style of swift-crypto, with a part in C.

let package = Package(
    name: "Crypto",
    products: [.library(name: "Crypto", targets: ["Crypto"])],
    targets: [.target(name: "CCryptoClear"), .target(name: "Crypto", dependencies: ["CCryptoClear"])]
)
