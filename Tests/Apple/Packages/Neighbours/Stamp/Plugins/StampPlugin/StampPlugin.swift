import Foundation
import PackagePlugin

/// Lets a tool write a file of the target.
@main struct StampPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let file = context.pluginWorkDirectoryURL.appending(path: "Stamp.swift")
        return [
            .buildCommand(
                displayName: "Stamping",
                executable: try context.tool(named: "StampTool").url,
                arguments: [file.path],
                outputFiles: [file]
            )
        ]
    }
}
