internal import Coffer
internal import CommandSystem
internal import VaultFiles

/// The command `coffer`.
package enum CofferCommand {
    /// Runs the command with the arguments of this process, then ends the process.
    package static func main() -> Never {
        CoreDumps.forbid()
        CrashHandlers.remove()
        let streams = StandardStreams()
        let words = ProcessArguments.words
        guard let texts = Optional(words.compactMap(\.self)), texts.count == words.count else {
            Messages(streams.errors).error(.usage("invalid command line: an argument is not UTF-8"))
            ProcessEnd.exit(ExitCode.usage.rawValue)
        }
        let context = CommandContext(
            programName: String(texts.first?.split(separator: "/").last ?? "coffer"),
            executable: CurrentProcess.executable,
            arguments: Array(texts.dropFirst()),
            environment: ProgramEnvironment(),
            input: streams.input,
            output: streams.output,
            errors: streams.errors,
            openTerminal: { TerminalDevice.opened() },
            openScreen: { ScreenDevice.opened() },
            machine: LinuxMachine(),
            time: MachineTime(),
            secondsFromUTC: LocalTime.secondsFromUTC,
            adjust: { _ in }
        )
        let end = run(context)
        if let signal = end.signal { Interrupts.obey(signal) }
        ProcessEnd.exit(end.status)
    }

    /// How the command ended.
    package struct End: Equatable, Sendable {
        /// The exit code.
        package var status: UInt8
        /// The signal that ended it, if one did.
        package var signal: Int32?
    }

    /// Runs the command.
    package static func run(_ context: CommandContext) -> End {
        let messages = Messages(context.errors)
        let output = Output(context.output)
        var end = End(status: ExitCode.success.rawValue)
        var interruption: Int32?
        do {
            let run = try CommandRun(context, output: output, messages: messages)
            defer { interruption = run.interruption }
            try run.perform()
            try output.flush()
            run.compactIfDue()
            run.reportInterruption()
            end.status = run.status
            end.signal = run.signal ?? run.interruption
        } catch {
            let error = CommandError(error)
            // The output so far is still valid.
            try? output.flush()
            // A reader that stops early, such as `head`, is not an error.
            if error.signal != Interrupts.brokenPipe { messages.error(error) }
            end.status = error.code.rawValue
            end.signal = error.signal ?? interruption
        }
        return end
    }
}
