import Foundation

// VaultBench archive             encoding and decoding a record, beside Foundation
// VaultBench hostile FIXTURES    the time and memory that each hostile vector takes

switch (CommandLine.arguments.dropFirst().first, CommandLine.arguments.dropFirst(2).first) {
case ("archive", _):
    try ArchiveBench().run()
case ("hostile", let fixtures?):
    let passed = try HostileBench(fixtures: fixtures).run()
    exit(passed ? 0 : 1)
default:
    FileHandle.standardError.write(Data("usage: VaultBench archive | hostile FIXTURES\n".utf8))
    exit(2)
}
