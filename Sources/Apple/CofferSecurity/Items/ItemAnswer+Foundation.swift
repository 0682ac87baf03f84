internal import Coffer
internal import CofferBasics
internal import Foundation

extension ItemAnswer {
    /// The answer as Foundation objects; nil if it is empty, or Foundation has no matching object.
    ///
    /// Private keys authenticate the user as `call` says, when they are used.
    func object(authenticating call: CallAuthentication?) -> NSObject? {
        switch self {
        case .notRequested, .missing: nil
        case .data(let bytes): NSData(copying: bytes)
        case .reference(let reference): reference.object(authenticating: call)
        case .dictionary(let item): item.object(authenticating: call)
        case .list(let answers): NSArray(array: answers.compactMap { $0.object(authenticating: call) })
        }
    }

    /// Overwrites the data; keys have a copy in guarded memory.
    package mutating func wipe() {
        // Taking the value out first makes this its only owner, so the data is not copied before it is wiped.
        let answer = self
        self = .notRequested
        switch consume answer {
        case .notRequested, .missing: break
        case .reference(var reference): reference.wipe()
        case .data(var bytes): bytes.wipe()
        case .dictionary(var item):
            item.values.wipe(Query.dataKey)
            item.reference?.wipe()
        case .list(var answers): for index in answers.indices { answers[index].wipe() }
        }
    }
}

extension ItemDictionary {
    fileprivate func object(authenticating call: CallAuthentication?) -> NSDictionary {
        var (keys, objects): ([NSObject], [AnyObject]) = ([], [])
        for (name, value) in values {
            guard let object = value.object else { continue }
            keys.append(name as NSString)
            objects.append(object)
        }
        if let object = reference?.object(authenticating: call) {
            keys.append(kSecValueRef)
            objects.append(object)
        }
        // Setting one object after another would cast each of them, which takes longer than all the rest.
        return NSDictionary(objects: objects, forKeys: keys, count: keys.count)
    }
}

extension ItemReference {
    /// The certificate, key or identity; nil if the item cannot be represented as one.
    fileprivate func object(authenticating call: CallAuthentication?) -> NSObject? {
        switch itemClass {
        case .certificate: SecCertificate(self)
        case .key: SecKey(self, authenticating: call)
        case .identity: SecIdentity(self, authenticating: call)
        case .genericPassword, .internetPassword: nil
        }
    }
}

extension ItemValue {
    /// The value as a Foundation object; nil for values that the keychain cannot hold.
    ///
    /// Booleans become numbers made of 0 and 1, because only those can be read both as `Bool` and as `Int`.
    var object: NSObject? {
        switch self {
        case .string(let text): text as NSString
        case .data(let bytes): NSData(copying: bytes)
        case .integer(let number): NSNumber(value: number)
        case .real(let number): NSNumber(value: number)
        case .bool(let isTrue): NSNumber(value: isTrue ? 1 : 0)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .accessControl(let control): SecAccessControl(control)
        case .array(let values): values.compactMap(\.object) as NSArray
        case .null, .other: nil
        }
    }
}

extension NSData {
    /// The bytes, copied once: bridging mutable data to `Data` would create another copy, which cannot be wiped.
    var copiedBytes: [UInt8] { Array(UnsafeRawBufferPointer(start: bytes, count: length)) }

    /// Creates an object with a single copy of `bytes`; going through `Data` would create two.
    convenience init(copying bytes: [UInt8]) {
        self.init(bytes: bytes, length: bytes.count)
    }

    /// Creates an object with a single copy of `bytes`.
    convenience init(copying bytes: Span<UInt8>) {
        self.init(data: bytes.withUnsafeBytes { Data($0) })
    }
}
