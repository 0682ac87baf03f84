import Foundation
import PackagePlugin

/// Makes the names of `Security` visible in all files of a target, as `import Foundation` does on Apple systems, and
/// embeds the entitlements of a program in it, as signing does there.
///
/// The plugin adds one file to the target; the target's own files do not change. The target must also depend on the
/// product `Security`.
@main struct ImportSecurity: BuildToolPlugin {
    // A target built for an Apple system needs none of this, but may use the plugin too.
    private static let source = """
        #if !canImport(Darwin)
        @_exported import Security
        #endif
        """

    // Path and text are parameters of the script, not part of it, so they may contain spaces and quotes. The build system
    // Swift Build replaces `$(…)` and `${…}`.
    private static let script = #"""
        set -eu
        file=$1 source=$2 kind=$3 directory=$4 package=$5 target=$6
        found=
        if [ -n "$kind" ]; then
            # The next build finds this changed, and so runs the command again.
            echo >>"$file.builds"
            set -- "$package"/*.entitlements
            [ $# -gt 1 ] || [ ! -f "$1" ] || found=$1
            for place in "$package" "$directory"; do
                [ ! -f "$place/$target.entitlements" ] || found=$place/$target.entitlements
            done
        fi
        {
            printf '%s\n' "$source"
            if [ -n "$found" ]; then
                if [ `wc -c <"$found"` -gt 16384 ]; then
                    echo "error: $found has more than 16,384 bytes, which is too large to embed" >&2
                    exit 1
                fi
                printf '#if !canImport(Darwin)\n@section("coffer_entitlements") @used\n'
                printf 'private let entitlements: InlineArray<_, UInt64> = [%s, ' "$kind"
                wc -c <"$found"
                od -A n -v -t u8 "$found" | sed 's/ *\([0-9][0-9]*\)/, \1/g'
                printf ']\n#endif\n'
            fi
        } >"$file.new"
        cmp -s "$file.new" "$file" || cp "$file.new" "$file"
        """#

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let file = context.pluginWorkDirectoryURL.appending(path: "ImportSecurity.swift")
        let kind =
            switch target.kind {
            case .executable: "1"
            case .test: "2"
            default: ""
            }
        // A file of entitlements can appear, change and go without another plan of the build, and inputs must exist.
        let builds = file.appendingPathExtension("builds")
        if !kind.isEmpty, !FileManager.default.fileExists(atPath: builds.path) { try Data().write(to: builds) }
        // One among the sources is an input too, or it would count as unhandled. If it changes, builds are planned again.
        let own = target.directoryURL.appending(path: "\(target.name).entitlements")
        let inputs = [builds] + (FileManager.default.fileExists(atPath: own.path) ? [own] : [])
        return [
            .buildCommand(
                displayName: "Importing Security into \(target.name)",
                executable: URL(filePath: "/bin/sh"),
                arguments: [
                    "-c", Self.script, "sh", file.path, Self.source, kind, target.directoryURL.path,
                    context.package.directoryURL.path, target.name,
                ],
                inputFiles: kind.isEmpty ? [] : inputs,
                outputFiles: [file]
            )
        ]
    }
}
