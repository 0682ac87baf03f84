import Foundation

#if canImport(Security)
    let sees = "Security"
#else
    let sees = "no Security"
#endif

try "public let tool = \"the tool sees \(sees)\"\n".write(
    toFile: CommandLine.arguments[1],
    atomically: true,
    encoding: .utf8
)
