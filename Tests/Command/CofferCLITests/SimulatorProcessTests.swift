import Foundation
import TestSupport
import Testing

/// `COFFER_SIMULATOR` is for test suites of programs, not for whoever can set a variable of the command.
@Suite("The command and the simulator", .temporaryDirectory) struct SimulatorProcessTests {
    @Test func `the command asks for what items require, whatever the variable says`() throws {
        try CommandSample.makeVault()
        let command = try BuiltCommand()
        let options = ["--passphrase-file", command.home.appending(path: "passphrase").path]
        let stored = try command.run(["set", "--require", "presence", "bank", "kim"] + options, input: "tops3cret")
        #expect(stored.status == 0, "\(stored.errors)")
        let simulator = ["COFFER_SIMULATOR": "1"]
        let result = try command.run(["get", "bank", "--no-prompt"] + options, adding: simulator)
        #expect(result.status == 36)
        #expect(result.output.isEmpty)
        let list = try command.run(["list"] + options, adding: simulator)
        #expect(list.output == "mail\tkim\tcoffer\tgeneric\n")
    }
}
