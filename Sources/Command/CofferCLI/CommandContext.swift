package import Coffer
package import CommandSystem
package import VaultFiles

/// Everything the command uses of the machine, so that a test can run it like a process.
package struct CommandContext {
    /// The name by which the program was called, without its directory.
    package var programName: String
    /// The path of the program's file, if known.
    package var executable: String?
    /// The arguments, without the program name.
    package var arguments: [String]
    /// The environment variables.
    package var environment: ProgramEnvironment
    package var input: any ByteInput
    package var output: any ByteOutput
    package var errors: any ByteOutput
    /// Returns the user's terminal, if there is one.
    package var openTerminal: () -> (any Terminal)?
    /// Returns the user's terminal for the whole screen, if there is one.
    package var openScreen: () -> (any ScreenTerminal)?
    /// Programs, signals, and the rest of the system.
    package var machine: any Machine
    package var time: any TimeSource
    /// How many seconds local time is ahead of UTC at a time given in seconds since 1970.
    package var secondsFromUTC: (_ seconds: Int64) -> Int
    /// Adjusts how vaults are used: files, ciphers, the work for a passphrase.
    package var adjust: (inout VaultOptions) -> Void

    package init(
        programName: String,
        executable: String?,
        arguments: [String],
        environment: ProgramEnvironment,
        input: any ByteInput,
        output: any ByteOutput,
        errors: any ByteOutput,
        openTerminal: @escaping () -> (any Terminal)?,
        openScreen: @escaping () -> (any ScreenTerminal)?,
        machine: any Machine,
        time: any TimeSource,
        secondsFromUTC: @escaping (_ seconds: Int64) -> Int,
        adjust: @escaping (inout VaultOptions) -> Void
    ) {
        self.programName = programName
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.output = output
        self.errors = errors
        self.openTerminal = openTerminal
        self.openScreen = openScreen
        self.machine = machine
        self.time = time
        self.secondsFromUTC = secondsFromUTC
        self.adjust = adjust
    }
}
