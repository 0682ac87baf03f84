internal import CofferBasics
internal import CommandSystem

extension Option {
    static let include = Option(
        "--include",
        argument: .value("PACKAGE", .nothing),
        summary: "show the modules to this package, although it supports Linux",
        isRepeatable: true
    )
    static let only = Option(
        "--only",
        argument: .value("PACKAGE", .nothing),
        summary: "let only this package see the modules",
        isRepeatable: true
    )
    static let except = Option(
        "--except",
        argument: .value("PACKAGE", .nothing),
        summary: "hide the modules from this package",
        isRepeatable: true
    )
}

extension Verb {
    static let swift: Verb = {
        var verb = Verb(
            "swift",
            .programs,
            "Build Swift packages with import Security",
            options: [.include, .except, .only],
            details: """
                Runs swift build, test, run or package so that packages see the modules Security and \
                LocalAuthentication, as on Apple systems, although their manifests do not mention them. If a file has \
                only Foundation, it sees the names of Security too. Plugins, and macros that do not need the modules, \
                do not.

                A package that asks with #if canImport whether there are such modules, and can do without them on \
                Linux, is left alone; the last line of a build names these packages. --include shows the modules to \
                one of them. The options may also follow the verb.

                swift test uses a vault of its own, with a passphrase, which is removed when the tests end.

                The modules are built once for each compiler, which takes 2 to 14 minutes, and kept in \
                $XDG_CACHE_HOME/coffer, or ~/.cache/coffer. Packages are built with the build system native. swift \
                flags prints what another one has to pass to the compiler or to the linker, one argument in each \
                line; swift flags editor prints the configuration of sourcekit-lsp.

                A package that already depends on the package Coffer has the modules from there.
                """,
            examples: [
                Example(call: "coffer swift build", purpose: "build the package in this directory"),
                Example(
                    call: "coffer swift test --include OAuthKit --parallel",
                    purpose: "run its tests; OAuthKit, which can do without Security, uses it"
                ),
                Example(call: "coffer swift flags compile", purpose: "print the flags for the compiler"),
            ]
        ) { run in try build(run) }
        verb.isFollowedByCommand = true
        return verb
    }()

    private static func build(_ run: CommandRun) throws {
        guard !run.arguments.commandLine.isEmpty else {
            throw CommandError.usage(
                "COMMAND is missing: build, test, run, package or flags",
                hints: ["usage: \(Verb.swift.usage)"]
            )
        }
        let directory = run.context.executable.map { $0.split(separator: "/").dropLast(2).joined(separator: "/") }
        let script = "/\(directory ?? "")/lib/coffer/swift/coffer-swift"
        let choice = [Option.include, .except, .only].flatMap { option in
            run.arguments.values(of: option).flatMap { [option.names[0], $0] }
        }
        let program = ProgramCall(
            words: [script] + choice + run.arguments.commandLine,
            removedPrefixes: [],
            closedDescriptors: []
        )
        do throws(ProgramFailure) {
            let noVariables: [UInt8] = []
            guard case .status(let status) = try run.context.machine.become(program, adding: noVariables.span) else {
                return
            }
            run.status = status
        } catch {
            guard error == .notFound else { throw CommandError(error, program) }
            throw CommandError(
                .commandNotFound,
                "the sources of the modules are not installed: \(script.printable) is missing",
                hints: ["install them with `./dev install` of Coffer"]
            )
        }
    }
}
