import Foundation

// Writes every test vector below the directory that is given, and removes what is no vector any more.

let directories: [(name: String, vectors: [Vector])] = [
    ("plist", PropertyListVectors.all),
    ("archive", ArchiveVectors.all),
    ("xml", XMLVectors.all),
]

guard CommandLine.arguments.count == 2 else {
    print("usage: FixtureTool DIRECTORY")
    exit(2)
}
for (name, vectors) in directories {
    let directory = "\(CommandLine.arguments[1])/\(name)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let known = Set(vectors.map(\.name))
    precondition(known.count == vectors.count, "two vectors in \(name) have the same name")
    for old in try FileManager.default.contentsOfDirectory(atPath: directory) where !known.contains(old) {
        try FileManager.default.removeItem(atPath: "\(directory)/\(old)")
    }
    for vector in vectors {
        try Data(vector.bytes).write(to: URL(filePath: "\(directory)/\(vector.name)"))
    }
    print("\(name): \(vectors.count) vectors")
}
