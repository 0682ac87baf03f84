import Coffer
import Testing

@Suite("Places") struct VaultPlacesTests {
    private func places(_ variables: [String: String], isSetUserID: Bool = false) -> VaultPlaces {
        VaultPlaces(ProgramEnvironment(variables: variables, isSetUserID: isSetUserID))
    }

    @Test func `a user's places are below the home directory`() {
        #expect(
            places(["HOME": "/home/kim"])
                == VaultPlaces(
                    vault: "/home/kim/.local/share/coffer/login.coffer",
                    deviceKey: "/home/kim/.local/state/coffer/device.key",
                    anchors: "/home/kim/.local/state/coffer/anchors"
                )
        )
    }

    @Test func `base directories take precedence over the home directory`() {
        let found = places(["HOME": "/home/kim", "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "/state"])
        #expect(found.vault == "/data/coffer/login.coffer")
        #expect(found.deviceKey == "/state/coffer/device.key")
        #expect(found.anchors == "/state/coffer/anchors")
    }

    @Test(arguments: ["", "data", "./data"]) func `a relative base directory is ignored`(path: String) {
        #expect(places(["HOME": "/h", "XDG_DATA_HOME": path]).vault == "/h/.local/share/coffer/login.coffer")
    }

    @Test func `a service without a home directory uses its state directory`() {
        let found = places(["STATE_DIRECTORY": "/var/lib/mail:/var/lib/other"])
        #expect(found.vault == "/var/lib/mail/login.coffer")
        #expect(found.deviceKey == "/var/lib/mail/device.key")
        #expect(found.anchors == "/var/lib/mail/anchors")
    }

    @Test func `the device credential has its own place`() {
        let found = places(["HOME": "/root", "CREDENTIALS_DIRECTORY": "/run/credentials/mail"])
        #expect(found.deviceCredential == "/run/credentials/mail/coffer.device")
    }

    @Test func `a variable names the vault`() {
        let found = places(["HOME": "/home/kim", "COFFER_VAULT": "/media/key/v.coffer"])
        #expect(found.vault == "/media/key/v.coffer")
        #expect(found.deviceKey == "/home/kim/.local/state/coffer/device.key")
    }

    @Test func `an empty variable counts as missing`() {
        let found = places(["HOME": "/home/kim", "COFFER_VAULT": "", "CREDENTIALS_DIRECTORY": ""])
        #expect(found == places(["HOME": "/home/kim"]))
    }

    @Test func `without variables there are no places`() {
        #expect(places([:]) == VaultPlaces(vault: nil, deviceKey: nil, anchors: nil))
        #expect(places(["HOME": ""]) == VaultPlaces(vault: nil, deviceKey: nil, anchors: nil))
        #expect(
            places(["HOME": "/home/kim"], isSetUserID: true) == VaultPlaces(vault: nil, deviceKey: nil, anchors: nil)
        )
    }

    @Test func `a home directory that ends in a slash gets no second slash`() {
        #expect(places(["HOME": "/"]).vault == "/.local/share/coffer/login.coffer")
    }
}
