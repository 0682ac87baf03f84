/// What a reader must answer to a file, which the methods add: `malformed(…).bytes(…)` is a row of a list of vectors.
struct Claim {
    let name: String
    let outcome: Vector.Outcome
    var settings: [(key: String, value: String)] = []
    let comment: String

    /// Returns the claim with a comment that is too long for the line of its name.
    func comment(_ comment: String) -> Claim {
        Claim(name: name, outcome: outcome, settings: settings, comment: comment)
    }

    /// Returns the vector with `bytes` as its file.
    func bytes(_ bytes: [UInt8]) -> Vector {
        Vector(name: name, outcome: outcome, settings: settings, comment: comment, body: bytes)
    }

    /// Returns the vector of an XML document.
    func text(_ document: String) -> Vector { bytes(Array(document.utf8)) }

    /// Returns the vector of a binary property list.
    func list(_ list: RawPropertyList) -> Vector { bytes(list.bytes) }

    /// Returns the vector of a binary property list of these objects.
    func list(
        _ objects: [RawObject],
        referenceByteCount: Int = 1,
        offsetByteCount: Int? = nil,
        offsets: [Int: Int] = [:],
        change: @escaping (inout RawPropertyList.Trailer) -> Void = { _ in }
    ) -> Vector {
        list(
            RawPropertyList(
                objects: objects,
                referenceByteCount: referenceByteCount,
                offsetByteCount: offsetByteCount,
                offsets: offsets,
                change: change
            )
        )
    }

    /// Returns the vector of a binary property list of one object.
    func object(_ object: RawObject) -> Vector { list([object]) }

    /// Returns the vector of an archive.
    func archive(_ archive: AppleNode) -> Vector { bytes(archive.propertyList) }

    /// Returns the vector of an archive whose `$objects` are `$null` and `objects`.
    func archive(_ objects: [AppleNode], top: [(String, AppleNode)] = [("root", .uid(1))]) -> Vector {
        archive(.archive(objects, top: top))
    }

    /// Returns the vector of an archive with `root` as its root, as Apple's archivers write it.
    func root(_ root: AppleValue) -> Vector { archive(AppleArchiver.archive(root)) }
}

/// A list of vectors for readers of values.
protocol ValueVectors {}

extension ValueVectors {
    /// A file that must be read as `value`, and is written identically.
    static func success(_ name: String, _ value: String, classes: String? = nil, _ comment: String = "") -> Claim {
        let settings = [("canonical", "yes")] + setting(classes)
        return Claim(name: name, outcome: .success(value), settings: settings, comment: comment)
    }

    /// A file that must be read as `value`, and is written differently.
    static func readable(_ name: String, _ value: String, classes: String? = nil, _ comment: String = "") -> Claim {
        let settings = [("canonical", "no")] + setting(classes)
        return Claim(name: name, outcome: .success(value), settings: settings, comment: comment)
    }

    static func malformed(_ name: String, _ error: String, classes: String? = nil, _ comment: String = "") -> Claim {
        Claim(name: name, outcome: .malformed(error), settings: setting(classes), comment: comment)
    }

    static func limit(_ name: String, _ error: String, classes: String? = nil, _ comment: String = "") -> Claim {
        Claim(name: name, outcome: .limitExceeded(error), settings: setting(classes), comment: comment)
    }

    private static func setting(_ classes: String?) -> [(key: String, value: String)] {
        classes.map { [("classes", $0)] } ?? []
    }
}
