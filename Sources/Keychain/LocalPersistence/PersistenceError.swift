public import Coffer
internal import CofferBasics
internal import VaultFiles

/// The reason why an operation on a rung of the ladder failed.
///
/// No case carries a stored value.
public enum PersistenceError: Error, Equatable, Sendable {
    /// The place of the app's container is unknown: there is neither a home directory nor `XDG_DATA_HOME`.
    case noDataDirectory
    /// The name is not valid for a file or directory, or the identifier of an app does not contain a dot.
    case invalidIdentifier(String)
    /// The system refused an operation on a file.
    case file(FileFailure)
    /// Waiting for another process to finish writing timed out.
    case busy(path: String)
    /// A file is damaged or invalid; it is left unchanged.
    case damaged(path: String, reason: String)
    /// A document is encrypted, but was read without ``ObjectArchive/encrypted(group:accessibility:)``.
    case encrypted(path: String)
    /// The key of the encrypted documents is no longer in the keychain; the documents are left unchanged.
    case keyMissing(service: String)
    /// A file, or its new content, is larger than this rung allows.
    case tooLarge(path: String, limit: Int)
    /// A key is empty or too long for a file name.
    case invalidKey(String, byteCountLimit: Int)
    /// A value of this type cannot be encoded, or not in the form that this rung stores.
    case cannotEncode(String)
    /// The stored value is not of this type; it is left unchanged.
    case cannotDecode(String)
    /// An operation of the keychain failed.
    case keychain(KeychainError)
}

/// A failed operation on a file.
public struct FileFailure: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file.
    public let path: String
    /// The error number of the system, such as `ENOSPC`.
    public let number: Int32
    /// What failed, why, and what to do next.
    public let description: String

    init(_ error: FileError) {
        path = error.path
        number = error.reason.number
        description = error.description
    }
}

extension PersistenceError: LayerError {
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as PersistenceError: error
            case let error as FileError: .file(FileFailure(error))
            case KeychainError.cannotEncode(let type): .cannotEncode(type)
            case KeychainError.cannotDecode(let type): .cannotDecode(type)
            default: .keychain(KeychainError(error))
            }
    }
}

extension PersistenceError: CustomStringConvertible {
    /// What happened, and what to do next.
    public var description: String {
        switch self {
        case .noDataDirectory: "cannot determine the app's data directory; set HOME or XDG_DATA_HOME"
        case .invalidIdentifier(let name):
            "invalid identifier \"\(name.printable)\"; use a name such as com.example.app"
        case .file(let failure): failure.description
        case .busy(let path): "timed out waiting for another process to finish writing in \(path.printable); try again"
        case .damaged(let path, let reason):
            "\(path.printable) is damaged: \(reason); restore it from a backup"
        case .encrypted(let path): "\(path.printable) is encrypted; read it through encrypted()"
        case .keyMissing(let service):
            "the key of the encrypted documents is missing from the keychain; restore the item of the service "
                + "\"\(service.printable)\", for example with coffer undo"
        case .tooLarge(let path, let limit): "\(path.printable) is too large (limit \(limit.grouped) bytes)"
        case .invalidKey(let key, let limit):
            "invalid key \"\(key.printable)\": its file name must have 1 to \(limit) bytes"
        case .cannotEncode(let type): "cannot encode a value of type \(type)"
        case .cannotDecode(let type): "the stored value is not of type \(type)"
        case .keychain(let error): error.description
        }
    }
}
