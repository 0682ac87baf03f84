import Foundation

// An identifier that is created when a program first runs on a device, and then stays the same:
//
//     swift run DeviceIdentity
//     swift run DeviceIdentity forget

let name = "identifier"

switch CommandLine.arguments.dropFirst().first {
case nil:
    if let identifier = ArchiveKeychain.load(NSUUID.self, named: name) {
        print("known: \(identifier.uuidString)")
    } else {
        let identifier = NSUUID()
        print("\(ArchiveKeychain.save(identifier, as: name) ? "new" : "not stored"): \(identifier.uuidString)")
    }
case "forget":
    print(ArchiveKeychain.delete(name) ? "forgotten" : "nothing to forget")
default:
    print("usage: DeviceIdentity [forget]")
}
