import Foundation
import Security

// Trusts a server only if it has the certificate that it had before: code for iOS and macOS, unchanged. Its input is
// what the server sends, as `openssl` prints it:
//
//     openssl s_client -connect example.com:443 -showcerts </dev/null | swift run PinServer pin example.com
//     openssl s_client -connect example.com:443 -showcerts </dev/null | swift run PinServer check example.com

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2, ["pin", "check"].contains(arguments[0]) else {
    print("usage: PinServer pin|check HOST")
    exit(2)
}
do {
    let server = PinnedServer(host: arguments[1])
    let chain = try PinnedServer.chain(in: FileHandle.standardInput.readDataToEndOfFile())
    if arguments[0] == "pin" {
        try server.pin(chain)
        print("pinned \(arguments[1])")
    } else {
        try server.check(chain)
        print("\(arguments[1]) has the pinned certificate")
    }
} catch {
    print("PinServer: \(error.localizedDescription)")
    exit(1)
}
