import Coffer
import Testing

@Suite("Places") struct VaultLocationsTests {
    private func locations(_ variables: [String: String], isSetUserID: Bool = false) -> VaultLocations {
        VaultLocations(ProgramEnvironment(variables: variables, isSetUserID: isSetUserID))
    }

    @Test func `a user's locations are below the home directory`() {
        #expect(
            locations(["HOME": "/home/kim"])
                == VaultLocations(
                    vault: "/home/kim/.local/share/coffer/login.coffer",
                    deviceKey: "/home/kim/.local/state/coffer/device.key",
                    anchors: "/home/kim/.local/state/coffer/anchors"
                )
        )
    }

    @Test func `base directories take precedence over the home directory`() {
        let found = locations(["HOME": "/home/kim", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"])
        #expect(found.vault == "/data/coffer/login.coffer")
        #expect(found.deviceKey == "/state/coffer/device.key")
        #expect(found.anchors == "/state/coffer/anchors")
    }

    @Test(arguments: ["", "data", "./data"]) func `a relative base directory is ignored`(path: String) {
        #expect(locations(["HOME": "/h", "XDG_DATA_HOME": path]).vault == "/h/.local/share/coffer/login.coffer")
    }

    @Test func `a service without a home directory uses its state directory`() {
        let found = locations(["STATE_DIRECTORY": "/var/lib/mail:/var/lib/other"])
        #expect(found.vault == "/var/lib/mail/login.coffer")
        #expect(found.deviceKey == "/var/lib/mail/device.key")
        #expect(found.anchors == "/var/lib/mail/anchors")
    }

    @Test func `the device credential has its own place`() {
        let found = locations(["HOME": "/root", "CREDENTIALS_DIRECTORY": "/run/credentials/mail"])
        #expect(found.deviceCredential == "/run/credentials/mail/coffer.device")
    }

    @Test func `a variable names the vault`() {
        let found = locations(["HOME": "/home/kim", "COFFER_VAULT": "/media/key/v.coffer"])
        #expect(found.vault == "/media/key/v.coffer")
        #expect(found.deviceKey == "/home/kim/.local/state/coffer/device.key")
    }

    @Test func `an empty variable counts as missing`() {
        let found = locations(["HOME": "/home/kim", "COFFER_VAULT": "", "CREDENTIALS_DIRECTORY": ""])
        #expect(found == locations(["HOME": "/home/kim"]))
    }

    @Test func `without variables there are no locations`() {
        #expect(locations([:]) == VaultLocations(vault: nil, deviceKey: nil, anchors: nil))
        #expect(locations(["HOME": ""]) == VaultLocations(vault: nil, deviceKey: nil, anchors: nil))
        #expect(
            locations(["HOME": "/home/kim"], isSetUserID: true)
                == VaultLocations(vault: nil, deviceKey: nil, anchors: nil)
        )
    }

    @Test func `a home directory that ends in a slash gets no second slash`() {
        #expect(locations(["HOME": "/"]).vault == "/.local/share/coffer/login.coffer")
    }
}
