import Foundation

// VaultBench archive             encoding and decoding a record, compared with Foundation
// VaultBench hostile FIXTURES    the time and memory that each hostile vector takes
// VaultBench format              the size of compacted vaults, building one, reading single items
// VaultBench store [SIZES] [--chart FILE]
//                                the store at work, compared with SQLite and SQLCipher, and a picture of that in SVG
// VaultBench sizes               how many bytes an item takes
// VaultBench memory COFFER MIB... [KIND...]
//                                the memory that verbs of that command take on the worst vaults of these sizes
// VaultBench keychain            calls of the keychain
// VaultBench fleet ENDPOINT...   changes of a fleet, compared with bare puts into etcd
// VaultBench merge [ITEMS]       merging two copies, compared with reading both
// VaultBench work KIND DIRECTORY ITEMS [COUNT]
//                                one kind of store work alone, COUNT times, for a profiler; run `fill` first
// VaultBench child ...           the work that the store bench runs in separate processes

let start = Measurement.sharedNanoseconds()
let arguments = Array(CommandLine.arguments.dropFirst())

switch (arguments.first, arguments.dropFirst().first) {
case ("archive", _):
    try ArchiveBench().run()
case ("hostile", let fixtures?):
    let passed = [try HostileBench(fixtures: fixtures).run(), try HostileVaultBench(fixtures: fixtures).run()]
    exit(passed.contains(false) ? 1 : 0)
case ("format", let itemCount):
    try FormatBench(itemCounts: itemCount.flatMap(Int.init).map { [$0] }).run()
case ("store", _):
    guard let bench = StoreBench(arguments: Array(arguments.dropFirst())) else {
        let usage = "usage: VaultBench store [SIZES] [--chart FILE], sizes such as 1k,10k,100k,1M\n"
        FileHandle.standardError.write(Data(usage.utf8))
        exit(2)
    }
    try bench.run()
case ("sizes", _):
    try StoreSizes().run()
case ("memory", _):
    guard let bench = WorstVaultBench(arguments: Array(arguments.dropFirst())) else { exit(2) }
    exit(try bench.run() ? 0 : 1)
case ("keychain", _):
    try KeychainBench().run()
case ("fleet", _?):
    try FleetBench(endpoints: Array(arguments.dropFirst())).run()
case ("merge", let itemCount):
    try MergeBench(itemCount: itemCount.flatMap(Int.init) ?? 100_000).run()
case ("work", _):
    guard let work = StoreWork(arguments: Array(arguments.dropFirst())) else { exit(2) }
    try work.run()
case (ChildProcess.verb, "worst"):
    try WorstVaultBench.write(arguments: Array(arguments.dropFirst(2)))
case (ChildProcess.verb, "find"):
    try WorstVaultBench.find(arguments: Array(arguments.dropFirst(2)))
case (ChildProcess.verb, _):
    guard let child = StoreChild(arguments: Array(arguments.dropFirst())) else { exit(2) }
    try child.run(since: start)
default:
    FileHandle.standardError.write(
        Data(
            """
            usage: VaultBench archive | hostile FIXTURES | format | store [SIZES] [--chart FILE] | sizes | keychain |
                fleet ENDPOINT... | merge

            """.utf8
        )
    )
    exit(2)
}
