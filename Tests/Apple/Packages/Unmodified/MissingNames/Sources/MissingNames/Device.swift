import Foundation

/// What an app knows about its device and its user, in a file that imports only Foundation.
public enum Device {
    /// The identifier of this installation, which is made once.
    public static func identifier(in settings: UserDefaults = .standard) -> String {
        if let identifier = settings.value(forKey: "device") as? String { return identifier }
        let identifier = CFUUIDCreateString(kCFAllocatorDefault, CFUUIDCreate(kCFAllocatorDefault)) as String
        settings.setValue(identifier, forKey: "device")
        return identifier
    }

    /// The name and the build of the app.
    public static var version: String {
        let name = Bundle.main.object(forInfoDictionaryKey: kCFBundleNameKey as String) as? String
        let build = Bundle.main.infoDictionary?[kCFBundleVersionKey as String] as? String
        return "\(name ?? "no name"), \(build ?? "no build")"
    }

    /// Bytes as hexadecimal digits.
    public static func hex(_ data: Data) -> String {
        let data = data as CFData
        let bytes = UnsafeBufferPointer(start: CFDataGetBytePtr(data), count: CFDataGetLength(data))
        return withExtendedLifetime(data) { bytes.map { String(format: "%02x", $0) }.joined() }
    }

    /// The error of an operation that the user canceled.
    public static func canceled() -> Error {
        let info = [kCFErrorLocalizedDescriptionKey as String: "canceled"] as CFDictionary
        return CFErrorCreate(kCFAllocatorDefault, kCFErrorDomainOSStatus, userCanceledErr, info) as Error
    }
}
