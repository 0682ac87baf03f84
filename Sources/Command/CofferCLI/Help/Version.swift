internal import Coffer

extension Verb {
    static let version = Verb("version", .help, "Print the version") { run in
        guard !run.isJSON else {
            return try run.output.write(
                json: [
                    "version": .string(Version.text),
                    "format": ["major": 1, "draft": JSON(VaultOutline.currentDraft)],
                ]
            )
        }
        try run.output.write(line: "coffer \(Version.text) (vault format 1, draft \(VaultOutline.currentDraft))")
    }
}

extension Version {
    /// The date of the manual page.
    static let date = "2026-11-22"
}
