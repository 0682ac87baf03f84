import Foundation

// FixtureTool DIRECTORY            writes every test vector below DIRECTORY, and removes what is no vector any more
// FixtureTool --bodies DIRECTORY   writes only what follows the headers: the seeds of fuzzing

let groups: [(name: String, vectors: [Vector])] = [
    ("plist", PropertyListVectors.all),
    ("archive", ArchiveVectors.all),
    ("xml", XMLVectors.all),
]

var arguments = CommandLine.arguments.dropFirst()
let wantsBodies = arguments.first == "--bodies"
if wantsBodies { arguments.removeFirst() }
guard let target = arguments.first, arguments.count == 1 else {
    FileHandle.standardError.write(Data("usage: FixtureTool [--bodies] DIRECTORY\n".utf8))
    exit(2)
}

for (name, vectors) in groups {
    let directory = URL(filePath: target).appending(path: name)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let known = Set(vectors.map(\.name))
    precondition(known.count == vectors.count, "two vectors in \(name) have the same name")
    if !wantsBodies {
        for old in try FileManager.default.contentsOfDirectory(atPath: directory.path) where !known.contains(old) {
            try FileManager.default.removeItem(at: directory.appending(path: old))
        }
    }
    for vector in vectors {
        try Data(wantsBodies ? vector.body : vector.bytes).write(to: directory.appending(path: vector.name))
    }
    print("\(name): \(vectors.count) vectors")
}
