extension Verb {
    static let version = Verb("version", .other, "Print the version") { run in
        guard !run.isJSON else {
            return try run.output.write(json: ["version": .string(Version.text), "format": 1])
        }
        try run.output.write(line: "coffer \(Version.text) (vault format 1)")
    }
}

/// Which version this is.
enum Version {
    static let text = "0.1.0-dev"
    /// When what it does was last described anew.
    static let date = "2026-11-22"
}
