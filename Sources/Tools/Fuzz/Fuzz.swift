import CofferCertificates
import Foundation
import Glibc
import KeyedArchive
import VaultCrypto
import VaultFormat

/// The readers of hostile input, each with a law that no input may break.
///
/// With libFuzzer this is a fuzzer of the target that `COFFER_FUZZ_TARGET` names; see `./dev fuzz`. Otherwise it is a
/// program that runs a target on the files of a directory, so that it is built and tried as often as the tests.
enum Fuzz: String {
    case archive
    case keyfile
    case passwordfile
    case plist
    case vault
    case vaultInside = "vault-inside"
    case x509
    case xml

    /// Reads the input, and stops the process if that breaks the law.
    func check(_ input: [UInt8]) {
        switch self {
        case .archive: Self.archive(input)
        case .keyfile: Self.keyFile(input)
        case .passwordfile: Self.passwordFile(input)
        case .plist: Self.propertyList(input)
        case .vault, .vaultInside: Self.vault(input)
        case .x509: Self.certificate(input)
        case .xml: Self.xmlPropertyList(input)
        }
    }
}

#if FUZZING
    private let target: Fuzz = {
        guard let name = getenv("COFFER_FUZZ_TARGET"), let target = Fuzz(rawValue: String(cString: name)) else {
            preconditionFailure("COFFER_FUZZ_TARGET names no target")
        }
        return target
    }()

    /// What libFuzzer calls with each input.
    @_cdecl("LLVMFuzzerTestOneInput")
    public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        target.check(Array(UnsafeBufferPointer(start: start, count: count)))
        return 0
    }
#else
    @main extension Fuzz {
        /// Runs a target on each file of a directory, or on every so many of them.
        static func main() throws {
            let words = CommandLine.arguments
            guard words.count == 4, let target = Fuzz(rawValue: words[1]), let step = Int(words[3]), step > 0 else {
                preconditionFailure("usage: Fuzz TARGET DIRECTORY STEP")
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: words[2]).sorted()
            let chosen = stride(from: 0, to: names.count, by: step).map { names[$0] }
            for name in chosen { target.check([UInt8](try Data(contentsOf: URL(filePath: "\(words[2])/\(name)")))) }
            print("\(words[1]): \(chosen.count) inputs")
        }
    }
#endif

extension Fuzz {
    /// Any keyed archive that the reader accepts must survive being written and read again.
    static func archive(_ input: [UInt8]) {
        checkDictionary(input)
        guard let archive = try? Archive(input, allowing: .any) else { return }
        let written: [UInt8]
        do throws(KeyedArchiveError) {
            written = try archive.encoded()
        } catch .tooManyNodes, .propertyList(.tooManyObjects), .propertyList(.tooLarge) {
            // Shared objects are read once, but written once for each reference.
            return
        } catch {
            preconditionFailure("an archive that was read cannot be written: \(error)")
        }
        guard let again = try? Archive(written, allowing: .any) else {
            preconditionFailure("a written archive is refused")
        }
        precondition(again == archive, "the value changed")
        precondition((try? again.encoded()) == written, "the bytes changed")
    }
}

/// A dictionary must be read from exactly those bytes that writing it gives, though most are read in a shorter way.
private func checkDictionary(_ input: [UInt8]) {
    let read = CanonicalDictionary<ArchiveValue, ArchiveValue>(canonicalArchive: input, limits: .record)
    let value = try? ArchiveValue(archive: input, limits: .record)
    let written = value.flatMap { try? Archive(top: ["root": .reference($0)]).encoded(limits: .record) }
    precondition(read == (written == input ? value?.dictionary : nil), "a dictionary is read in two ways")
}

extension Fuzz {
    /// A certificate that is accepted is the start of the input, and its normalized names do not change any more.
    static func certificate(_ input: [UInt8]) {
        guard let certificate = try? X509Certificate(parsing: input) else { return }
        precondition(input.starts(with: certificate.bytes), "the bytes changed")
        precondition((try? X509Certificate(parsing: certificate.bytes)) == certificate, "the bytes are rejected")
        for name in [certificate.subjectName, certificate.issuerName] {
            guard let normalized = name?.normalized else { continue }
            _ = name?.text
            guard let again = try? DistinguishedName(parsing: normalized, in: 0..<normalized.count) else {
                preconditionFailure("a normalized name is rejected")
            }
            precondition(again.normalized == normalized, "a normalized name changed")
        }
        _ = (certificate.subjectSummary, certificate.commonName, certificate.emailAddresses, certificate.dnsNames)
        _ = (certificate.basicConstraints, certificate.keyUsage, certificate.extendedKeyUsage)
        _ = (certificate.subjectAlternativeNames, certificate.nameConstraints)
        _ = (certificate.subjectKeyIdentifier, certificate.authorityKeyIdentifier)
    }
}

extension Fuzz {
    /// Reads files and keys; a key that is read has a public half that is read again, and what is written is read again.
    static func keyFile(_ input: [UInt8]) {
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
    }
}

extension Fuzz {
    /// Any binary property list that the reader accepts must survive being written and read again.
    static func propertyList(_ input: [UInt8]) {
        guard let value = try? PropertyList(binary: input) else { return }
        let written: [UInt8]
        do throws(PropertyListError) {
            written = try value.binaryEncoded()
        } catch .tooManyObjects, .tooLarge {
            // Shared objects are read once, but written once for each reference.
            return
        } catch {
            preconditionFailure("a list that was read cannot be written: \(error)")
        }
        guard let again = try? PropertyList(binary: written) else { preconditionFailure("a written list is rejected") }
        precondition(again == value, "the value changed")
        precondition((try? again.binaryEncoded()) == written, "the bytes changed")
    }

    /// Any XML property list that the reader accepts must survive being written and read again.
    static func xmlPropertyList(_ input: [UInt8]) {
        guard let value = try? PropertyList(xml: input) else { return }
        let written: [UInt8]
        do throws(XMLPropertyListError) {
            written = try value.xmlEncoded()
        } catch  where error.kind == .tooLarge(limit: DecodingLimits.standard.byteCount) {
            // Dense text grows when it is written with one element per line.
            return
        } catch {
            preconditionFailure("a list that was read cannot be written: \(error)")
        }
        guard let again = try? PropertyList(xml: written) else { preconditionFailure("a written list is rejected") }
        precondition(again == value, "the value changed")
        precondition((try? again.xmlEncoded()) == written, "the bytes changed")
    }
}

extension Fuzz {
    /// Passes the input to the store and checks it against ``StoreInvariant``.
    ///
    /// A stranger has no key: the input is a file, or a file whose unkeyed hashes are repaired. In the build that seals
    /// nothing (`./dev fuzz vault-inside`), the input is what a holder of all keys can write: a whole vault or a part of
    /// one.
    static func vault(_ input: [UInt8]) {
        do {
            let random = try shared.get()
            guard isUnsealed else {
                KeylessAttacker.offer(input, random: random)
                if let mended = KeylessAttacker.mended(input) { KeylessAttacker.offer(mended, random: random) }
                return
            }
            if input.starts(with: Header.magic) {
                try WholeVault(input, random: random).check()
            } else if let number = input.first, let part = Part(rawValue: number) {
                try part.check(Array(input.dropFirst()), random: random)
            }
        } catch {
            preconditionFailure("libsodium cannot be initialized: \(error)")
        }
    }
}

private let shared = Result { try SystemRandom() }

#if UNSEALED
    private let isUnsealed = true
#else
    private let isUnsealed = false
#endif

/// Aborts unless `holds`, and prints which law was broken; a precondition of a release build would not print it.
func requireInvariant(_ holds: Bool, _ law: StaticString) {
    guard !holds else { return }
    _ = write(STDERR_FILENO, law.utf8Start, law.utf8CodeUnitCount)
    abort()
}
