import Foundation
import PackagePlugin

/// Makes the names of `Security` visible in all files of a target, as `import Foundation` does on Apple systems.
///
/// The plugin adds one file with one import to the target; the target's own files do not change. The target must also
/// depend on the product `Security`.
@main struct ImportSecurity: BuildToolPlugin {
    // A target built for an Apple system does not need the import, but may use the plugin too.
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
                // Path and text are parameters of the script, not part of it, so they may contain spaces and quotes.
                arguments: ["-c", #"printf '%s\n' "$2" >"$1""#, "sh", file.path, Self.source],
                outputFiles: [file]
            )
        ]
    }
}
