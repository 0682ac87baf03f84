public import Coffer
internal import CofferBasics
internal import VaultFiles

/// Why a rung of the ladder did not do what it was asked.
///
/// No case carries a value that is kept.
public enum PersistenceError: Error, Equatable, Sendable {
    /// Nothing tells where the container of the app could be: there is neither a home directory nor `XDG_DATA_HOME`.
    case noPlace
    /// No directory can have this name, or it is that of the vault.
    case invalidIdentifier(String)
    /// The system refused something about a file.
    case file(FileFailure)
    /// Another process has been writing for too long.
    case busy(path: String)
    /// A file is not what it should be; it stays as it is.
    case damaged(path: String, reason: String)
    /// A document is encrypted, and was to be read as one that is not.
    case encrypted(path: String)
    /// Documents are encrypted with a key that is not in the keychain any more; they stay as they are.
    case keyMissing(service: String)
    /// A file, or what it would hold, is larger than this rung takes.
    case tooLarge(path: String, limit: Int)
    /// A key is empty, or takes more bytes as the name of a file than a name may have.
    case invalidKey(String, byteCountLimit: Int)
    /// A value of this type does not let itself be encoded, or not as what this rung keeps.
    case cannotEncode(String)
    /// What is kept is no value of this type; it stays as it is.
    case cannotDecode(String)
    /// The keychain did not do what it was asked.
    case keychain(KeychainError)
}

/// What the system refused about a file.
public struct FileFailure: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The error number of the system, such as `ENOSPC`.
    public let number: Int32
    /// What was refused, why, and what to do next.
    public let description: String

    init(_ error: FileError) {
        path = error.path
        number = error.reason.number
        description = error.description
    }
}

extension PersistenceError {
    init(_ error: FileError) {
        self = .file(FileFailure(error))
    }
}

extension PersistenceError: CustomStringConvertible {
    /// What happened, and what to do next.
    public var description: String {
        switch self {
        case .noPlace: "nothing tells where the data of the app could be; set HOME or XDG_DATA_HOME"
        case .invalidIdentifier(let name):
            "no app can be called \"\(name.printable)\"; take a name such as com.example.app"
        case .file(let failure): failure.description
        case .busy(let path): "\(path.printable) is being written by another process; try again"
        case .damaged(let path, let reason):
            "\(path.printable) is damaged: \(reason); it stays as it is, so take it from a backup"
        case .encrypted(let path): "\(path.printable) is encrypted; read it by what encrypted() gives"
        case .keyMissing(let service):
            "the key of the encrypted documents is not in the keychain; bring back the item of the service "
                + "\"\(service.printable)\", as with coffer undo"
        case .tooLarge(let path, let limit): "\(path.printable) would have more than \(limit) bytes"
        case .invalidKey(let key, let limit):
            "the key \"\(key.printable)\" cannot be the name of a file; it may take 1 to \(limit) bytes there"
        case .cannotEncode(let type): "a value of type \(type) cannot be kept here"
        case .cannotDecode(let type): "what is kept is no value of type \(type)"
        case .keychain(let error): error.description
        }
    }
}
