package import Coffer
package import CommandSystem
package import VaultFiles

/// All that the command has of the machine, so that it can run in a test as in a process.
package struct Surroundings {
    /// The name by which the program was called, without its directory.
    package var programName: String
    /// The file of the program, if the system tells.
    package var executable: String?
    /// The words behind the name.
    package var arguments: [String]
    /// The environment variables.
    package var environment: ProgramEnvironment
    package var input: any ByteInput
    package var output: any ByteOutput
    package var errors: any ByteOutput
    /// Gives the terminal of the person, if there is one.
    package var openTerminal: () -> (any Terminal)?
    /// Programs, signals, and the rest of the system.
    package var machine: any Machine
    package var time: any TimeSource
    /// How many seconds the clocks of the place are ahead of UTC at a moment, in seconds since 1970 began.
    package var secondsFromUTC: (_ seconds: Int64) -> Int
    /// Changes how vaults are used: files, ciphers, work for a passphrase.
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
        self.machine = machine
        self.time = time
        self.secondsFromUTC = secondsFromUTC
        self.adjust = adjust
    }
}
