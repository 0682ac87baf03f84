internal import Coffer

extension CommandRun {
    /// Prints the version of the command and of the format.
    func writeVersion() throws {
        guard !isJSON else {
            return try output.write(
                json: [
                    "version": .string(Version.text),
                    "format": ["major": 1, "draft": JSON(VaultOutline.currentDraft)],
                ]
            )
        }
        try output.write(line: "coffer \(Version.text) (vault format 1, draft \(VaultOutline.currentDraft))")
    }
}

extension Version {
    /// The date of the manual page.
    static let date = "2026-11-30"
}
