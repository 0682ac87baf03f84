import Foundation
import PackagePlugin

/// Adds the names of `Security` to all files of a target, which on Apple systems come with `import Foundation`.
///
/// The target gets one more file, with one import; none of its own files changes. It must depend on the product
/// `Security` as well.
@main struct ImportSecurity: BuildToolPlugin {
    // A target that is built for an Apple system, whose files need nothing, may use the plugin too.
    private static let source = """
        #if !canImport(Darwin)
        @_exported import Security
        #endif
        """

    func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
        guard target is any SourceModuleTarget else { return [] }
        let file = context.pluginWorkDirectoryURL.appending(path: "ImportSecurity.swift")
        return [
            .buildCommand(
                displayName: "Importing Security into \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                // Path and text are parameters of the script, and no part of it: so they may hold blanks and quotes.
                arguments: ["-c", #"printf '%s\n' "$2" >"$1""#, "sh", file.path, Self.source],
                outputFiles: [file]
            )
        ]
    }
}
