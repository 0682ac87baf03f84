internal import CofferBasics
internal import CommandSystem

extension Option {
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
            options: [.only, .except],
            details: """
                Runs swift build, swift test or swift run so that every package sees the modules Security and \
                LocalAuthentication, as on Apple systems, although its manifest does not mention them. If a file has \
                only Foundation, it sees the names of Security too. Macros, plugins and their tools, which run during \
                the build, do not.

                The modules are built once for each compiler, which takes a minute or two, and kept in \
                $XDG_CACHE_HOME/coffer, or ~/.cache/coffer. swift flags prints what another build system has to pass \
                to the compiler or to the linker, one argument in each line.

                A package that already depends on the package Coffer has the modules from there.
                """,
            examples: [
                Example(call: "coffer swift build", purpose: "build the package in this directory"),
                Example(
                    call: "coffer swift --except swift-nio test --parallel",
                    purpose: "run its tests; the package swift-nio does not see the modules"
                ),
                Example(call: "coffer swift flags compile", purpose: "print the flags for the compiler"),
            ]
        ) { run in try build(run) }
        verb.isFollowedByCommand = true
        return verb
    }()

    private static func build(_ run: Run) throws {
        guard !run.arguments.commandLine.isEmpty else {
            throw CommandError.usage(
                "COMMAND is missing: build, test, run or flags",
                hints: ["usage: \(Verb.swift.usage)"]
            )
        }
        let directory = run.context.executable.map { $0.split(separator: "/").dropLast(2).joined(separator: "/") }
        let script = "/\(directory ?? "")/lib/coffer/swift/coffer-swift"
        let choice = [Option.only, .except].flatMap { option in
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
