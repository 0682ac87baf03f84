import Foundation
import Security

// A TLS server or client whose identity is in the keychain. The connection is that of the program `openssl`, to which
// this one lends certificate and key:
//
//     coffer import --group TLSIdentity server.p12
//     swift run TLSIdentity example.com s_server -accept 4433
//     swift run TLSIdentity example.com s_client -connect localhost:4433

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else {
    print("usage: TLSIdentity LABEL s_server|s_client [ARG...]")
    exit(2)
}
do {
    let identity = try TLSIdentity(label: arguments[0])
    exit(try identity.run(arguments[1...]))
} catch {
    print("TLSIdentity: \(error.localizedDescription)")
    exit(1)
}
