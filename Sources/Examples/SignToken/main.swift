import Foundation

// JSON web tokens that are signed with keys in the keychain, which are made when they are first needed:
//
//     swift run SignToken kim
//     swift run SignToken verify TOKEN

let arguments = Array(CommandLine.arguments.dropFirst())
do {
    switch (arguments.first, arguments.count) {
    case ("verify", 2):
        let kinds = try TokenKey.Kind.allCases.filter { try TokenKey($0).verifies(arguments[1]) }
        print(kinds.first.map { "signed with the key for \($0.rawValue)" } ?? "not signed with a key of this keychain")
    case (let name?, 1):
        for kind in TokenKey.Kind.allCases {
            let key = try TokenKey(kind)
            print("public key: \(key.publicBytes?.base64EncodedString() ?? "none")")
            print(try key.token(["sub": name]))
        }
    default:
        print("usage: SignToken NAME | verify TOKEN")
    }
} catch {
    print("SignToken: \(error.localizedDescription)")
    exit(1)
}
