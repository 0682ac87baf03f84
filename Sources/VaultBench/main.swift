import Foundation

// VaultBench archive             encoding and decoding a record, beside Foundation
// VaultBench hostile FIXTURES    the time and memory that each hostile vector takes
// VaultBench format              the size of compacted vaults, building one, reading single items of it

switch (CommandLine.arguments.dropFirst().first, CommandLine.arguments.dropFirst(2).first) {
case ("archive", _):
    try ArchiveBench().run()
case ("hostile", let fixtures?):
    let passed = [try HostileBench(fixtures: fixtures).run(), try HostileVaultBench(fixtures: fixtures).run()]
    exit(passed.contains(false) ? 1 : 0)
case ("format", let itemCount):
    try FormatBench(itemCounts: itemCount.flatMap(Int.init).map { [$0] }).run()
default:
    FileHandle.standardError.write(Data("usage: VaultBench archive | hostile FIXTURES | format\n".utf8))
    exit(2)
}
