internal import Coffer
internal import CommandSystem
internal import VaultFiles

/// The command.
package enum CofferCommand {
    /// Runs the command as this process was called, and ends the process.
    package static func main() -> Never {
        CoreDumps.forbid()
        CrashHandlers.remove()
        let streams = StandardStreams()
        let words = ProcessArguments.words
        guard let texts = Optional(words.compactMap(\.self)), texts.count == words.count else {
            Messages(streams.errors).error(.usage("a word of the command line is not UTF-8"))
            ProcessEnd.exit(ExitCode.usage.rawValue)
        }
        let surroundings = Surroundings(
            programName: String(texts.first?.split(separator: "/").last ?? "coffer"),
            executable: CurrentProcess.executable,
            arguments: Array(texts.dropFirst()),
            environment: ProgramEnvironment(),
            input: streams.input,
            output: streams.output,
            errors: streams.errors,
            openTerminal: { TerminalDevice.opened() },
            machine: LinuxMachine(),
            time: MachineTime(),
            secondsFromUTC: LocalTime.secondsFromUTC,
            adjust: { _ in }
        )
        let end = run(surroundings)
        if let signal = end.signal { Interrupts.obey(signal) }
        ProcessEnd.exit(end.status)
    }

    /// How the command has ended.
    package struct End: Equatable, Sendable {
        /// What it tells who runs it.
        package var status: UInt8
        /// The signal that has stopped it, if one has.
        package var signal: Int32?
    }

    /// Runs the command.
    package static func run(_ surroundings: Surroundings) -> End {
        let messages = Messages(surroundings.errors)
        let output = Output(surroundings.output)
        var end = End(status: ExitCode.success.rawValue)
        var interruption: Int32?
        do {
            let run = try Run(surroundings, output: output, messages: messages)
            defer { interruption = run.interruption }
            try run.perform()
            try output.flush()
            run.tellInterruption()
            end.status = run.status
            end.signal = run.signal ?? run.interruption
        } catch {
            let error = CommandError(error)
            // What was printed so far is true all the same.
            try? output.flush()
            // That nobody reads on is no error: such as with head.
            if error.signal != Interrupts.brokenPipe { messages.error(error) }
            end.status = error.code.rawValue
            end.signal = error.signal ?? interruption
        }
        return end
    }
}
