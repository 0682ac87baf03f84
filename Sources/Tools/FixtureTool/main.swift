import Foundation

// FixtureTool DIRECTORY            writes all test vectors below DIRECTORY and removes files that are no longer vectors
// FixtureTool --bodies DIRECTORY   writes only the bytes after the headers: the fuzzing seeds
// FixtureTool --unsealed DIRECTORY writes vaults and vault parts without cryptography: fuzzing seeds behind the MACs
// FixtureTool --mutated=SEED DIRECTORY  writes vault vectors with random changes under fitting seals and hashes
// FixtureTool --example FILE       writes the worked example of the vault format
// FixtureTool --example-2 FILE     writes the second one, which shows a snapshot and a merge

var arguments = CommandLine.arguments.dropFirst()
let option = arguments.first.flatMap { $0.hasPrefix("--") ? $0 : nil }
if option != nil { arguments.removeFirst() }
let options = [nil, "--bodies", "--unsealed", "--example", "--example-2", Mutation.seed.map { "--mutated=\($0)" }]
guard let target = arguments.first, arguments.count == 1, options.contains(option) else {
    let usage =
        "usage: FixtureTool [--bodies | --unsealed | --mutated=SEED] DIRECTORY | --example FILE | --example-2 FILE\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(2)
}

if option == "--example" || option == "--example-2" {
    let text = option == "--example" ? VaultExample().text : MergeExample().text
    try Data(text.utf8).write(to: URL(filePath: target))
    exit(0)
}

if Mutation.seed != nil {
    let directory = URL(filePath: target)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    // Large vectors show limits, and would take most of the time.
    for vector in VaultVectors.all where vector.body.count < 1 << 16 {
        try Data(vector.bytes).write(to: directory.appending(path: vector.name))
    }
    exit(0)
}

if option == "--unsealed" {
    let directory = URL(filePath: target)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for (name, bytes) in PartSeeds.all { try Data(bytes).write(to: directory.appending(path: name)) }
    for vector in VaultVectors.all { try Data(vector.body).write(to: directory.appending(path: vector.name)) }
    for golden in GoldenVault.all {
        try Data(golden.bytes).write(to: directory.appending(path: "golden_\(golden.name)"))
    }
    exit(0)
}

let groups: [(name: String, vectors: [Vector])] = [
    ("plist", PropertyListVectors.all),
    ("archive", ArchiveVectors.all),
    ("xml", XMLVectors.all),
    ("vault", VaultVectors.all),
    ("document", DocumentVectors.all),
]

for (name, vectors) in groups {
    let directory = URL(filePath: target).appending(path: name)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let known = Set(vectors.map(\.name))
    precondition(known.count == vectors.count, "two vectors in \(name) have the same name")
    if option == nil {
        for old in try FileManager.default.contentsOfDirectory(atPath: directory.path) where !known.contains(old) {
            try FileManager.default.removeItem(at: directory.appending(path: old))
        }
    }
    for vector in vectors {
        try Data(option == nil ? vector.bytes : vector.body).write(to: directory.appending(path: vector.name))
    }
    print("\(name): \(vectors.count) vectors")
}

if option == "--bodies" {
    let directory = URL(filePath: target)
    for golden in GoldenVault.all {
        try Data(golden.bytes).write(to: directory.appending(path: "vault/golden_\(golden.name)"))
    }
    let lines = VaultVectors.all.flatMap(\.settings) + GoldenVault.all.flatMap { $0.ways.flatMap { $0 } }
    let devices = Set(lines.filter { $0.key == "device" }.map(\.value)).sorted()
    try Data(devices.joined(separator: "\n").utf8).write(to: directory.appending(path: "devices"))
}

if option == nil {
    let directory = URL(filePath: target).appending(path: "vaults/v1")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    for golden in GoldenVault.all {
        for (suffix, bytes) in golden.files {
            try Data(bytes).write(to: directory.appending(path: "\(golden.name).\(suffix)"))
        }
    }
    print("vaults/v1: \(GoldenVault.all.count) vaults")
}
