import CofferKeyFiles
import CofferKeys
import CofferX509

/// Reads files and keys; a key that is read has a public half that is read again, and what is written is read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    var keys: [AsymmetricKey] = []
    let letters: [UInt8] = [0x61]
    let passphrase = FilePassphrase(letters.span)
    if let file = try? KeyFileContent(input, passphrase: passphrase) {
        keys += file.keys.map(\.key)
        let text = try? file.written(as: .pemSequence, isText: true, passphrase: nil)
        let again = text.flatMap { try? KeyFileContent($0, passphrase: nil) }
        precondition(again?.keys.map(\.key) == keys, "written keys are not read")
        precondition(
            again?.certificates.map(\.certificate.bytes) == file.certificates.map(\.certificate.bytes),
            "written certificates are not read"
        )
    }
    for type in [KeyType.rsa, .ellipticCurve, .ed25519, .x25519] {
        for isPrivate in [false, true] {
            if let key = try? AsymmetricKey(type, isPrivate: isPrivate, input.span) { keys.append(key) }
        }
    }
    for key in keys {
        precondition((try? key.publicKey)?.publicBytes == key.publicBytes, "a public half is rejected")
        _ = try? key.validate()
    }
    return 0
}
