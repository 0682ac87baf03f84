import Foundation

/// An identifier of the device, which stays when the app is removed.
enum DeviceID {
    static var current: String {
        if let data = KeychainHelper.shared.read(service: "device", account: "id"),
            let identifier = String(data: data, encoding: .utf8)
        {
            return identifier
        }
        let uuid = CFUUIDCreate(kCFAllocatorDefault)
        let identifier = CFUUIDCreateString(kCFAllocatorDefault, uuid) as String
        KeychainHelper.shared.save(Data(identifier.utf8), service: "device", account: "id")
        return identifier
    }
}
